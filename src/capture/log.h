/*
 * Log: what valgrind itself had to say (not the program), in the logs of all its processes.
 */
#ifndef GG_CAPTURE_LOG_H
#define GG_CAPTURE_LOG_H

#include "base/arena.h"

struct gg_log {
    const char *text;              /* how it begins, maybe "" */
    const char *const *last_words; /* lines that say a process was not checked, or not to its end;
                                    * the first few, NULL-terminated */
};

/* Reads the logs among these names (NULL-terminated) of the directory. */
void gg_log_read(struct gg_arena *arena, const char *directory, char *const *names,
                 struct gg_log *log);

#endif
