/*
 * Lint use: what there is to say of rules once they were applied to a report.
 */
#ifndef GG_MATCH_LINT_USE_H
#define GG_MATCH_LINT_USE_H

#include "match/concerns.h"
#include "match/entry.h"

void gg_lint_use(struct gg_concerns *concerns, struct gg_entry *const *entries, size_t count,
                 const struct gg_report *report);

#endif
