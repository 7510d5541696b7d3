/*
 * Rules verbs: what `grindgate rules` can do; one row a verb, a file each. The table is in
 * cmd_rules.c.
 */
#ifndef GG_CLI_RULES_VERBS_H
#define GG_CLI_RULES_VERBS_H

#include "cli/opt.h"

struct gg_rules_verb {
    const char *name;
    const enum gg_opt_id *options; /* of those that some verbs have: these; ended by GG_OPTS */
    /* `operands` are the words behind the verb; returns the exit status. */
    int (*execute)(struct gg_opts *opts, const char *const *operands);
};

extern const struct gg_rules_verb gg_rules_verb_lint;
extern const struct gg_rules_verb gg_rules_verb_test;
extern const struct gg_rules_verb gg_rules_verb_list;
extern const struct gg_rules_verb gg_rules_verb_suggest;

#endif
