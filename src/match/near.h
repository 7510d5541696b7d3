/*
 * Near: for a finding that no rule decides, the rule that came closest, and where it failed.
 *
 * A rule that is for this kind of error comes before one that is for another, one whose frames all
 * fit before one of which some do, wherever they stand in the stack. Another build's name of a
 * function (foo.isra.0) and another line of a file are half a fit. Frames that nearly every stack
 * passes (malloc, main) bring no rule nearer.
 */
#ifndef GG_MATCH_NEAR_H
#define GG_MATCH_NEAR_H

#include "match/entry.h"

/* Which of the entries came closest, and why it does not decide the finding, a sentence like
 * "frame 3: fun:foo against foo.isra.0". NULL when none shares anything with the finding. */
const struct gg_entry *gg_near(struct gg_arena *arena, struct gg_entry *const *entries,
                               size_t entry_count, const struct gg_report *report,
                               const struct gg_finding *finding,
                               const struct gg_condition_context *context, const char **why);

#endif
