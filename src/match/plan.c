#include "match/plan.h"

void gg_plans_places(struct gg_entry *const *entries, size_t count, bool wanted[GG_PLACES])
{
    for (size_t e = 0; e < count; e++) {
        for (size_t s = 0; s < entries[e]->step_count; s++) {
            const struct gg_step *step = &entries[e]->steps[s];
            for (size_t p = 0; p < step->count; p++)
                wanted[step->patterns[p].place] = true;
        }
    }
    /* What is below main hangs on the symbol. */
    wanted[GG_PLACE_SYMBOL] = wanted[GG_PLACE_SYMBOL] || wanted[GG_PLACE_OBJECT];
}

/* ---- entries as numbers ---- */

struct demand_key {
    const void *kind, *own;
    uintptr_t leaks;
};

/* The same for the same text. */
static const void *param_of(struct gg_plans *plans, struct gg_str param)
{
    void **known = gg_map_put(&plans->by_param, param.ptr, param.len);
    *known = *known ? *known : (void *)(uintptr_t)plans->by_param.count;
    return *known;
}

/* What does not decide is left out, so that few demands differ. */
static struct demand_key demand_key(struct gg_plans *plans, const struct gg_entry *entry)
{
    const struct gg_supp *supp = entry->supp;
    if (!supp)
        return (struct demand_key){.own = entry->condition.kinds ? entry : NULL};
    if (supp->kind && supp->kind->extra == GG_EXTRA_PARAM)
        return (struct demand_key){supp->kind, param_of(plans, supp->param), 0};
    bool own = !supp->kind || supp->kind->extra == GG_EXTRA_FISHY;
    return (struct demand_key){supp->kind, own ? entry : NULL, supp->leaks};
}

static uint32_t demand_of(struct gg_plans *plans, uint32_t entry)
{
    struct demand_key key = demand_key(plans, plans->entries[entry]), *kept;
    void **known = gg_map_find(&plans->by_demand, &key, sizeof key);
    if (known)
        return (uint32_t)(uintptr_t)*known;
    kept = gg_arena_alloc(plans->arena, sizeof *kept);
    *kept = key;
    *gg_map_put(&plans->by_demand, kept, sizeof *kept) = (void *)(uintptr_t)plans->demands.len;
    *gg_vec_push(plans->arena, &plans->demands) = entry;
    return (uint32_t)plans->demands.len - 1;
}

static void add_step(struct gg_plans *plans, const struct gg_step *step)
{
    struct gg_plan_test test = {.within = step->within, .any = true, .skips = step->skips};
    if (step->count == 0)
        *gg_vec_push(plans->arena, &plans->tests) = test;
    for (size_t p = 0; p < step->count; p++) {
        test.pattern = gg_name_index_add(&plans->index, &step->patterns[p]);
        test.line = step->patterns[p].line;
        test.any = false;
        test.skips = p == 0 && step->skips;
        test.joins = p + 1 < step->count;
        *gg_vec_push(plans->arena, &plans->tests) = test;
    }
}

static void add_entry(struct gg_plans *plans, uint32_t e)
{
    const struct gg_entry *entry = plans->entries[e];
    plans->all[e] = (struct gg_plan){
        .first = (uint32_t)plans->tests.len,
        .count = (uint32_t)entry->step_count,
        .lines = entry->supp ? (uint32_t)entry->supp->frame_count : 0,
        .cut = entry->supp && (entry->supp->cut || entry->step_count == 0),
        .json = !entry->supp,
    };
    for (size_t s = 0; s < entry->step_count; s++)
        add_step(plans, &entry->steps[s]);
}

static void name_tests(struct gg_plans *plans)
{
    for (size_t t = 0; t < plans->tests.len; t++) {
        struct gg_plan_test *test = &plans->tests.at[t];
        const struct gg_fits *fits = test->any ? NULL : &plans->index.fits[test->pattern];
        test->name = fits && fits->count == 1 ? fits->names[0] : 0;
    }
}

/* ---- where entries are filed ---- */

enum { ALWAYS = -1, NEVER = -2 };

/* Where the tests of an entry's first so many steps end. */
static size_t tests_end(const struct gg_plans *plans, uint32_t e, size_t steps)
{
    size_t end = plans->all[e].first;
    for (; steps > 0; end++)
        steps -= !plans->tests.at[end].joins;
    return end;
}

/* The pattern to file the entry under; ALWAYS, NEVER. Only steps that count for all stacks. */
static int64_t key_of(const struct gg_plans *plans, uint32_t e, unsigned callers, uint64_t often)
{
    const struct gg_supp *supp = plans->entries[e]->supp;
    if (supp && !supp->kind)
        return NEVER;
    size_t steps = gg_entry_steps(plans->entries[e], callers);
    size_t end = tests_end(plans, e, steps == SIZE_MAX ? 0 : steps);
    int64_t key = ALWAYS;
    uint64_t fewest = often;
    for (size_t t = plans->all[e].first; t < end; t++) {
        const struct gg_plan_test *test = &plans->tests.at[t];
        uint64_t uses = test->any ? UINT64_MAX : plans->index.fits[test->pattern].uses;
        if (uses == 0)
            return NEVER;
        if (uses < fewest) {
            fewest = uses;
            key = test->pattern;
        }
    }
    return key;
}

