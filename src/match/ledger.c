#include "match/ledger.h"
#include "base/vec.h"

#include <stdlib.h>

typedef GG_VEC(uint32_t) run_list;

struct gg_ledger {
    struct gg_arena *arena;
    struct gg_entry *const *entries;
    size_t count;
    run_list *runs; /* by entry; of every finding that it decided, one may stand there often */
};

struct gg_ledger *gg_ledger_new(struct gg_arena *arena, struct gg_entry *const *entries,
                                size_t count)
{
    struct gg_ledger *ledger = gg_arena_alloc(arena, sizeof *ledger);
    *ledger = (struct gg_ledger){.arena = arena, .entries = entries, .count = count};
    ledger->runs = gg_arena_alloc(arena, count * sizeof *ledger->runs);
    return ledger;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_out(run_list *runs)
{
    size_t kept = 0;
    if (runs->len)
        qsort(runs->at, runs->len, sizeof *runs->at, by_number);
    for (size_t i = 0; i < runs->len; i++) {
        if (kept == 0 || runs->at[kept - 1] != runs->at[i])
            runs->at[kept++] = runs->at[i];
    }
    runs->len = kept;
}

/* Thousands of findings of few runs are no reason to keep a number for each. */
static void add_run(struct gg_ledger *ledger, run_list *runs, uint32_t run)
{
    if (runs->len && runs->len == runs->cap)
        sort_out(runs);
    *gg_vec_push(ledger->arena, runs) = run;
}

void gg_ledger_enter(struct gg_ledger *ledger, uint32_t entry, const struct gg_finding *finding)
{
    struct gg_rule *rule = &ledger->entries[entry]->rule;
    rule->matches++;
    if (finding->rule != rule) {
        if (!rule->shadow)
            rule->shadow = finding->rule;
        return;
    }
    rule->hits++;
    rule->occurrences += finding->count;
    for (size_t i = 0; i < finding->witness_count; i++)
        add_run(ledger, &ledger->runs[entry], finding->witnesses[i].run);
}

static void close_rule(struct gg_rule *rule, run_list *runs)
{
    sort_out(runs);
    rule->runs = runs->at;
    rule->run_count = runs->len;
    bool lapsed = rule->state == GG_RULE_EXPIRED || rule->state == GG_RULE_MALFORMED;
    if (!lapsed)
        rule->state = rule->hits ? GG_RULE_USED : rule->matches ? GG_RULE_SHADOWED : GG_RULE_UNUSED;
    if (rule->state != GG_RULE_SHADOWED)
        rule->shadow = NULL;
}

void gg_ledger_close(struct gg_ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; i++)
        close_rule(&ledger->entries[i]->rule, &ledger->runs[i]);
}
