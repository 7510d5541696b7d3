/*
 * Lint patterns: lines of a suppression that can match nothing, or do not what they look like.
 */
#ifndef GG_MATCH_LINT_PATTERNS_H
#define GG_MATCH_LINT_PATTERNS_H

#include "match/concerns.h"
#include "match/entry.h"

/* false: because of a line the rule never matches, which is told. */
bool gg_lint_patterns(struct gg_concerns *concerns, const struct gg_entry *entry);

#endif
