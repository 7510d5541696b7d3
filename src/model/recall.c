#include "model/recall.h"
#include "model/entry.h"
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

/* Too much stays too much. */
static void grow(uint64_t *sum, uint64_t by)
{
    *sum = *sum > UINT64_MAX - by ? UINT64_MAX : *sum + by;
}

/* A run has a finding once; where a report says it twice both count. */
static void add(struct gg_witness *to, const struct gg_witness *from)
{
    to->final = to->count == 0 ? from->final : to->final || from->final;
    to->copy = to->count == 0 ? from->copy : to->copy && from->copy;
    grow(&to->count, from->count);
    grow(&to->bytes, from->bytes);
    grow(&to->direct, from->direct);
    grow(&to->blocks, from->blocks);
}

static int order_told(const struct gg_told *a, const struct gg_told *b)
{
    int order = strcmp(a->by, b->by);
    if (!order)
        order = strcmp(a->fate, b->fate);
    return order ? order : gg_order_text(a->why, b->why);
}

/* In an order that is not the one of reading, each once. */
static void tell(struct gg_collate *collate, struct gg_told **at, const struct gg_told *said)
{
    while (*at && order_told(*at, said) < 0)
        at = &(*at)->next;
    if (*at && order_told(*at, said) == 0)
        return;
    struct gg_told *told = gg_arena_alloc(collate->arena, sizeof *told);
    *told = (struct gg_told){.by = gg_atom(collate->atoms, said->by),
                             .fate = gg_atom(collate->atoms, said->fate),
                             .why = said->why ? gg_atom(collate->atoms, said->why) : NULL,
                             .next = *at};
    *at = told;
}

void gg_recall_error(struct gg_collate *collate, const struct gg_raw_error *error,
                     const struct gg_witness *witnesses, size_t count, const struct gg_told *told)
{
    struct gg_entry *entry = gg_collate_entry(collate, error);
    for (size_t i = 0; i < count; i++)
        add(gg_collate_witness(collate, entry, witnesses[i].run), &witnesses[i]);
    if (told)
        tell(collate, &entry->told, told);
}

void gg_recall_note(struct gg_collate *collate, const struct gg_note *from)
{
    struct gg_note *note = gg_collate_note_of(collate, from->kind, from->where, from->text);
    note->count += from->count;
    note->recalled += from->count;
    note->incomplete = note->incomplete || from->incomplete;
}

void gg_recall_test(struct gg_collate *collate, const struct gg_test *test)
{
    *gg_vec_push(collate->arena, &collate->tests) =
        (struct gg_test){.name = gg_atom(collate->atoms, test->name),
                         .state = test->state,
                         .detail = test->detail ? gg_atom(collate->atoms, test->detail) : NULL};
}

void gg_recall_failure(struct gg_collate *collate, const char *sentence)
{
    const char *atom = gg_atom(collate->atoms, sentence);
    for (size_t i = 0; i < collate->failures.len; i++) {
        if (collate->failures.at[i] == atom)
            return;
    }
    *gg_vec_push(collate->arena, &collate->failures) = atom;
}

static int by_test(const void *a, const void *b)
{
    return gg_order_test(a, b);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void gg_recall_finish(struct gg_collate *collate, struct gg_report *report)
{
    if (collate->tests.len) {
        qsort(collate->tests.at, collate->tests.len, sizeof *collate->tests.at, by_test);
        report->tests = collate->tests.at;
        report->test_count = collate->tests.len;
    }
    if (collate->failures.len)
        qsort(collate->failures.at, collate->failures.len, sizeof *collate->failures.at, by_text);
    report->failures = collate->failures.at;
    report->failure_count = collate->failures.len;
}
