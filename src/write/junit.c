/* JUnit XML in the dialect of Jenkins' junit-10.xsd, which GitLab and the GitHub test reporters
 * read too (Surefire's own schema has no testsuites element).
 *
 * The suite "grindgate" says whether the reports are complete: an error otherwise. Each tool has a
 * suite with one case a finding, named without line numbers so that its history survives edits; a
 * case fails if it fails the gate, and is skipped, with the reason, if it does not. A suite
 * without a failure has one passing case, so that "no tests" never looks like success. */
#include "write/writers.h"
#include "write/view.h"

#include "base/esc.h"
#include "base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct suite {
    const char *tool;
    uint64_t failing, skipped;
    size_t first, last; /* findings in report order, one more than the index; 0: none */
};

struct junit {
    struct gg_out *out;
    const struct gg_report *report;
    const struct gg_verdict *verdict;
    int bar;
    struct suite *suites; /* in the order of the runs */
    size_t suite_count;
    size_t *next;  /* the next finding of the suite, one more than its index */
    size_t doubts; /* runs and notes that leave the verdict in doubt */
    struct gg_arena arena;
};

/* --- which case goes where -------------------------------------------------------------- */

static bool fails(const struct junit *junit, const struct gg_finding *finding)
{
    return finding->fate == GG_OPEN && (int)finding->severity >= junit->bar;
}

static size_t suite_of(struct junit *junit, struct gg_map *by_tool, const char *tool)
{
    tool = tool[0] ? tool : "valgrind";
    void **slot = gg_map_put(by_tool, tool, strlen(tool));
    if (!*slot) {
        junit->suites[junit->suite_count++].tool = tool;
        *slot = (void *)junit->suite_count;
    }
    return (uintptr_t)*slot - 1;
}

static void add_finding(struct junit *junit, struct suite *suite, size_t index)
{
    if (suite->last)
        junit->next[suite->last - 1] = index + 1;
    else
        suite->first = index + 1;
    suite->last = index + 1;
    if (fails(junit, &junit->report->findings[index]))
        suite->failing++;
    else
        suite->skipped++;
}

static void group(struct junit *junit)
{
    const struct gg_report *report = junit->report;
    struct gg_map by_tool = {0};
    for (size_t i = 0; i < report->run_count; i++)
        suite_of(junit, &by_tool, report->runs[i].tool);
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        const char *tool =
            finding->witness_count ? report->runs[finding->witnesses[0].run].tool : "";
        add_finding(junit, &junit->suites[suite_of(junit, &by_tool, tool)], i);
    }
    gg_map_free(&by_tool);
}

/* --- pieces of XML ---------------------------------------------------------------------- */

/* GitLab takes "[[ATTACHMENT|path]]" for a file to show: set apart, it is text. */
static void put(struct junit *junit, const char *text)
{
    struct gg_str rest = gg_str(text);
    for (;;) {
        size_t at = gg_str_find(rest, "[[ATTACHMENT");
        if (at == SIZE_MAX)
            break;
        gg_esc_xml(junit->out, gg_str_n(rest.ptr, at + 1));
        gg_out_char(junit->out, ' ');
        rest = gg_str_n(rest.ptr + at + 1, rest.len - at - 1);
    }
    gg_esc_xml(junit->out, rest);
}

static void put_attribute(struct junit *junit, const char *name, const char *text)
{
    gg_out_printf(junit->out, " %s=\"", name);
    put(junit, text);
    gg_out_char(junit->out, '"');
}

/* A CI runner takes "::error::..." for a command where it begins a line of a log, blanks (the
 * Unicode ones too) not counted: its first colon gets another spelling. */
static void put_line(struct junit *junit, const char *text)
{
    size_t skip = 0;
    while (text[skip] == ' ' || (text[skip] & 0x80))
        skip++;
    if (text[skip] == ':' && text[skip + 1] == ':') {
        gg_esc_xml(junit->out, gg_str_n(text, skip));
        gg_out_text(junit->out, "&#58;");
        text += skip + 1;
    }
    put(junit, text);
    gg_out_char(junit->out, '\n');
}

static void open_suite(struct junit *junit, const char *name, uint64_t tests, uint64_t failures,
                       uint64_t errors, uint64_t skipped)
{
    gg_out_text(junit->out, "  <testsuite");
    put_attribute(junit, "name", name);
    gg_out_printf(junit->out,
                  " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
                  "\" skipped=\"%" PRIu64 "\" time=\"0\">\n",
                  tests, failures, errors, skipped);
}

