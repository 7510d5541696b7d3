/*
 * Capture: runs a program under valgrind and hands over the reports it left.
 *
 * The program keeps its own standard streams and working directory. valgrind writes one XML file
 * into a directory of our own for each image of each process: a program that becomes another one
 * (exec) leaves two. INT, TERM and HUP are passed on to it.
 */
#ifndef GG_CAPTURE_RUN_H
#define GG_CAPTURE_RUN_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/grindgate.h"

enum gg_capture_stop {
    GG_STOP_NONE,
    GG_STOP_TIMEOUT,     /* --timeout */
    GG_STOP_REPORT_SIZE, /* --max-report-size */
    GG_STOP_SIGNAL       /* grindgate itself was told to stop */
};

struct gg_capture {
    bool started;       /* valgrind was executed */
    int64_t pid;        /* of the program under valgrind; its report is the last DIR/PID-N.xml */
    int exit_code;      /* the program's own; -1 when a signal ended it */
    const char *signal; /* "SIGSEGV"; NULL: none */
    int signal_number;  /* 0: none */
    enum gg_capture_stop stop;
    int stop_signal;               /* GG_STOP_SIGNAL: which */
    const char *version;           /* valgrind's */
    const char *directory;         /* where the reports are */
    bool temporary;                /* gg_capture_forget removes it */
    const char *const *reports;    /* names of PID-N.xml in it, by pid and N, NULL-terminated */
    const char *log;               /* what valgrind itself had to say (not the program), maybe "" */
    const char *const *last_words; /* its lines that say a process was not checked to its end */
    const char *unsure;            /* why a report may be lost, or is; NULL: none is */
    const char *unread; /* where options for valgrind stand that it was not to read, or NULL */
    const char *manifest_error; /* why the run is not in --keep's manifest; NULL: it is */
};

/* false when nothing could be run: no valgrind, contradictory flags, no directory (exit status 2
 * for what the user asked wrongly: *usage is set; else 3). */
bool gg_capture_run(struct gg_arena *arena, const struct gg_options *options,
                    struct gg_capture *capture, bool *usage, struct gg_error *err);

/* Removes a temporary directory. */
void gg_capture_forget(const struct gg_capture *capture);

#endif
