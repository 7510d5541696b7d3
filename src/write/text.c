/* Text: the report for a person, on a terminal or in a log. What failed comes first, what decided
 * comes last, where the eye is when the program ends. */
#include "write/writers.h"
#include "write/rule_text.h"
#include "write/snippet.h"
#include "write/summary.h"
#include "write/view.h"

#include "base/esc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_MOST = 32, TAB = 4, NARROWEST = 40, NOTES_MOST = 20 };

/* What is worth telling beside the findings, the weightiest first. */
enum remark { INCOMPLETE, WARNING, NOTE };

static const char *const labels[] = {
    [INCOMPLETE] = "incomplete", [WARNING] = "warning", [NOTE] = "note"};

enum ink { PLAIN, BOLD, DIM, RED, YELLOW, CYAN, GREEN, INKS };

static const char *const inks[INKS] = {
    [PLAIN] = "\x1b[0m",     [BOLD] = "\x1b[1m",    [DIM] = "\x1b[2m",     [RED] = "\x1b[1;31m",
    [YELLOW] = "\x1b[1;33m", [CYAN] = "\x1b[1;36m", [GREEN] = "\x1b[1;32m"};

struct page {
    struct gg_out *out;
    const struct gg_report *report;
    const struct gg_write_options *options;
    size_t width; /* 0: lines are as long as their text */
    bool fresh;   /* the line has nothing but blanks yet */
    struct gg_snippets snippets;
    struct gg_arena arena; /* of one finding */
};

/* --- lines ------------------------------------------------------------------------------ */

static void ink(const struct page *page, enum ink colour)
{
    if (page->options->color)
        gg_out_text(page->out, inks[colour]);
}

/* Our own text, not blank. */
static void say(struct page *page, const char *text)
{
    gg_out_text(page->out, text);
    page->fresh = false;
}

static void end_line(struct page *page)
{
    gg_out_char(page->out, '\n');
    page->fresh = true;
}

/* Text of others. A CI runner takes "::error::..." for a command where it begins a line, blanks
 * (the Unicode ones too) not counted, so there a backslash goes before it. */
static void put(struct page *page, struct gg_str text)
{
    size_t skip = 0;
    while (page->fresh && skip < text.len && (text.ptr[skip] == ' ' || (text.ptr[skip] & 0x80)))
        skip++;
    if (page->fresh && skip < text.len) {
        page->fresh = false;
        if (gg_str_starts(gg_str_n(text.ptr + skip, text.len - skip), "::"))
            gg_out_char(page->out, '\\');
    }
    gg_esc_terminal(page->out, text);
}

/* Writes words from column `at`, folding them to lines that begin at column `hang`. */
static void words(struct page *page, size_t at, size_t hang, const char *text)
{
    struct gg_str word, rest = gg_str(text);
    bool more = true, first = true;
    while (more) {
        more = gg_str_cut(rest, ' ', &word, &rest);
        size_t len = gg_esc_width(word);
        if (!first && page->width && at + 1 + len > page->width) {
            end_line(page);
            gg_out_repeat(page->out, ' ', hang);
            at = hang;
        } else if (!first) {
            gg_out_char(page->out, ' ');
            at++;
        }
        put(page, word);
        at += len;
        first = false;
    }
}

/* A line of prose, indented. */
static void line(struct page *page, size_t indent, const char *text)
{
    gg_out_repeat(page->out, ' ', indent);
    words(page, indent, indent, text);
    end_line(page);
}

/* --- a finding -------------------------------------------------------------------------- */

static void put_headline(struct page *page, const struct gg_finding *finding)
{
    static const enum ink colours[] = {[GG_NOTE] = CYAN, [GG_WARNING] = YELLOW, [GG_ERROR] = RED};
    const char *severity = gg_severity_name(finding->severity);
    ink(page, finding->fate == GG_OPEN ? colours[finding->severity] : DIM);
    say(page, severity);
    say(page, "[");
    put(page, gg_str(finding->id));
    say(page, "]");
    ink(page, PLAIN);
    size_t at = strlen(severity) + strlen(finding->id) + 2;
    if (finding->fate != GG_OPEN) {
        const char *fate = gg_fate_name(finding->fate);
        say(page, " (");
        say(page, fate);
        say(page, ")");
        at += strlen(fate) + 3;
    }
    say(page, ": ");
    ink(page, BOLD);
    words(page, at + 2, 4, gg_view_title(&page->arena, finding));
    ink(page, PLAIN);
    end_line(page);
}