static void make_live(struct gg_plans *plans, uint32_t e, bool *seen)
{
    size_t end = tests_end(plans, e, plans->all[e].count);
    for (size_t t = plans->all[e].first; t < end; t++) {
        const struct gg_plan_test *test = &plans->tests.at[t];
        if (test->any || seen[test->pattern])
            continue;
        const struct gg_fits *fits = &plans->index.fits[test->pattern];
        for (size_t i = 0; i < fits->count; i++)
            plans->live[fits->names[i]] = true;
        seen[test->pattern] = true;
    }
}

/* From how many there are of each to where those of each begin. */
static uint32_t sum_up(uint32_t *starts, size_t count)
{
    uint32_t total = 0;
    for (size_t i = 0; i <= count; i++) {
        total += starts[i];
        starts[i] = total;
    }
    return total;
}

static void file_entries(struct gg_plans *plans, const int64_t *keys, const uint32_t *demands,
                         size_t patterns)
{
    plans->key_starts = gg_arena_alloc(plans->arena, (patterns + 1) * sizeof *plans->key_starts);
    for (size_t e = 0; e < plans->count; e++) {
        if (keys[e] >= 0)
            plans->key_starts[keys[e]]++;
    }
    uint32_t total = sum_up(plans->key_starts, patterns);
    plans->keyed = gg_arena_alloc(plans->arena, total * sizeof *plans->keyed);
    for (size_t e = plans->count; e-- > 0;) {
        struct gg_plan_ref ref = {(uint32_t)e, demands[e]};
        if (keys[e] >= 0)
            plans->keyed[--plans->key_starts[keys[e]]] = ref;
        else if (keys[e] == ALWAYS)
            *gg_vec_push(plans->arena, &plans->always) = ref;
    }
}

static bool is_key(const struct gg_plans *plans, size_t pattern)
{
    return plans->key_starts[pattern] < plans->key_starts[pattern + 1];
}

static void file_patterns(struct gg_plans *plans, size_t patterns, size_t names)
{
    plans->name_starts = gg_arena_alloc(plans->arena, (names + 1) * sizeof *plans->name_starts);
    for (size_t p = 0; p < patterns; p++) {
        const struct gg_fits *fits = &plans->index.fits[p];
        for (size_t i = 0; is_key(plans, p) && i < fits->count; i++)
            plans->name_starts[fits->names[i]]++;
    }
    uint32_t total = sum_up(plans->name_starts, names);
    plans->name_keys = gg_arena_alloc(plans->arena, total * sizeof *plans->name_keys);
    for (size_t p = patterns; p-- > 0;) {
        const struct gg_fits *fits = &plans->index.fits[p];
        for (size_t i = 0; is_key(plans, p) && i < fits->count; i++)
            plans->name_keys[--plans->name_starts[fits->names[i]]] = (uint32_t)p;
    }
}

void gg_plans_init(struct gg_plans *plans, struct gg_arena *arena, struct gg_entry *const *entries,
                   size_t count, const struct gg_names *names, size_t findings)
{
    *plans = (struct gg_plans){.arena = arena, .entries = entries, .count = count};
    plans->all = gg_arena_alloc(arena, count * sizeof *plans->all);
    gg_name_index_init(&plans->index, arena);
    struct gg_arena scratch;
    gg_arena_init(&scratch);
    uint32_t *demands = gg_arena_alloc(&scratch, count * sizeof *demands);
    for (uint32_t e = 0; e < count; e++) {
        add_entry(plans, e);
        demands[e] = demand_of(plans, e);
    }
    gg_name_index_solve(&plans->index, names);
    name_tests(plans);

    size_t patterns = plans->index.patterns.len;
    int64_t *keys = gg_arena_alloc(&scratch, count * sizeof *keys);
    bool *seen = gg_arena_alloc(&scratch, patterns * sizeof *seen);
    plans->live = gg_arena_alloc(arena, names->all.len * sizeof *plans->live);
    for (uint32_t e = 0; e < count; e++) {
        keys[e] = key_of(plans, e, names->callers, findings);
        if (keys[e] != NEVER)
            make_live(plans, e, seen);
    }
    file_entries(plans, keys, demands, patterns);
    file_patterns(plans, patterns, names->all.len);
    gg_arena_free(&scratch);
}

void gg_plans_free(struct gg_plans *plans)
{
    gg_map_free(&plans->by_demand);
    gg_map_free(&plans->by_param);
    gg_name_index_free(&plans->index);
}
