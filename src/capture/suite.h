/*
 * Suite: runs the tests of a CTest build, each under valgrind, and hands over their runs as they
 * end.
 *
 * CTest stays the scheduler, so fixtures, dependencies, locks, labels, -R and what makes a test
 * pass are its own affair. It is given a directory of ours whose CTestTestfile.cmake puts
 * `grindgate wrap` before each test's command and then reads that of the build (suite_file.h).
 * What is done in the build directory is what ctest always does there: Testing/Temporary.
 *
 *     KEEP/20260309-141503-4711/           the suite; without --keep a temporary directory
 *         20260309-141507-4733/            one test: see keep.h
 */
#ifndef GG_CAPTURE_SUITE_H
#define GG_CAPTURE_SUITE_H

#include "base/vec.h"
#include "capture/run.h"

/* What CTest said in its own line of a test that did not pass: "Timeout", "Exception: SegFault". */
struct gg_suite_remark {
    const char *name, *text;
};

struct gg_suite {
    const struct gg_options *options; /* ctest, jobs, timeout_factor, launcher, command ... */
    const char *root; /* of the work tree, for the tests' records; NULL: not known */
    /* Called from gg_suite_run. `take` gets each run once: when it has ended, or, when all is over
     * and it has not, as it was left: then how CTest ended is known. The capture is good for the
     * call only, and a temporary run's directory is removed after it. `tell`, about every second
     * and when CTest says something. */
    void (*take)(void *self, const struct gg_capture *capture, const char *name);
    void (*lose)(void *self, const char *name, const char *why); /* a run without a record */
    void (*tell)(void *self);
    void *self;
    /* filled */
    const char *build;   /* absolute */
    const char *shadow;  /* the directory that CTest is given, removed by gg_suite_forget */
    const char *results; /* the JUnit file that CTest was told to write in it */
    size_t tests;        /* that CTest means to run; 0: not known */
    size_t done;         /* of them; so far, while it runs */
    size_t running;      /* runs that have begun and not ended */
    const char *said;    /* whole lines of CTest's, only while `tell` is called; NULL: none */
    size_t said_len;
    bool found_none; /* CTest found no test, or none that the arguments select */
    GG_VEC(struct gg_suite_remark) remarks;
    int exit_code; /* CTest's; -1: a signal ended it */
    int signal;    /* 0: none */
    enum gg_capture_stop stop;
    int stop_signal;
};

/* false when nothing could be run: no such build directory, no ctest, no valgrind (*usage as for
 * gg_capture_run). */
bool gg_suite_run(struct gg_arena *arena, struct gg_suite *suite, bool *usage,
                  struct gg_error *err);

void gg_suite_forget(const struct gg_suite *suite);

#endif
