/*
 * Log: what valgrind itself had to say (not the program), in the logs of all its processes.
 */
#ifndef GG_CAPTURE_LOG_H
#define GG_CAPTURE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A line that says more than it seems to: what it means, and what to do about it. */
struct gg_word {
    const char *kind;   /* of the note that tells of it */
    const char *text;   /* one sentence, with valgrind's own line where that helps */
    const char *signal; /* it only matters when a process died of this one ("SIGILL"); else NULL */
    bool incomplete;    /* a process was not checked, or not to its end */
};

struct gg_log {
    const char *text;            /* how it begins, maybe "" */
    const struct gg_word *words; /* the first few, each once */
    size_t word_count;
};

/* Reads the logs among these names (NULL-terminated) of the directory. */
void gg_log_read(struct gg_arena *arena, const char *directory, char *const *names,
                 struct gg_log *log);

#endif
