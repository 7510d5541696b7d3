#include "cli/whole.h"
#include "base/esc.h"

#include <unistd.h>

static void complain(struct gg_out *out, const char *where, const char *text)
{
    gg_out_text(out, "grindgate: incomplete: ");
    if (where) {
        gg_esc_terminal(out, gg_str(where));
        gg_out_text(out, ": ");
    }
    gg_esc_terminal(out, gg_str(text));
    gg_out_char(out, '\n');
}

void gg_whole_complain(const struct gg_report *report)
{
    struct gg_error ignored = {0};
    struct gg_out *out = gg_out_fd(STDERR_FILENO, "standard error");
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (!gg_run_is_complete(run))
            complain(out, run->source, run->detail ? run->detail : gg_end_name(run->end));
    }
    for (size_t i = 0; i < report->note_count; i++) {
        if (gg_note_is_gap(&report->notes[i]))
            complain(out, report->notes[i].where, report->notes[i].text);
    }
    if (report->run_count == 0)
        complain(out, NULL, "no report was read");
    gg_out_close(out, &ignored);
}
