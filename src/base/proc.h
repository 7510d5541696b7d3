/*
 * Proc: other programs. Start one, hear what one says, name the signal that ended it.
 *
 * A child gets the descriptors 0, 1 and 2 and no others: what grindgate or its own caller has open
 * (a CI runner's pipes, a lock) never reaches it. The caller waits for what it spawned.
 */
#ifndef GG_BASE_PROC_H
#define GG_BASE_PROC_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

/* A pipe: read from ends[0] what is written to ends[1]. Both are closed by exec, and neither is a
 * standard descriptor, not even where those are closed. 0, or errno. */
int gg_proc_pipe(int ends[2]);

struct gg_spawn {
    const char *const *argv;         /* NULL-terminated; argv[0] is looked up in PATH */
    int in, out, err;                /* become 0, 1 and 2; -1: this process's own, untouched */
    const sigset_t *mask;            /* signals the child blocks; NULL: as here */
    const struct sigaction *sigchld; /* how the child finds SIGCHLD; NULL: as here */
    int orphaned;                    /* signal it gets when the thread that calls this ends before
                                      * it, by KILL for example; 0: none. Its own children do not
                                      * get it, nor does a program that is setuid. */
};

/* The child's pid, or -errno when the program could not be executed. */
pid_t gg_proc_spawn(const struct gg_spawn *spawn);

/* Runs a program with nothing on its standard input and keeps what it writes to standard output
 * and standard error, at most `limit` bytes within `seconds`; what goes on longer is killed.
 * 0, or the errno that kept it from being executed. */
int gg_proc_hear(struct gg_arena *arena, const char *const *argv, size_t limit, unsigned seconds,
                 struct gg_str *said);

/* "SIGSEGV", "SIG40". */
const char *gg_proc_signal_name(struct gg_arena *arena, int number);

/* Milliseconds of a clock that nobody sets. */
long long gg_proc_now(void);

#endif
