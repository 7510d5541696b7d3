/*
 * Watch: runs a command until it and what it left behind have ended, or have to, and renames the
 * reports as they come (inbox.h).
 *
 * The command stays in grindgate's process group, so it keeps the terminal, and a ^C reaches it
 * from there. A signal that a process sends to grindgate is passed on to the command and all of its
 * children, one the terminal sent is not: they have it already. (One sent to the whole group by
 * hand, as timeout(1) does, arrives twice, as it does under timeout(1).)
 *
 * Whoever wants to hear the command gets its standard output and standard error, in one, to the
 * end; who still has them open then is not waited for, and what it says later goes nowhere.
 *
 * When grindgate itself is killed, the command gets TERM from the kernel, its children do not.
 */
#ifndef GG_CAPTURE_WATCH_H
#define GG_CAPTURE_WATCH_H

#include <sys/types.h>

#include "base/arena.h"
#include "capture/run.h"

struct gg_watch {
    const char *const *argv;
    const char *directory;    /* where the command's reports appear */
    unsigned timeout;         /* seconds, 0: none */
    uint64_t max_report_size; /* bytes of all files in the directory, 0: no limit */
    void (*tick)(void *self); /* about every second while the command runs; NULL: nobody */
    void (*output)(void *self, const char *bytes, size_t len); /* as they come, cut anywhere; NULL:
                                                                * the command has our streams */
    void *self; /* for both, which are called from gg_watch_run */
    /* filled */
    size_t reports; /* so far, at each tick */
    pid_t pid;
    int status; /* as from waitpid */
    enum gg_capture_stop stop;
    int stop_signal;         /* GG_STOP_SIGNAL: the first */
    const char *unsure;      /* see inbox.h */
    const char *const *made; /* names of the reports that came, NULL-terminated */
};

/* 0, or the errno that kept the command from being executed. */
int gg_watch_run(struct gg_arena *arena, struct gg_watch *watch);

#endif
