/*
 * Suite file: the directory that CTest is given instead of the build's.
 *
 *     CTestTestfile.cmake     redefines add_test and set_tests_properties, reads the build's file
 *     CTestCustom.cmake       reads the build's
 *     DartConfiguration.tcl   the build's, without the line that would lead CTest back to it
 *     Testing                 a link to the build's
 *
 * A test gets `grindgate wrap` before its command where CTest would find the command; where it
 * would not it is left alone, so that it stays "Not Run" and WILL_FAIL cannot make it pass.
 */
#ifndef GG_CAPTURE_SUITE_FILE_H
#define GG_CAPTURE_SUITE_FILE_H

#include "base/arena.h"
#include "grindgate/error.h"

struct gg_suite_file {
    const char *build, *shadow;  /* absolute */
    const char *const *launcher; /* what goes before each command; --test NAME -- is added */
    unsigned factor;             /* for the tests' timeouts */
};

bool gg_suite_file_write(struct gg_arena *arena, const struct gg_suite_file *file,
                         struct gg_error *err);

/* "2.5" and 4 -> "10"; what is no number stays as it is. */
const char *gg_suite_scale(struct gg_arena *arena, const char *seconds, unsigned factor);

#endif