static void put_site(struct page *page, const struct gg_finding *finding)
{
    if (!finding->has_site) {
        line(page, 2, "No line of this repository is in its stacks.");
        return;
    }
    const struct gg_site *site = &finding->site;
    say(page, "  --> ");
    ink(page, BOLD);
    struct gg_str path = gg_str(site->path);
    put(page, path);
    gg_out_printf(page->out, ":%" PRIu32, site->line);
    ink(page, PLAIN);
    if (site->function) {
        say(page, " in ");
        words(page, 6 + gg_esc_width(path) + 4, 6, gg_view_cut(&page->arena, site->function, 300));
    }
    end_line(page);
    const char *via = gg_view_via(finding);
    if (via)
        line(page, 6, gg_arena_printf(&page->arena, "%s.", via));
    const char *blame = gg_view_blame(&page->arena, &finding->blame);
    if (blame)
        line(page, 6, blame);
}

/* Source as it looks with tab stops, cut where the window ends. */
static void put_code(struct page *page, size_t start, struct gg_str code)
{
    char *text = gg_arena_alloc(&page->arena, code.len * TAB + 1);
    size_t at = 0, len = 0, most = page->width ? page->width - start : SIZE_MAX;
    while (code.len && at < most) {
        uint32_t character;
        size_t taken = gg_utf8_decode(code, &character);
        taken = taken ? taken : 1;
        if (code.ptr[0] == '\t') {
            for (size_t blanks = TAB - at % TAB; blanks; blanks--, at++)
                text[len++] = ' ';
        } else {
            memcpy(text + len, code.ptr, taken);
            at += gg_esc_width(gg_str_n(code.ptr, taken));
            len += taken;
        }
        code = gg_str_n(code.ptr + taken, code.len - taken);
    }
    put(page, gg_str_n(text, len));
}

static void put_snippet(struct page *page, const struct gg_finding *finding)
{
    const struct gg_snippet *snippet =
        finding->has_site ? gg_snippets_find(&page->snippets, &finding->site) : NULL;
    if (!snippet)
        return;
    char number[12];
    int digits =
        snprintf(number, sizeof number, "%" PRIu32, snippet->first + snippet->line_count - 1);
    end_line(page);
    for (unsigned i = 0; i < snippet->line_count; i++) {
        bool here = snippet->first + i == snippet->line;
        if (here)
            ink(page, BOLD);
        say(page, here ? "  > " : "    ");
        gg_out_printf(page->out, "%*" PRIu32 " |", digits, snippet->first + i);
        if (snippet->lines[i].len) {
            gg_out_char(page->out, ' ');
            put_code(page, 7 + (size_t)digits, snippet->lines[i]);
        }
        if (here)
            ink(page, PLAIN);
        end_line(page);
    }
    end_line(page);
}

/* The width of the column of places: that of the widest which is not out of proportion. */
static size_t place_width(struct page *page, const struct gg_stack *stack)
{
    size_t widest = 0;
    struct gg_view_row row;
    for (size_t at = 0; at < stack->len;) {
        at = gg_view_row(stack, at, page->options->verbose, &row);
        if (!row.frame)
            continue;
        size_t width = gg_esc_width(gg_str(gg_view_place(&page->arena, row.frame)));
        if (width > widest && width <= PLACE_MOST)
            widest = width;
    }
    return widest;
}

static void put_frame(struct page *page, const struct gg_frame *frame, size_t width)
{
    bool own = frame->zone == GG_ZONE_OWN;
    const char *place = gg_view_place(&page->arena, frame);
    const char *function = gg_view_function(&page->arena, frame);
    size_t len = gg_esc_width(gg_str(place));
    size_t column = 6 + (len > width ? len : width);
    if (!page->options->verbose)
        function = gg_view_cut(&page->arena, function, 300);
    ink(page, own ? BOLD : DIM);
    if (own && !page->options->color)
        say(page, "    > ");
    else
        gg_out_repeat(page->out, ' ', 6);
    put(page, gg_str(place));
    gg_out_repeat(page->out, ' ', column - 6 - len + 2);
    words(page, column + 2, 10, function);
    ink(page, PLAIN);
    end_line(page);
}

