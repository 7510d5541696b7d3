#include "write/story.h"
#include "base/arena.h"
#include "base/esc.h"
#include "write/view.h"

#include <inttypes.h>
#include <string.h>

/* Every line begins with words or numbers of our own, so that text of others never stands where a
 * CI runner looks for commands. */
struct page {
    struct gg_out *out;
    const struct gg_story *story;
    struct gg_arena arena;
};

static void put(const struct page *page, const char *text)
{
    gg_esc_terminal(page->out, gg_str(text));
}

static void head(const struct page *page, const char *text)
{
    gg_out_printf(page->out, "\n%s\n", text);
}

/* "  LABEL       TEXT" */
static void row(const struct page *page, const char *label, const char *text)
{
    if (!text)
        return;
    gg_out_printf(page->out, "  %-12s ", label);
    put(page, text);
    gg_out_char(page->out, '\n');
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* --- what and where it was read --------------------------------------------------------- */

static void put_what(struct page *page)
{
    const struct gg_finding *finding = page->story->finding;
    gg_out_printf(page->out, "%s: ", finding->id);
    put(page, gg_view_title(&page->arena, finding));
    gg_out_char(page->out, '\n');
    row(page, "report says", gg_view_detail(finding));
    row(page, "kind", finding->kind_name);
    row(page, "meaning", gg_kind_table[finding->kind].advice);
    row(page, "thread", finding->thread);
    row(page, "fingerprint",
        gg_arena_printf(&page->arena, "grindgate/v1 %s", finding->fingerprint));
}

static void put_process(const struct page *page, const struct gg_run *run)
{
    put(page, run->source);
    if (run->document)
        gg_out_printf(page->out, ", document %" PRIu32, run->document + 1);
    if (run->told_by) {
        gg_out_text(page->out, " (told by ");
        put(page, run->told_by);
        gg_out_char(page->out, ')');
    }
    if (run->pid >= 0)
        gg_out_printf(page->out, ", process %" PRId64, run->pid);
    if (run->test) {
        gg_out_text(page->out, ", test ");
        put(page, run->test);
    }
}

static void put_witness(const struct page *page, const struct gg_witness *witness)
{
    const struct gg_run *run = &page->story->report->runs[witness->run];
    gg_out_text(page->out, "  in ");
    put_process(page, run);
    gg_out_printf(page->out, ": %" PRIu64 " time%s", witness->count, plural(witness->count));
    if (page->story->finding->is_leak)
        gg_out_printf(page->out, ", %" PRIu64 " byte%s in %" PRIu64 " block%s%s", witness->bytes,
                      plural(witness->bytes), witness->blocks, plural(witness->blocks),
                      witness->final ? "" : ", while it ran");
    if (witness->copy)
        gg_out_text(page->out, "; a forked child's copy of its parent's, which does not count");
    if (!gg_run_is_complete(run)) {
        gg_out_text(page->out, "; the run is not whole: ");
        put(page, run->detail ? run->detail : gg_end_name(run->end));
    }
    gg_out_char(page->out, '\n');
}

static void put_sightings(struct page *page)
{
    const struct gg_finding *finding = page->story->finding;
    head(page, "Read");
    for (size_t i = 0; i < finding->witness_count; i++)
        put_witness(page, &finding->witnesses[i]);
    gg_out_printf(page->out, "  in all %" PRIu64 " time%s\n", finding->count,
                  plural(finding->count));
    row(page, "doubt", gg_view_doubt(&page->arena, page->story->report, finding));
}

/* --- stacks ----------------------------------------------------------------------------- */

static void put_frame(struct page *page, size_t at, const struct gg_frame *frame, bool site)
{
    gg_out_printf(page->out, "  %c %3zu  %-11s  ", site ? '>' : ' ', at + 1,
                  gg_zone_name(frame->zone));
    put(page, gg_view_function(&page->arena, frame));
    gg_out_text(page->out, "  ");
    put(page, gg_view_place(&page->arena, frame));
    if (frame->symbol && frame->function && strcmp(frame->symbol, frame->function) != 0) {
        gg_out_text(page->out, "  symbol ");
        put(page, frame->symbol);
    }
    if (frame->path && frame->line && !frame->line_in_file)
        gg_out_text(page->out, "  (the file has no such line now)");
    gg_out_char(page->out, '\n');
}

static void put_stacks(struct page *page)
{
    const struct gg_finding *finding = page->story->finding;
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct gg_stack *stack = &finding->stacks[i];
        gg_out_printf(page->out, "\nStack %zu (%s): ", i + 1, gg_role_name(stack->role));
        put(page, gg_view_stack_title(finding, stack));
        gg_out_char(page->out, '\n');
        for (size_t at = 0; at < stack->len; at++) {
            bool site = finding->has_site && finding->site.stack == i && finding->site.frame == at;
            put_frame(page, at, stack->frames[at], site);
        }
    }
    for (size_t i = 0; i < finding->note_count; i++)
        row(page, "also said", finding->notes[i]);
}

/* --- whose it is ------------------------------------------------------------------------ */

static bool passes_over(const struct gg_finding *finding)
{
    const struct gg_stack *stack = &finding->stacks[finding->site.stack];
    for (size_t i = 0; i < finding->site.frame; i++) {
        if (stack->frames[i]->path && stack->frames[i]->line)
            return true;
    }
    return false;
}