/* Without its end: ">" or "/>" follows. */
static void open_case(struct junit *junit, const char *class_name, const char *name)
{
    gg_out_text(junit->out, "    <testcase");
    put_attribute(junit, "classname", class_name);
    put_attribute(junit, "name", name);
    gg_out_text(junit->out, " time=\"0\"");
}

/* --- findings --------------------------------------------------------------------------- */

static const char *case_name(struct junit *junit, const struct gg_finding *finding)
{
    const struct gg_site *site = &finding->site;
    if (!finding->has_site)
        return gg_arena_printf(&junit->arena, "%s [%s]", finding->kind_name, finding->id);
    return gg_arena_printf(
        &junit->arena, "%s %s%s%s [%s]", finding->kind_name, site->path, site->function ? " " : "",
        site->function ? gg_view_cut(&junit->arena, site->function, 200) : "", finding->id);
}

static void put_stack(struct junit *junit, const struct gg_finding *finding,
                      const struct gg_stack *stack)
{
    struct gg_arena *arena = &junit->arena;
    struct gg_view_row row;
    put_line(junit, gg_arena_printf(arena, "%s:", gg_view_stack_title(finding, stack)));
    for (size_t at = 0; at < stack->len;) {
        at = gg_view_row(stack, at, false, &row);
        if (!row.frame) {
            put_line(junit,
                     gg_arena_printf(arena, "    ... %s", gg_view_folded(arena, stack, &row)));
            continue;
        }
        const char *function = gg_view_cut(arena, gg_view_function(arena, row.frame), 300);
        put_line(junit,
                 gg_arena_printf(arena, "  %c %s  %s", row.frame->zone == GG_ZONE_OWN ? '>' : ' ',
                                 gg_view_place(arena, row.frame), function));
    }
}

static void put_story(struct junit *junit, const struct gg_finding *finding)
{
    struct gg_arena *arena = &junit->arena;
    const struct gg_site *site = &finding->site;
    const char *texts[] = {gg_view_detail(finding),
                           gg_view_via(finding),
                           gg_view_ruling(finding),
                           gg_view_doubt(arena, junit->report, finding),
                           gg_view_blame(arena, &finding->blame),
                           gg_view_count(arena, junit->report, finding)};
    if (finding->has_site)
        put_line(junit, gg_arena_printf(arena, "%s:%" PRIu32, site->path, site->line));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i])
            put_line(junit, texts[i]);
    }
    for (size_t i = 0; i < finding->stack_count; i++)
        put_stack(junit, finding, &finding->stacks[i]);
    for (size_t i = 0; i < finding->note_count; i++)
        put_line(junit, finding->notes[i]);
}

static void put_finding(struct junit *junit, const char *class_name,
                        const struct gg_finding *finding)
{
    struct gg_out *out = junit->out;
    gg_arena_init(&junit->arena);
    const char *title = gg_view_title(&junit->arena, finding);
    open_case(junit, class_name, case_name(junit, finding));
    gg_out_text(out, ">\n");
    if (fails(junit, finding)) {
        gg_out_text(out, "      <failure");
        put_attribute(junit, "type", gg_kind_table[finding->kind].name);
        put_attribute(junit, "message", title);
        gg_out_text(out, ">");
        put_story(junit, finding);
        gg_out_text(out, "</failure>\n");
    } else {
        const char *fate =
            finding->fate == GG_OPEN ? "does not fail the gate" : gg_fate_name(finding->fate);
        gg_out_text(out, "      <skipped");
        put_attribute(junit, "message",
                      gg_arena_printf(&junit->arena, "%s (%s, %s): %s", fate,
                                      gg_severity_name(finding->severity), title, finding->why));
        gg_out_text(out, "/>\n");
    }
    gg_out_text(out, "    </testcase>\n");
    gg_arena_free(&junit->arena);
}

static void put_suite(struct junit *junit, const struct suite *suite)
{
    struct gg_arena names;
    gg_arena_init(&names);
    const char *class_name = gg_arena_printf(&names, "grindgate.%s", suite->tool);
    bool clean = suite->failing == 0;
    open_suite(junit, suite->tool, suite->failing + suite->skipped + clean, suite->failing, 0,
               suite->skipped);
    for (size_t i = suite->first; i; i = junit->next[i - 1])
        put_finding(junit, class_name, &junit->report->findings[i - 1]);
    if (clean) {
        open_case(junit, class_name, "clean");
        gg_out_text(junit->out, "/>\n");
    }
    gg_out_text(junit->out, "  </testsuite>\n");
    gg_arena_free(&names);
}

