/*
 * Suite command: how CTest is called, and what it is to call for each test.
 */
#ifndef GG_CAPTURE_SUITE_COMMAND_H
#define GG_CAPTURE_SUITE_COMMAND_H

#include "capture/suite.h"

/* Is there a suite, and can these arguments of ctest be kept? Sets suite->build; what fails is
 * the user's to mend. */
bool gg_suite_check(struct gg_arena *arena, struct gg_suite *suite, struct gg_error *err);

/* `grindgate wrap ...` up to the test's name, for the runs below the directory. */
const char *const *gg_suite_launcher(struct gg_arena *arena, const struct gg_suite *suite,
                                     const char *runs);

/* `ctest ...` for suite->shadow and suite->results. */
const char *const *gg_suite_command(struct gg_arena *arena, const struct gg_suite *suite);

#endif
