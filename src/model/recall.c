#include "model/recall.h"
#include "model/entry.h"
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

/* A run has a finding once; where a report says it twice both count. */
static void add(struct gg_witness *to, const struct gg_witness *from)
{
    to->final = to->count == 0 ? from->final : to->final || from->final;
    to->copy = to->count == 0 ? from->copy : to->copy && from->copy;
    to->count += from->count;
    to->bytes += from->bytes;
    to->direct += from->direct;
    to->blocks += from->blocks;
}

void gg_recall_error(struct gg_collate *collate, const struct gg_raw_error *error,
                     const struct gg_witness *witnesses, size_t count)
{
    struct gg_entry *entry = gg_collate_entry(collate, error);
    for (size_t i = 0; i < count; i++)
        add(gg_collate_witness(collate, entry, witnesses[i].run), &witnesses[i]);
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