/* --- the run as a whole ----------------------------------------------------------------- */

static void put_reasons(struct junit *junit)
{
    for (size_t i = 0; i < junit->verdict->reason_count; i++)
        put_line(junit, junit->verdict->reasons[i]);
}

static void put_doubts(struct junit *junit)
{
    const struct gg_report *report = junit->report;
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (!gg_run_is_complete(run))
            put_line(junit, gg_arena_printf(&junit->arena, "%s: %s", run->source,
                                            run->detail ? run->detail : gg_end_name(run->end)));
    }
    for (size_t i = 0; i < report->note_count; i++) {
        const struct gg_note *note = &report->notes[i];
        if (note->incomplete)
            put_line(junit, gg_arena_printf(&junit->arena, "%s%s%s", note->where ? note->where : "",
                                            note->where ? ": " : "", note->text));
    }
}

/* Doubts that were allowed are told, but are no error. */
static void put_complete_case(struct junit *junit, bool error)
{
    open_case(junit, "grindgate", "reports complete");
    if (!error && !junit->doubts) {
        gg_out_text(junit->out, "/>\n");
        return;
    }
    const char *element = error ? "error" : "skipped";
    gg_out_printf(junit->out, ">\n      <%s", element);
    put_attribute(junit, "type", "Incomplete");
    put_attribute(junit, "message", "not every report is complete");
    gg_out_text(junit->out, ">");
    put_reasons(junit);
    put_doubts(junit);
    gg_out_printf(junit->out, "</%s>\n    </testcase>\n", element);
}

static void put_program_case(struct junit *junit)
{
    open_case(junit, "grindgate", "program");
    gg_out_text(junit->out, ">\n      <error");
    put_attribute(junit, "type", "ProgramFailed");
    put_attribute(junit, "message", "the program itself failed");
    gg_out_text(junit->out, ">");
    put_reasons(junit);
    gg_out_text(junit->out, "</error>\n    </testcase>\n");
}

static size_t count_doubts(const struct gg_report *report)
{
    size_t doubts = 0;
    for (size_t i = 0; i < report->run_count; i++)
        doubts += !gg_run_is_complete(&report->runs[i]);
    for (size_t i = 0; i < report->note_count; i++)
        doubts += report->notes[i].incomplete;
    return doubts;
}

static void put_all(struct junit *junit)
{
    enum gg_outcome outcome = junit->verdict->outcome;
    bool incomplete = outcome == GG_INCOMPLETE || (junit->doubts && outcome == GG_FAIL);
    bool program = outcome == GG_PROGRAM_FAILED;
    bool allowed = junit->doubts && !incomplete;
    uint64_t tests = 1u + program, failures = 0;
    for (size_t i = 0; i < junit->suite_count; i++) {
        const struct suite *suite = &junit->suites[i];
        tests += suite->failing + suite->skipped + (suite->failing == 0);
        failures += suite->failing;
    }
    gg_out_printf(junit->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"grindgate\" "
                  "tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%u\" time=\"0\">\n",
                  tests, failures, 0u + incomplete + program);
    open_suite(junit, "grindgate", 1u + program, 0, 0u + incomplete + program, allowed);
    gg_arena_init(&junit->arena);
    put_complete_case(junit, incomplete);
    if (program)
        put_program_case(junit);
    gg_arena_free(&junit->arena);
    gg_out_text(junit->out, "  </testsuite>\n");
    for (size_t i = 0; i < junit->suite_count; i++)
        put_suite(junit, &junit->suites[i]);
    gg_out_text(junit->out, "</testsuites>\n");
}

static void write_junit(const struct gg_report *report, const struct gg_verdict *verdict,
                        const struct gg_write_options *options, struct gg_out *out)
{
    (void)options;
    struct junit junit = {.out = out, .report = report, .verdict = verdict};
    junit.bar = gg_view_bar(report, verdict);
    junit.doubts = count_doubts(report);
    junit.suites = gg_alloc((report->run_count + 1) * sizeof *junit.suites);
    junit.next = gg_alloc(report->finding_count * sizeof *junit.next);
    group(&junit);
    put_all(&junit);
    free(junit.suites);
    free(junit.next);
}

const struct gg_writer gg_writer_junit = {
    .name = "junit",
    .suffix = ".xml",
    .summary = "JUnit XML (Jenkins, GitLab): one case a finding",
    .write = write_junit,
};
