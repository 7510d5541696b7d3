/*
 * Condition: what a rule asks of a finding beside its frames. Everything that is asked must hold.
 *
 * A rule that makes less of a finding must explain every sighting of it: where it is meant for some
 * tests, commands or sizes, a finding that is seen otherwise as well is not matched. One that makes
 * more of it asks for a single sighting.
 */
#ifndef GG_MATCH_CONDITION_H
#define GG_MATCH_CONDITION_H

#include "base/arena.h"
#include "grindgate/model.h"
#include "match/regex.h"

struct gg_range {
    uint64_t min, max; /* both included; UINT64_MAX: no upper end */
};

struct gg_condition {
    const bool *kinds;          /* GG_KINDS of them; NULL: every kind */
    struct gg_regex *message;   /* NULL: any */
    struct gg_regex *test;      /* the test's name; a run without a test does not match */
    struct gg_regex *command;   /* program and arguments, joined by single blanks */
    const struct gg_str *tests; /* globs for the test's name; one must fit; ended by an empty one;
                                   NULL: any */
    const struct gg_str *branches; /* globs for the branch at hand */
    bool sized;                    /* only leaks, of these sizes */
    struct gg_range bytes, blocks;
    uint32_t own_within; /* one of that many innermost frames is own code; 0: not asked */
    bool any;            /* one sighting that fits is enough */
};

/* What conditions look at beside the finding. */
struct gg_condition_context {
    const struct gg_report *report;
    struct gg_str branch; /* empty: unknown, then no rule for branches holds */
};

/* Does it hold? When not and `why` is not NULL, *why is a sentence for people that says what
 * fails ("the leak has 16 bytes, the rule asks for 32 at least"), from the arena. Expressions are
 * matched once for each distinct text. */
bool gg_condition_holds(const struct gg_condition *condition, const struct gg_finding *finding,
                        const struct gg_condition_context *context, struct gg_arena *arena,
                        const char **why);

/* A rule for some tests that must explain every sighting: the first run of another test that shows
 * the finding, when some sighting fits and all else holds; NULL: there is none. */
const struct gg_run *gg_condition_outsider(const struct gg_condition *condition,
                                           const struct gg_finding *finding,
                                           const struct gg_condition_context *context);

#endif
