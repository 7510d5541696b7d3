/*
 * Entry: one rule as the match stage has it, whether it came from a suppression file or from JSON:
 * what it says of itself (gg_rule), the steps its frames must meet, and what else it asks.
 */
#ifndef GG_MATCH_ENTRY_H
#define GG_MATCH_ENTRY_H

#include "grindgate/model.h"
#include "match/condition.h"
#include "match/pattern.h"
#include "match/supp.h"

struct gg_entry {
    struct gg_rule rule;
    /* Of a suppression; NULL for a JSON rule. Its kind, extra line and caller limit decide beside
     * the steps, which are its frames. */
    const struct gg_supp *supp;
    struct gg_condition condition; /* zeroed: asks nothing */
    const struct gg_step *steps;
    size_t step_count; /* 0: the stack does not matter */
    /* Of a rule for some tests, after gg_rules_apply: one that shows a finding of it as well, which
     * it is therefore not for; or NULL. */
    const struct gg_run *outsider;
};

/* The entry of a block: its rule, and its frames as steps. Asks nothing else yet. */
struct gg_entry *gg_entry_of_supp(struct gg_arena *arena, const struct gg_supp *supp);

/* Does it ask for this kind of error, with this size, parameter, call, kind of leak? Of a JSON rule
 * only the kind counts. */
bool gg_entry_covers(const struct gg_entry *entry, const struct gg_supp_subject *subject);

/* How many of its steps count where programs ran with so many callers: valgrind keeps as many lines
 * of a suppression as it has callers. SIZE_MAX: it would refuse the file, so none can fit. */
size_t gg_entry_steps(const struct gg_entry *entry, unsigned callers);

#endif