static void put_stack(struct page *page, const struct gg_finding *finding,
                      const struct gg_stack *stack)
{
    struct gg_str title = gg_str(gg_view_stack_title(finding, stack));
    while (title.len && (gg_str_ends(title, ":") || gg_str_ends(title, ".")))
        title.len--;
    line(page, 2,
         gg_arena_printf(&page->arena, "%.*s%s", (int)title.len, title.ptr, stack->len ? ":" : ""));
    size_t width = place_width(page, stack);
    struct gg_view_row row;
    for (size_t at = 0; at < stack->len;) {
        at = gg_view_row(stack, at, page->options->verbose, &row);
        if (row.frame) {
            put_frame(page, row.frame, width);
            continue;
        }
        ink(page, DIM);
        say(page, "      ... ");
        words(page, 10, 10, gg_view_folded(&page->arena, stack, &row));
        ink(page, PLAIN);
        end_line(page);
    }
}

/* "suppressed by ..." says its fate itself. */
static void put_fate(struct page *page, const struct gg_finding *finding)
{
    const char *fate = gg_fate_name(finding->fate);
    struct gg_str why = gg_str(finding->why);
    bool said = gg_str_starts(why, fate), ended = false;
    for (const char *end = ".?!"; *end; end++)
        ended = ended || (why.len && why.ptr[why.len - 1] == *end);
    line(page, 2,
         gg_arena_printf(&page->arena, "%s%s%s%s", said ? "" : fate, said ? "" : ": ", why.ptr,
                         ended ? "" : "."));
}

static void put_finding(struct page *page, const struct gg_finding *finding)
{
    gg_arena_init(&page->arena);
    put_headline(page, finding);
    put_site(page, finding);
    if (page->options->verbose || gg_view_ruling(finding))
        put_fate(page, finding);
    put_snippet(page, finding);
    for (size_t i = 0; i < finding->stack_count; i++)
        put_stack(page, finding, &finding->stacks[i]);
    for (size_t i = 0; i < finding->note_count; i++)
        line(page, 2, finding->notes[i]);
    if (finding->thread)
        line(page, 2, gg_arena_printf(&page->arena, "In thread \"%s\".", finding->thread));
    const char *doubt = gg_view_doubt(&page->arena, page->report, finding);
    if (doubt)
        line(page, 2, gg_arena_printf(&page->arena, "%s.", doubt));
    const char *count = gg_view_count(&page->arena, page->report, finding);
    if (count)
        line(page, 2, gg_arena_printf(&page->arena, "%s.", count));
    end_line(page);
    gg_arena_free(&page->arena);
}

/* --- what else there is ----------------------------------------------------------------- */

static void put_fates(struct page *page, const struct gg_verdict *verdict)
{
    static const char *const meanings[GG_FATES] = {[GG_SUPPRESSED] = "set aside by rules",
                                                   [GG_KNOWN] = "in the baseline",
                                                   [GG_OUT_OF_SCOPE] = "older than this change",
                                                   [GG_EXTERNAL] =
                                                       "laid to no line of this repository"};
    if (page->options->verbose || verdict->counts[GG_OPEN] == page->report->finding_count)
        return;
    gg_out_text(page->out, "Not counted (-v shows them):\n");
    for (unsigned fate = GG_OPEN + 1; fate < GG_FATES; fate++) {
        if (verdict->counts[fate])
            gg_out_printf(page->out, "%6" PRIu64 " %-13s %s\n", verdict->counts[fate],
                          gg_fate_name((enum gg_fate)fate), meanings[fate]);
    }
    gg_out_char(page->out, '\n');
}

/* Those that are open are shown with that reason already. */
static void put_hidden(struct page *page)
{
    size_t count = 0;
    for (size_t i = 0; i < page->report->finding_count; i++) {
        const struct gg_finding *finding = &page->report->findings[i];
        if (!finding->hidden_by_change || finding->fate == GG_OPEN)
            continue;
        if (count++ == 0)
            line(page, 0, "Hidden by this change's edits of rules (--strict-rules counts them):");
        line(page, 2, gg_rule_text_hidden(&page->arena, finding));
    }
    if (count)
        gg_out_char(page->out, '\n');
}

static void put_remark(struct page *page, enum remark kind, const char *where, const char *text,
                       uint64_t count)
{
    const char *label = labels[kind];
    char times[40] = "";
    if (count > 1)
        snprintf(times, sizeof times, " (%" PRIu64 " times)", count);
    ink(page, kind == NOTE ? CYAN : YELLOW);
    say(page, label);
    ink(page, PLAIN);
    say(page, ": ");
    words(page, strlen(label) + 2, 4,
          gg_arena_printf(&page->arena, "%s%s%s%s", where ? where : "", where ? ": " : "", text,
                          times));
    end_line(page);
}

