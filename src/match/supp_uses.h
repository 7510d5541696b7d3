/*
 * Supp uses: what valgrind itself set aside before it wrote a report, in all runs together: its own
 * default suppressions, and those that it was given.
 */
#ifndef GG_MATCH_SUPP_USES_H
#define GG_MATCH_SUPP_USES_H

#include "base/arena.h"
#include "grindgate/model.h"

/* By name; in the arena. */
const struct gg_supp_use *gg_supp_uses(struct gg_arena *arena, const struct gg_report *report,
                                       size_t *count);

#endif
