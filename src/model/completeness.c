/* When is what was read all that there was to read? */
#include "grindgate/model.h"

#include <string.h>

bool gg_run_is_complete(const struct gg_run *run)
{
    return run->end == GG_END_FINISHED || run->end == GG_END_REPLACED;
}

bool gg_note_is_gap(const struct gg_note *note)
{
    return note->incomplete && strcmp(note->kind, "rule-malformed") != 0;
}

bool gg_report_is_whole(const struct gg_report *report)
{
    bool whole = report->run_count > 0;
    for (size_t i = 0; i < report->run_count; i++)
        whole = whole && gg_run_is_complete(&report->runs[i]);
    for (size_t i = 0; i < report->note_count; i++)
        whole = whole && !gg_note_is_gap(&report->notes[i]);
    return whole;
}