static enum remark remark_of(const struct gg_note *note)
{
    return note->incomplete ? INCOMPLETE : gg_view_is_loud(note) ? WARNING : NOTE;
}

/* Runs and notes of a kind. Returns how many there are. */
static size_t put_remarks(struct page *page, enum remark kind)
{
    size_t count = 0, most = page->options->verbose ? SIZE_MAX : NOTES_MOST;
    for (size_t i = 0; i < page->report->run_count && kind == INCOMPLETE; i++) {
        const struct gg_run *run = &page->report->runs[i];
        if (!gg_run_is_complete(run) && count++ < most)
            put_remark(page, kind, run->source, run->detail ? run->detail : gg_end_name(run->end),
                       1);
    }
    for (size_t i = 0; i < page->report->note_count; i++) {
        const struct gg_note *note = &page->report->notes[i];
        if (gg_view_is_proof(note) && !page->options->verbose)
            continue;
        if (remark_of(note) == kind && count++ < most)
            put_remark(page, kind, note->where, note->text, note->count);
    }
    if (count > most)
        gg_out_printf(page->out, "%s: %zu more (-v shows them)\n", labels[kind], count - most);
    return count;
}

/* In one line; each by itself when all is to be told. */
static size_t put_rules(struct page *page)
{
    const struct gg_report *report = page->report;
    const char *summary = gg_rule_text_summary(&page->arena, report);
    if (summary)
        line(page, 0, gg_arena_printf(&page->arena, "rules: %s", summary));
    if (!page->options->verbose)
        return summary != NULL;
    for (size_t i = 0; i < report->rule_count; i++) {
        if (!gg_rule_text_is_spare(report->rules[i]))
            line(page, 2, gg_rule_text_row(&page->arena, report->rules[i]));
    }
    if (report->supp_use_count)
        line(page, 0, "set aside by valgrind itself:");
    for (size_t i = 0; i < report->supp_use_count; i++)
        line(page, 2, gg_rule_text_use(&page->arena, &report->supp_uses[i]));
    return summary || report->supp_use_count;
}

/* --- the last line ---------------------------------------------------------------------- */

static void put_summary(struct page *page, const struct gg_verdict *verdict)
{
    static const char *const names[] = {[GG_PASS] = "PASS",
                                        [GG_FAIL] = "FAIL",
                                        [GG_INCOMPLETE] = "INCOMPLETE",
                                        [GG_PROGRAM_FAILED] = "PROGRAM FAILED"};
    static const enum ink colours[] = {
        [GG_PASS] = GREEN, [GG_FAIL] = RED, [GG_INCOMPLETE] = YELLOW, [GG_PROGRAM_FAILED] = RED};
    char head[40];
    int len =
        snprintf(head, sizeof head, "%s (exit %d)", names[verdict->outcome], verdict->exit_code);
    ink(page, colours[verdict->outcome]);
    say(page, head);
    ink(page, PLAIN);
    say(page, ": ");
    struct gg_out *memory = gg_out_memory();
    gg_summary_put(memory, page->report, verdict);
    char *text = gg_out_take(memory, NULL);
    words(page, (size_t)len + 2, 4, text);
    free(text);
    end_line(page);
}

static void write_text(const struct gg_report *report, const struct gg_verdict *verdict,
                       const struct gg_write_options *options, struct gg_out *out)
{
    struct page page = {.out = out, .report = report, .options = options, .fresh = true};
    struct gg_arena sources;
    gg_arena_init(&sources);
    gg_arena_init(&page.arena);
    if (options->width)
        page.width = options->width > NARROWEST ? options->width : NARROWEST;
    if (!options->quiet) {
        gg_snippets_load(&page.snippets, &sources, report, options->verbose);
        for (size_t i = 0; i < report->finding_count; i++) {
            if (options->verbose || report->findings[i].fate == GG_OPEN)
                put_finding(&page, &report->findings[i]);
        }
        put_fates(&page, verdict);
        put_hidden(&page);
        size_t remarks = put_remarks(&page, INCOMPLETE);
        remarks += put_remarks(&page, WARNING);
        remarks += put_remarks(&page, NOTE);
        remarks += put_rules(&page);
        if (remarks)
            gg_out_char(out, '\n');
    }
    put_summary(&page, verdict);
    gg_arena_free(&page.arena);
    gg_arena_free(&sources);
}

const struct gg_writer gg_writer_text = {
    .name = "text",
    .suffix = ".txt",
    .summary = "for people: findings, their source and culprit, then the verdict",
    .write = write_text,
};
