/*
 * CTest results: how CTest itself judged the tests of a suite, from its JUnit file
 * (ctest --output-junit). Memory findings do not come into it.
 */
#ifndef GG_READ_CTEST_RESULTS_H
#define GG_READ_CTEST_RESULTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "grindgate/error.h"
#include "grindgate/model.h"

struct gg_ctest_results {
    GG_VEC(struct gg_test) tests; /* in CTest's order; two directories may use one name */
};

/* false when the file is not there, not whole, or not what CTest writes. */
bool gg_ctest_results_read(struct gg_arena *arena, const char *path,
                           struct gg_ctest_results *results, struct gg_error *err);

#endif
