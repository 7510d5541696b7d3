/*
 * Lab: runs small programs under the real valgrind for the capture tests.
 *
 * A test is a process of its own (criterion forks), so it may change its descriptors, directory,
 * environment and signals as it likes.
 */
#ifndef TESTS_CAPTURE_LAB_H
#define TESTS_CAPTURE_LAB_H

#include "capture/run.h"

struct lab {
    struct gg_arena arena;
    char *dir; /* the test's own */
    struct gg_options options;
    struct gg_checkout checkout;
    struct gg_capture capture;
    bool usage;
    struct gg_error err;
};

void lab_open(struct lab *lab);
void lab_close(struct lab *lab);

/* NAME in the test's directory. */
const char *lab_path(struct lab *lab, const char *name);

/* Compiles C source to a program in the test's directory. */
const char *lab_build(struct lab *lab, const char *source);

bool lab_run(struct lab *lab, const char *const *command);
bool lab_sh(struct lab *lab, const char *script); /* /bin/sh -c */

/* A file's text; of a report by its index in capture.reports. */
char *lab_read(struct lab *lab, const char *path);
char *lab_report(struct lab *lab, size_t index);
size_t lab_report_count(const struct lab *lab);

/* Sends descriptor 1 or 2 to a file of the test's. */
void lab_redirect(struct lab *lab, int fd, const char *name);

/* Makes descriptor 0 a pipe that stays empty and open: reading waits for ever. */
void lab_block_stdin(void);

/* Is there such a process, and not only what is left until its parent asks for it? */
bool lab_is_alive(long pid);

/* What a python program prints, given a file's name as its argument. */
char *lab_python(struct lab *lab, const char *program, const char *file);

#endif
