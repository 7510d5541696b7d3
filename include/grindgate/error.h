/*
 * Error: why something could not be done, in the words of the person who can mend it.
 *
 * Fallible functions return bool or a pointer and take a struct gg_error last. The first error
 * wins: setting one that is set changes nothing, so a caller may go on and report the cause.
 * Things that are not failures (a repaired byte, a cut report) are notes of the report instead.
 */
#ifndef GRINDGATE_ERROR_H
#define GRINDGATE_ERROR_H

#include <stdbool.h>

struct gg_error {
    bool set;
    char text[1024]; /* "file:line: what is wrong: what to do", one line, no newline at the end */
};

void gg_error_set(struct gg_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prefixed with "file:line: "; line 0 leaves the line out. */
void gg_error_at(struct gg_error *err, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
