/*
 * Rule text: what the text says of rules, beside the findings.
 */
#ifndef GG_WRITE_RULE_TEXT_H
#define GG_WRITE_RULE_TEXT_H

#include "base/arena.h"
#include "grindgate/model.h"

/* Is it a rule of a pack that decided nothing? A pack is for more than one program, so there are
 * many. */
bool gg_rule_text_is_spare(const struct gg_rule *rule);

/* "12, of which 2 are unused and 1 is expired; grindgate rules test says more"; NULL when there
 * are no rules. Spare ones do not count. */
const char *gg_rule_text_summary(struct gg_arena *arena, const struct gg_report *report);

/* "used: known-cache (ci/known.supp:4): 2 findings, seen 3 times in 2 runs [broad]" */
const char *gg_rule_text_row(struct gg_arena *arena, const struct gg_rule *rule);

/* "a.c:3 in load: 20 bytes in 1 block are definitely lost [9d711e518ce8], by "cache"
 * (known.supp:8): freed by nobody" for a finding that is hidden by this change. */
const char *gg_rule_text_hidden(struct gg_arena *arena, const struct gg_finding *finding);

/* "dl-hack3-cond-1: 3 times in 2 runs" */
const char *gg_rule_text_use(struct gg_arena *arena, const struct gg_supp_use *use);

#endif
