#include "match/engine.h"
#include "match/marks.h"
#include "match/plan.h"
#include "match/sequence.h"

#include <stdlib.h>
#include <string.h>

struct gg_engine {
    struct gg_arena *arena;
    struct gg_entry *const *entries;
    size_t entry_count;
    struct gg_names names;
    struct gg_plans plans;
    struct gg_marks marks;
    struct gg_trace trace;
    uint32_t stamp;           /* of the finding at hand */
    uint32_t *demand_stamps;  /* by demand: asked about for this finding, */
    bool *demand_covers;      /* and the answer */
    uint32_t *pattern_stamps; /* by pattern: its entries were looked at */
    uint64_t *state, *mask;
    uint32_t *found;
    size_t found_count;
    uint32_t *approximate; /* by entry: the stamp of the finding that it fits only so */
};

static void close_engine(void *object)
{
    struct gg_engine *engine = object;
    gg_trace_free(&engine->trace);
    gg_marks_free(&engine->marks);
    gg_plans_free(&engine->plans);
}

struct gg_engine *gg_engine_new(struct gg_arena *arena, struct gg_entry *const *entries,
                                size_t entry_count, const struct gg_report *report)
{
    struct gg_engine *engine = gg_arena_alloc(arena, sizeof *engine);
    *engine = (struct gg_engine){.arena = arena, .entries = entries, .entry_count = entry_count};
    gg_arena_defer(arena, close_engine, engine);
    bool wanted[GG_PLACES] = {false};
    gg_plans_places(entries, entry_count, wanted);
    gg_names_collect(&engine->names, arena, report, wanted);
    struct gg_plans *plans = &engine->plans;
    gg_plans_init(plans, arena, entries, entry_count, &engine->names, report->finding_count);
    gg_names_forget(&engine->names, plans->live);
    gg_marks_init(&engine->marks, arena, &engine->names);
    size_t words = GG_MARKS_FRAMES_MAX / 64 + 2;
    engine->state = gg_arena_alloc(arena, words * sizeof *engine->state);
    engine->mask = gg_arena_alloc(arena, words * sizeof *engine->mask);
    engine->demand_stamps =
        gg_arena_alloc(arena, plans->demands.len * sizeof *engine->demand_stamps);
    engine->demand_covers =
        gg_arena_alloc(arena, plans->demands.len * sizeof *engine->demand_covers);
    engine->pattern_stamps =
        gg_arena_alloc(arena, plans->index.patterns.len * sizeof *engine->pattern_stamps);
    engine->found = gg_arena_alloc(arena, entry_count * sizeof *engine->found);
    engine->approximate = gg_arena_alloc(arena, entry_count * sizeof *engine->approximate);
    return engine;
}

/* ---- one entry's steps on the marks ---- */

static void only_line(const struct gg_marks *marks, uint32_t line, uint64_t *mask)
{
    for (size_t i = 0; i < marks->count; i++) {
        if (marks->lines[i] != line)
            mask[i / 64] &= ~((uint64_t)1 << i % 64);
    }
}

static void add_name(const struct gg_marks *marks, uint32_t name, uint64_t *mask)
{
    const uint64_t *bits = gg_marks_of(marks, name);
    for (size_t w = 0; bits && w < marks->words; w++)
        mask[w] |= bits[w];
}

/* The frames that have one of many names: of those in the stack, or of those the pattern fits,
 * whichever are fewer. */
static void add_names(const struct gg_marks *marks, const struct gg_fits *fits, uint64_t *mask)
{
    if (!fits->set || fits->count <= marks->slots) {
        for (size_t i = 0; i < fits->count; i++)
            add_name(marks, fits->names[i], mask);
        return;
    }
    for (size_t slot = 0; slot < marks->slots; slot++) {
        uint32_t name = marks->present[slot];
        if (fits->set[name / 64] >> name % 64 & 1)
            add_name(marks, name, mask);
    }
}

/* The frames that pass the test. */
static void test_mask(const struct gg_engine *engine, const struct gg_plan_test *test,
                      uint64_t *mask)
{
    const struct gg_marks *marks = &engine->marks;
    memset(mask, test->any ? 0xff : 0, marks->words * sizeof *mask);
    if (test->name)
        add_name(marks, test->name, mask);
    else if (!test->any)
        add_names(marks, &engine->plans.index.fits[test->pattern], mask);
    if (test->line)
        only_line(marks, test->line, mask);
}

/* Any number of frames may lie before: from the lowest place on, every one is possible. */
static void fill_up(uint64_t *state, size_t words)
{
    bool filled = false;
    for (size_t w = 0; w < words; w++) {
        state[w] = filled ? UINT64_MAX : state[w] | -(state[w] & -state[w]);
        filled = filled || state[w];
    }
}

/* Takes away the frames from `limit` on. */
static void cut_off(uint64_t *mask, size_t words, size_t limit)
{
    for (size_t w = limit / 64; w < words; w++)
        mask[w] &= w == limit / 64 ? ((uint64_t)1 << limit % 64) - 1 : 0;
}

