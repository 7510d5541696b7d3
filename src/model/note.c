#include "model/note.h"
#include "model/order.h"

#include <string.h>

int gg_order_note(const struct gg_note *a, const struct gg_note *b)
{
    int order = (b->incomplete > a->incomplete) - (b->incomplete < a->incomplete);
    if (!order)
        order = gg_order_text(a->where, b->where);
    if (!order)
        order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->text, b->text);
}

void gg_report_note(struct gg_arena *arena, struct gg_report *report, const struct gg_note *note)
{
    size_t at = 0;
    while (at < report->note_count && gg_order_note(&report->notes[at], note) < 0)
        at++;
    if (at < report->note_count && gg_order_note(&report->notes[at], note) == 0) {
        if (report->notes[at].recalled)
            report->notes[at].recalled--;
        else
            report->notes[at].count++;
        return;
    }
    struct gg_note *notes = gg_arena_alloc(arena, (report->note_count + 1) * sizeof *notes);
    if (at)
        memcpy(notes, report->notes, at * sizeof *notes);
    notes[at] = *note;
    notes[at].count = 1;
    if (at < report->note_count)
        memcpy(notes + at + 1, report->notes + at, (report->note_count - at) * sizeof *notes);
    report->notes = notes;
    report->note_count++;
}
