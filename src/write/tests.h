/*
 * Tests: how outputs tell of the tests of a CTest suite.
 */
#ifndef GG_WRITE_TESTS_H
#define GG_WRITE_TESTS_H

#include "base/jsonio.h"
#include "grindgate/model.h"

/* "197 tests passed, 2 failed, 1 not run; ", or nothing when there was no suite. */
void gg_tests_tally(struct gg_out *out, const struct gg_report *report);

/* "tests": [...], a member of the open object; nothing when there was no suite. */
void gg_tests_put(struct gg_json *json, const struct gg_report *report);

#endif
