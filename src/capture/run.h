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
#include "capture/log.h"
#include "grindgate/error.h"
#include "grindgate/grindgate.h"
#include "model/checkout.h"

enum gg_capture_stop {
    GG_STOP_NONE,
    GG_STOP_TIMEOUT,     /* --timeout */
    GG_STOP_REPORT_SIZE, /* --max-report-size */
    GG_STOP_SIGNAL       /* grindgate itself was told to stop */
};

/* Whose report it is: a program as it was when it ran. */
struct gg_identity {
    const char *path;     /* absolute; NULL: it was not found */
    int64_t size;         /* bytes */
    int64_t mtime;        /* nanoseconds since the epoch */
    const char *build_id; /* in hex; NULL: it has none */
};

struct gg_capture {
    /* what was asked for */
    const char *const *program; /* and its arguments, NULL-terminated */
    const char *const *argv;    /* valgrind's, NULL-terminated; empty: valgrind was not run */
    const char *test;           /* its name, or NULL */
    const char *version;        /* valgrind's; NULL: it was not asked */
    const char *unread; /* where options for valgrind stand that it was not to read, or NULL */
    unsigned timeout;   /* seconds, 0: none */
    struct gg_identity identity;
    struct gg_checkout checkout; /* where it was run; NULLs: not known */
    /* how it went */
    const char *failure; /* why nothing could be run; NULL: it was */
    bool ended;          /* false: whoever watched over it was killed before it ended */
    int64_t pid;         /* of the program under valgrind; its report is the last DIR/PID-N.xml */
    int exit_code;       /* the program's own; -1 when a signal ended it */
    int signal;          /* that ended it; 0: none */
    enum gg_capture_stop stop;
    int stop_signal;            /* GG_STOP_SIGNAL: which */
    const char *unsure;         /* why a report may be lost, or is; NULL: none is */
    const char *const *made;    /* names of all reports that came to be, NULL-terminated */
    bool full;                  /* their disk had no room left at the end */
    const char *manifest_error; /* why the run is not in --keep's manifest; NULL: it is */
    /* what it left */
    const char *directory;       /* where the reports are */
    bool temporary;              /* gg_capture_forget removes it */
    const char *const *reports;  /* names of PID-N.xml in it, by pid and N, NULL-terminated */
    const char *log;             /* what valgrind itself had to say (not the program), maybe "" */
    const struct gg_word *words; /* lines of it that matter (log.h) */
    size_t word_count;
};

/* Runs options->command, in a work tree that is at a commit, which the record is to say. false when
 * nothing could be run: no valgrind, contradictory flags, no directory (exit status 2 for what the
 * user asked wrongly: *usage is set; else 3). */
bool gg_capture_run(struct gg_arena *arena, const struct gg_options *options,
                    const struct gg_checkout *checkout, struct gg_capture *capture, bool *usage,
                    struct gg_error *err);

/* The same for a run that is only collected: below options->keep, without a manifest, and valgrind
 * is not asked for its version unless an option depends on it. What the program left may be without
 * the record of its end (a full disk): then *err says why, though the program was run. */
bool gg_capture_collect(struct gg_arena *arena, const struct gg_options *options,
                        const struct gg_checkout *checkout, struct gg_capture *capture,
                        struct gg_error *err);

/* What a run left in its directory, as its record says. */
bool gg_capture_read(struct gg_arena *arena, const char *directory, struct gg_capture *capture,
                     struct gg_error *err);

/* Why a report in the directory was not written by this run, or NULL: the name of the file is not
 * that of its process, or valgrind was told to write it elsewhere. */
const char *gg_capture_foreign(const struct gg_capture *capture, const char *name);

/* Why the run says nothing of the program as it is now, or NULL. */
const char *gg_capture_stale(struct gg_arena *arena, const struct gg_capture *capture);

/* Removes a temporary directory. */
void gg_capture_forget(const struct gg_capture *capture);

#endif
