/*
 * Lint: what is wrong with rules, told from their text and, after gg_rules_apply, from what they
 * did. Rules that grindgate brings along are nobody's to mend here, and are left out.
 */
#ifndef GG_MATCH_LINT_H
#define GG_MATCH_LINT_H

#include "match/rules.h"

/* The public struct gg_concern is in grindgate/model.h. Ordered by file and line. `report` is the
 * one that the rules were applied to; NULL: they were not. */
struct gg_concern *gg_lint(struct gg_arena *arena, struct gg_entry *const *entries,
                           size_t entry_count, const struct gg_report *report, size_t *count);

/* Lints, and writes `concerns` of the rules. */
void gg_lint_mark(struct gg_arena *arena, struct gg_entry *const *entries, size_t entry_count,
                  const struct gg_report *report);

#endif
