#include "write/summary.h"
#include "write/tests.h"
#include "write/view.h"

#include <inttypes.h>

enum { REASONS_MOST = 3 };

static void add(struct gg_out *out, const char *text)
{
    struct gg_str reason = gg_str(text);
    while (gg_str_ends(reason, "."))
        reason.len--;
    gg_out_str(out, reason);
    gg_out_text(out, "; ");
}

void gg_summary_put(struct gg_out *out, const struct gg_report *report,
                    const struct gg_verdict *verdict)
{
    for (size_t i = 0; i < verdict->reason_count && i < REASONS_MOST; i++)
        add(out, verdict->reasons[i]);
    if (verdict->reason_count > REASONS_MOST)
        gg_out_printf(out, "and %zu more; ", verdict->reason_count - REASONS_MOST);
    if (report->finding_count == 0)
        gg_out_text(out, "no findings; ");
    else if (verdict->failing == 0 && verdict->counts[GG_OPEN] == 0)
        gg_out_text(out, "no open findings; ");
    else if (verdict->counts[GG_OPEN] > verdict->failing)
        gg_out_printf(out, "%" PRIu64 " open below the bar; ",
                      verdict->counts[GG_OPEN] - verdict->failing);
    for (unsigned fate = GG_OPEN + 1; fate < GG_FATES; fate++) {
        if (verdict->counts[fate])
            gg_out_printf(out, "%" PRIu64 " %s; ", verdict->counts[fate],
                          gg_fate_name((enum gg_fate)fate));
    }
    for (size_t i = 0; i < report->note_count; i++) {
        if (gg_view_is_proof(&report->notes[i]))
            gg_out_text(out, "proved to see errors; ");
    }
    gg_tests_tally(out, report);
    size_t complete = 0;
    for (size_t i = 0; i < report->run_count; i++)
        complete += gg_run_is_complete(&report->runs[i]);
    if (complete < report->run_count)
        gg_out_printf(out, "%zu of %zu runs complete", complete, report->run_count);
    else
        gg_out_printf(out, "%zu run%s complete", complete, complete == 1 ? "" : "s");
}