/* From the places where the step's frame may be to those where the next one may. false: nowhere. */
static bool advance(uint64_t *restrict state, const uint64_t *restrict mask, size_t words)
{
    uint64_t carry = 0, any = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t met = state[w] & mask[w];
        state[w] = met << 1 | carry;
        carry = met >> 63;
        any |= state[w];
    }
    return any != 0;
}

/* Goes on to the next step; *test becomes its first. false when this one is met nowhere. */
static bool take_step(struct gg_engine *engine, const struct gg_plan_test **test, size_t frames)
{
    size_t words = engine->marks.words;
    uint64_t *state = engine->state, *mask = engine->mask;
    size_t within = (*test)->within;
    if ((*test)->skips)
        fill_up(state, words);
    test_mask(engine, *test, mask);
    for (; (*test)->joins; ++*test) {
        for (size_t w = 0; w < words; w++)
            state[w] &= mask[w];
        test_mask(engine, *test + 1, mask);
    }
    ++*test;
    cut_off(mask, words, within && within < frames ? within : frames);
    return advance(state, mask, words);
}

static bool meets(struct gg_engine *engine, uint32_t entry)
{
    const struct gg_plan *plan = &engine->plans.all[entry];
    const struct gg_marks *marks = &engine->marks;
    size_t count = plan->count;
    if (!plan->json && (plan->cut || marks->callers < plan->lines))
        count = gg_entry_steps(engine->entries[entry], marks->callers);
    if (count == SIZE_MAX)
        return false;
    memset(engine->state, 0, marks->words * sizeof *engine->state);
    engine->state[0] = 1;
    const struct gg_plan_test *test = &engine->plans.tests.at[plan->first];
    for (; count > 0; count--) {
        if (!take_step(engine, &test, plan->json ? marks->shown : marks->count))
            return false;
    }
    return true;
}

/* ---- a finding ---- */

static bool covers(struct gg_engine *engine, uint32_t demand, const struct gg_supp_subject *subject)
{
    if (engine->demand_stamps[demand] != engine->stamp) {
        uint32_t entry = engine->plans.demands.at[demand];
        engine->demand_stamps[demand] = engine->stamp;
        engine->demand_covers[demand] = gg_entry_covers(engine->entries[entry], subject);
    }
    return engine->demand_covers[demand];
}

static void look_at(struct gg_engine *engine, struct gg_plan_ref ref,
                    const struct gg_supp_subject *subject)
{
    if (covers(engine, ref.demand, subject) && meets(engine, ref.entry))
        engine->found[engine->found_count++] = ref.entry;
}

static void look_at_filed(struct gg_engine *engine, const struct gg_supp_subject *subject)
{
    const struct gg_plans *plans = &engine->plans;
    for (size_t slot = 0; slot < engine->marks.slots; slot++) {
        uint32_t name = engine->marks.present[slot];
        for (uint32_t k = plans->name_starts[name]; k < plans->name_starts[name + 1]; k++) {
            uint32_t pattern = plans->name_keys[k];
            if (engine->pattern_stamps[pattern] == engine->stamp)
                continue;
            engine->pattern_stamps[pattern] = engine->stamp;
            uint32_t end = plans->key_starts[pattern + 1];
            for (uint32_t e = plans->key_starts[pattern]; e < end; e++)
                look_at(engine, plans->keyed[e], subject);
        }
    }
}

/* By trying every entry: for a stack that cannot be marked. */
static void look_at_all(struct gg_engine *engine, const struct gg_supp_subject *subject)
{
    for (uint32_t e = 0; e < engine->entry_count; e++) {
        if (gg_entry_covers(engine->entries[e], subject) &&
            gg_sequence_match(engine->entries[e], &engine->trace, NULL) != GG_FIT_NONE)
            engine->found[engine->found_count++] = e;
    }
}

static void note_approximate(struct gg_engine *engine)
{
    for (size_t i = 0; i < engine->found_count; i++) {
        uint32_t entry = engine->found[i];
        enum gg_fit fit = gg_sequence_match(engine->entries[entry], &engine->trace, NULL);
        engine->approximate[entry] = fit == GG_FIT_APPROXIMATE ? engine->stamp : 0;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

const uint32_t *gg_engine_match(struct gg_engine *engine, const struct gg_finding *finding,
                                size_t *count)
{
    struct gg_supp_subject subject = gg_supp_subject(finding);
    bool marked = gg_marks_set(&engine->marks, finding);
    engine->stamp++;
    engine->found_count = 0;
    if (!marked || engine->marks.readable)
        gg_trace_set(&engine->trace, finding, &engine->names.setting);
    if (marked) {
        for (size_t i = 0; i < engine->plans.always.len; i++)
            look_at(engine, engine->plans.always.at[i], &subject);
        look_at_filed(engine, &subject);
    } else {
        look_at_all(engine, &subject);
    }
    if (engine->found_count > 1)
        qsort(engine->found, engine->found_count, sizeof *engine->found, by_number);
    if (!marked || engine->marks.readable)
        note_approximate(engine);
    *count = engine->found_count;
    return engine->found;
}

bool gg_engine_approximate(const struct gg_engine *engine, uint32_t entry)
{
    return engine->approximate[entry] == engine->stamp && engine->stamp > 0;
}