static const char *why_site(const struct gg_finding *finding)
{
    const char *via = gg_view_via(finding);
    if (via)
        return via;
    return passes_over(finding)
               ? "the innermost line of this repository that does not only pass allocations on "
                 "(--wrapper)"
               : "the innermost line of the error's own stack that is this repository's";
}

static void put_site(struct page *page)
{
    const struct gg_finding *finding = page->story->finding;
    const struct gg_site *site = &finding->site;
    head(page, "Laid to");
    if (!finding->has_site) {
        row(page, "nobody", "no line of this repository is in its stacks");
        return;
    }
    row(page, "line",
        gg_arena_printf(&page->arena, "%s:%" PRIu32 "%s%s", site->path, site->line,
                        site->function ? " in " : "", site->function ? site->function : ""));
    row(page, "because",
        gg_arena_printf(&page->arena, "stack %zu, frame %zu: %s", site->stack + 1, site->frame + 1,
                        why_site(finding)));
    const char *blame = gg_view_blame(&page->arena, &finding->blame);
    row(page, "blame", blame ? blame : "git was not asked");
    if (finding->blame.state == GG_BLAME_COMMIT) {
        row(page, "commit", finding->blame.commit);
        row(page, "written as",
            gg_arena_printf(&page->arena, "%s:%" PRIu32, finding->blame.orig_path,
                            finding->blame.orig_line));
    }
}

/* --- rules ------------------------------------------------------------------------------ */

static const char *rule_name(struct page *page, const struct gg_rule *rule)
{
    return gg_arena_printf(&page->arena, "\"%s\" (%s:%" PRIu32 ")", rule->id, rule->file,
                           rule->line);
}

static void put_rule(struct page *page, const char *label, const struct gg_rule *rule)
{
    row(page, label, rule_name(page, rule));
    row(page, "action", gg_action_name(rule->action));
    row(page, "reason", rule->reason);
    row(page, "owner", rule->owner);
    row(page, "ticket", rule->ticket);
    row(page, "last day", rule->expires);
    row(page, "fault", rule->fault);
}

static void put_closest(struct page *page)
{
    const struct gg_story *story = page->story;
    if (story->near)
        row(page, "closest",
            gg_arena_printf(&page->arena, "%s: %s", rule_name(page, story->near), story->near_why));
    else if (!story->finding->rule && !story->finding->lapsed && story->report->rule_count)
        row(page, "closest", "none: no rule for errors of its kind shares a frame with it");
}

static void put_rules(struct page *page)
{
    const struct gg_story *story = page->story;
    const struct gg_finding *finding = story->finding;
    head(page, "Rules");
    row(page, "asked",
        gg_arena_printf(&page->arena, "%zu rule%s", story->report->rule_count,
                        plural(story->report->rule_count)));
    if (finding->told && story->report->rule_count == 0)
        row(page, "but",
            "no rules were given: to judge it as before, give the options of that run, or its "
            "grindgate.json (--config)");
    if (finding->rule)
        put_rule(page, "decided by", finding->rule);
    else
        row(page, "decided by", "none");
    if (finding->approximate)
        row(page, "but",
            "its frames fit only by demangled names: valgrind itself might not suppress it");
    if (finding->lapsed)
        put_rule(page, "lapsed", finding->lapsed);
    put_closest(page);
    if (finding->hidden_by_change)
        row(page, "change", "the rules of the base commit would not have set it aside");
}

/* --- what comes of it ------------------------------------------------------------------- */

static const char *what_counts(struct page *page)
{
    const struct gg_story *story = page->story;
    const struct gg_finding *finding = story->finding;
    if (finding->fate != GG_OPEN)
        return "no: only open findings count";
    if (story->fails)
        return gg_arena_printf(&page->arena, "yes: it is open, and an %s fails the gate",
                               gg_severity_name(finding->severity));
    return gg_arena_printf(&page->arena,
                           "no: it is open, but the gate fails from %s on (--fail-on)", story->bar);
}

/* What reports of our own said, which may have been made with other rules and options. */
static void put_told(struct page *page)
{
    for (const struct gg_told *told = page->story->finding->told; told; told = told->next) {
        bool twice = !told->why || gg_str_starts(gg_str(told->why), told->fate);
        row(page, "before",
            gg_arena_printf(&page->arena, "%s said %s%s%s", told->by, twice ? "" : told->fate,
                            twice ? "" : ": ", told->why ? told->why : told->fate));
    }
}

static void put_fate(struct page *page)
{
    const struct gg_story *story = page->story;
    head(page, "Judged");
    row(page, "severity", gg_severity_name(story->finding->severity));
    /* "suppressed by ..." says its fate itself. */
    const char *fate = gg_fate_name(story->finding->fate), *why = story->finding->why;
    bool said = gg_str_starts(gg_str(why), fate);
    row(page, "fate", said ? why : gg_arena_printf(&page->arena, "%s: %s", fate, why));
    put_told(page);
    row(page, "counts", what_counts(page));
    row(page, "verdict",
        gg_arena_printf(&page->arena, "%s (exit %d)", gg_outcome_name(story->verdict->outcome),
                        story->verdict->exit_code));
    for (size_t i = 0; i < story->verdict->reason_count; i++)
        row(page, "reason", story->verdict->reasons[i]);
}

void gg_story_put(struct gg_out *out, const struct gg_story *story)
{
    struct page page = {.out = out, .story = story};
    gg_arena_init(&page.arena);
    put_what(&page);
    put_sightings(&page);
    put_stacks(&page);
    put_site(&page);
    put_rules(&page);
    put_fate(&page);
    gg_arena_free(&page.arena);
}
