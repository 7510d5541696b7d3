/*
 * Plan: entries made ready to be looked up and run by number, for the names of one report.
 *
 * An entry can only fit a stack that has a name for each of its patterns. So it is filed under the
 * pattern whose names the report has least of, and only looked at for stacks that have one of
 * those. One with a pattern that no name of the report fits is not looked at.
 */
#ifndef GG_MATCH_PLAN_H
#define GG_MATCH_PLAN_H

#include "match/entry.h"
#include "match/index.h"

/* One test of a step. */
struct gg_plan_test {
    uint32_t pattern; /* of the index */
    uint32_t name;    /* the only one it fits; 0: there are more, or none */
    uint32_t line;    /* 0: any */
    uint32_t within;  /* 0: not asked */
    bool any;         /* a step without a test: no pattern */
    bool skips;
    bool joins; /* the next test is of the same step */
};

struct gg_plan {
    uint32_t first; /* of the tests */
    uint32_t count; /* of the steps */
    uint32_t lines; /* with fewer callers, or when cut, fewer steps count */
    bool cut, json;
};

struct gg_plan_ref {
    uint32_t entry;
    uint32_t demand; /* the entry's */
};

struct gg_plans {
    struct gg_arena *arena;
    struct gg_entry *const *entries;
    size_t count;
    struct gg_plan *all; /* by entry */
    GG_VEC(struct gg_plan_test) tests;
    GG_VEC(uint32_t) demands; /* what gg_entry_covers looks at: an entry for each distinct */
    struct gg_map by_demand, by_param;
    struct gg_name_index index;
    GG_VEC(struct gg_plan_ref) always; /* to look at for every stack */
    uint32_t *key_starts;              /* by pattern: where its entries begin in `keyed` */
    struct gg_plan_ref *keyed;
    uint32_t *name_starts; /* by name: where the patterns that entries are filed under begin */
    uint32_t *name_keys;
    bool *live; /* by name: an entry that is looked at has a pattern for it */
};

/* The places that patterns of the entries ask for. */
void gg_plans_places(struct gg_entry *const *entries, size_t count, bool wanted[GG_PLACES]);

/* For a report of so many findings. */
void gg_plans_init(struct gg_plans *plans, struct gg_arena *arena, struct gg_entry *const *entries,
                   size_t count, const struct gg_names *names, size_t findings);
void gg_plans_free(struct gg_plans *plans);

#endif
