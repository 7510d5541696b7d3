/* grindgate JSON: the whole report for programs, and what `grindgate check` reads back. The keys
 * and their order are a promise (schemas/report-1.schema.json); what is not promised, but useful
 * or needed to read a report back, follows behind the promised keys of its object. */
#include "write/writers.h"
#include "write/rule_json.h"
#include "write/tests.h"
#include "write/view.h"

#include "base/jsonio.h"
#include "grindgate/grindgate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SCHEMA "https://grindgate.dev/schemas/report-1.schema.json"
#define NO_COMMIT "0000000000000000000000000000000000000000"

static void put_unless_empty(struct gg_json *json, const char *key, const char *text)
{
    gg_json_put_string(json, key, text[0] ? text : NULL);
}

/* A list that ends with NULL. */
static void put_list(struct gg_json *json, const char *key, const char *const *list)
{
    gg_json_key(json, key);
    gg_json_array_inline(json);
    for (; list && *list; list++)
        gg_json_string(json, *list);
    gg_json_end_array(json);
}

static void put_strings(struct gg_json *json, const char *key, const char *const *at, size_t count)
{
    gg_json_key(json, key);
    gg_json_array_inline(json);
    for (size_t i = 0; i < count; i++)
        gg_json_string(json, at[i]);
    gg_json_end_array(json);
}

static void put_line(struct gg_json *json, uint32_t line)
{
    if (line)
        gg_json_put_uint(json, "line", line);
    else
        gg_json_put_null(json, "line");
}

/* --- the head --------------------------------------------------------------------------- */

static void put_tool(struct gg_json *json)
{
    gg_json_key(json, "tool");
    gg_json_object_inline(json);
    gg_json_put_string(json, "name", "grindgate");
    gg_json_put_string(json, "version", GG_VERSION);
    gg_json_end_object(json);
}

static void put_repository(struct gg_json *json, const struct gg_repository *repository)
{
    gg_json_key(json, "repository");
    gg_json_object(json);
    put_unless_empty(json, "head", repository->head);
    put_unless_empty(json, "base", repository->base);
    gg_json_put_bool(json, "shallow", repository->shallow);
    gg_json_put_bool(json, "dirty", repository->dirty);
    gg_json_end_object(json);
}

static void put_verdict(struct gg_json *json, const struct gg_verdict *verdict)
{
    gg_json_key(json, "verdict");
    gg_json_object(json);
    gg_json_put_string(json, "outcome", gg_outcome_name(verdict->outcome));
    gg_json_put_int(json, "exit_code", verdict->exit_code);
    gg_json_key(json, "reasons");
    gg_json_array(json);
    for (size_t i = 0; i < verdict->reason_count; i++)
        gg_json_string(json, verdict->reasons[i]);
    gg_json_end_array(json);
    gg_json_key(json, "counts");
    gg_json_object_inline(json);
    for (unsigned fate = 0; fate < GG_FATES; fate++)
        gg_json_put_uint(json, gg_fate_name((enum gg_fate)fate), verdict->counts[fate]);
    gg_json_end_object(json);
    gg_json_put_uint(json, "failing", verdict->failing);
    if (verdict->failure)
        gg_json_put_string(json, "program_failed", verdict->failure);
    gg_json_end_object(json);
}

/* --- runs ------------------------------------------------------------------------------- */

static void put_suppcounts(struct gg_json *json, const struct gg_run *run)
{
    gg_json_key(json, "suppressed_by_valgrind");
    gg_json_array(json);
    for (size_t i = 0; i < run->suppcount_count; i++) {
        gg_json_object_inline(json);
        gg_json_put_string(json, "name", run->suppcounts[i].name);
        gg_json_put_uint(json, "count", run->suppcounts[i].count);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}

/* Where the report went is said by the source; the path is a machine's, and often random. */
static void put_options(struct gg_json *json, const char *const *options)
{
    gg_json_key(json, "options");
    gg_json_array_inline(json);
    for (; options && *options; options++) {
        struct gg_str option = gg_str(*options);
        if (!gg_str_starts(option, "--xml-file=") && !gg_str_starts(option, "--log-file="))
            gg_json_string(json, *options);
    }
    gg_json_end_array(json);
}

static void put_run(struct gg_json *json, const struct gg_run *run)
{
    gg_json_object(json);
    gg_json_put_int(json, "pid", run->pid);
    gg_json_put_int(json, "ppid", run->ppid);
    gg_json_put_string(json, "tool", run->tool);
    gg_json_put_uint(json, "protocol", run->protocol);
    put_list(json, "command", run->command);
    gg_json_put_string(json, "test", run->test);
    gg_json_put_string(json, "source", run->source);
    gg_json_put_string(json, "end", gg_end_name(run->end));
    if (run->exit_code >= 0)
        gg_json_put_int(json, "exit", run->exit_code);
    else
        gg_json_put_null(json, "exit");
    gg_json_put_string(json, "signal", run->signal);
    gg_json_put_string(json, "detail", run->detail);
    gg_json_put_bool(json, "replaced", run->end == GG_END_REPLACED);
    gg_json_put_string(json, "version", run->version);
    gg_json_put_uint(json, "document", run->document);
    put_options(json, run->options);
    gg_json_put_bool(json, "mangled", run->mangled);
    gg_json_put_bool(json, "forked", run->forked);
    if (run->fatal)
        gg_json_put_string(json, "fatal", run->fatal);
    if (run->saw_running)
        gg_json_put_bool(json, "began", true);
    if (run->launched)
        gg_json_put_bool(json, "launched", true);
    if (run->root)
        gg_json_put_bool(json, "root", true);
    gg_json_put_uint(json, "errors", run->errors);
    gg_json_put_uint(json, "repaired", run->repaired);
    put_suppcounts(json, run);
    gg_json_end_object(json);
}

/* --- findings --------------------------------------------------------------------------- */

static void put_leak(struct gg_json *json, const struct gg_finding *finding)
{
    gg_json_key(json, "leak");
    if (!finding->is_leak) {
        gg_json_null(json);
        return;
    }
    gg_json_object_inline(json);
    gg_json_put_uint(json, "bytes", finding->leak_bytes);
    gg_json_put_uint(json, "blocks", finding->leak_blocks);
    gg_json_put_uint(json, "direct", finding->leak_direct);
    gg_json_end_object(json);
}

static void put_seen(struct gg_json *json, const struct gg_report *report,
                     const struct gg_finding *finding)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    size_t test_count;
    const char **tests = gg_view_tests(&arena, report, finding, &test_count);
    gg_json_put_uint(json, "count", finding->count);
    gg_json_key(json, "runs");
    gg_json_array_inline(json);
    for (size_t i = 0; i < finding->witness_count; i++)
        gg_json_uint(json, finding->witnesses[i].run);
    gg_json_end_array(json);
    put_strings(json, "tests", tests, test_count);
    gg_arena_free(&arena);
}

static void put_site(struct gg_json *json, const struct gg_finding *finding)
{
    gg_json_key(json, "site");
    if (!finding->has_site) {
        gg_json_null(json);
        return;
    }
    gg_json_object(json);
    gg_json_put_string(json, "path", finding->site.path);
    gg_json_put_uint(json, "line", finding->site.line);
    gg_json_put_string(json, "function", finding->site.function);
    gg_json_put_string(json, "via", gg_via_name(finding->site.via));
    gg_json_end_object(json);
}

static void put_author(struct gg_json *json, const struct gg_blame *blame)
{
    gg_json_key(json, "author");
    if (blame->state != GG_BLAME_COMMIT) {
        gg_json_null(json);
        return;
    }
    gg_json_object_inline(json);
    gg_json_put_string(json, "name", blame->author_name);
    gg_json_put_string(json, "email", blame->author_email);
    gg_json_end_object(json);
}

/* A commit that only bounds a shallow history did not write the line: it has no author here. */
static void put_blame_object(struct gg_json *json, const struct gg_blame *blame)
{
    bool uncommitted = blame->state == GG_BLAME_UNCOMMITTED;
    bool committed = blame->state == GG_BLAME_COMMIT;
    char time[GG_VIEW_TIME];
    bool timed = committed && gg_view_time(time, blame->time, blame->offset);
    gg_json_object(json);
    gg_json_put_string(json, "commit", uncommitted ? NO_COMMIT : blame->commit);
    put_author(json, blame);
    gg_json_put_string(json, "time", timed ? time : NULL);
    gg_json_put_string(json, "summary", committed ? blame->summary : NULL);
    gg_json_put_string(json, "orig_path", blame->orig_path);
    if (blame->orig_line)
        gg_json_put_uint(json, "orig_line", blame->orig_line);
    else
        gg_json_put_null(json, "orig_line");
    gg_json_put_bool(json, "boundary", blame->state == GG_BLAME_BOUNDARY);
    gg_json_put_bool(json, "uncommitted", uncommitted);
    gg_json_put_bool(json, "in_range", true); /* nothing is compared with: every commit counts */
    gg_json_put_string(json, "why", blame->why);
    gg_json_end_object(json);
}

static void put_blame(struct gg_json *json, const struct gg_blame *blame)
{
    gg_json_key(json, "blame");
    if (blame->state == GG_BLAME_NONE || blame->state == GG_BLAME_UNKNOWN)
        gg_json_null(json);
    else
        put_blame_object(json, blame);
}

static void put_frame(struct gg_json *json, const struct gg_frame *frame)
{
    char ip[20];
    snprintf(ip, sizeof ip, "0x%" PRIX64, frame->ip);
    gg_json_object_inline(json);
    gg_json_put_string(json, "ip", ip);
    gg_json_put_string(json, "object", frame->object);
    gg_json_put_string(json, "function", frame->function);
    gg_json_put_string(json, "path", frame->path);
    gg_json_put_string(json, "file", frame->file);
    put_line(json, frame->line);
    gg_json_put_string(json, "zone", gg_zone_name(frame->zone));
    if (frame->dir)
        gg_json_put_string(json, "dir", frame->dir);
    if (frame->symbol && frame->symbol != frame->function)
        gg_json_put_string(json, "symbol", frame->symbol);
    gg_json_end_object(json);
}

static void put_stacks(struct gg_json *json, const struct gg_finding *finding)
{
    gg_json_key(json, "stacks");
    gg_json_array(json);
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct gg_stack *stack = &finding->stacks[i];
        gg_json_object(json);
        gg_json_put_string(json, "role", gg_role_name(stack->role));
        gg_json_put_string(json, "text", stack->text);
        gg_json_key(json, "frames");
        gg_json_array(json);
        for (size_t at = 0; at < stack->len; at++)
            put_frame(json, stack->frames[at]);
        gg_json_end_array(json);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}

static void put_witnesses(struct gg_json *json, const struct gg_finding *finding)
{
    gg_json_key(json, "witnesses");
    gg_json_array(json);
    for (size_t i = 0; i < finding->witness_count; i++) {
        const struct gg_witness *witness = &finding->witnesses[i];
        gg_json_object_inline(json);
        gg_json_put_uint(json, "run", witness->run);
        gg_json_put_uint(json, "count", witness->count);
        if (finding->is_leak) {
            gg_json_put_uint(json, "bytes", witness->bytes);
            gg_json_put_uint(json, "direct", witness->direct);
            gg_json_put_uint(json, "blocks", witness->blocks);
            gg_json_put_bool(json, "final", witness->final);
            gg_json_put_bool(json, "copy", witness->copy);
        }
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}

/* The suppression valgrind generated: its frames reach below main, where stacks end. */
static void put_suppression(struct gg_json *json, const struct gg_finding *finding)
{
    if (!finding->supp_kind)
        return;
    gg_json_key(json, "suppression");
    gg_json_object(json);
    gg_json_put_string(json, "kind", finding->supp_kind);
    gg_json_put_string(json, "extra", finding->supp_extra);
    put_strings(json, "frames", finding->supp_frames, finding->supp_frame_count);
    gg_json_end_object(json);
}

/* What is seldom so; left out when it is not. */
static void put_doubts(struct gg_json *json, const struct gg_finding *finding)
{
    if (finding->lapsed)
        gg_rule_json_put(json, "lapsed", finding->lapsed);
    if (finding->approximate)
        gg_json_put_bool(json, "approximate", true);
    if (finding->hidden_by_change)
        gg_json_put_bool(json, "hidden_by_change", true);
    if (finding->unreliable)
        gg_json_put_bool(json, "unreliable", true);
}

static void put_finding(struct gg_json *json, const struct gg_report *report,
                        const struct gg_finding *finding)
{
    gg_json_object(json);
    gg_json_put_string(json, "id", finding->id);
    gg_json_put_string(json, "kind", finding->kind_name);
    gg_json_put_string(json, "severity", gg_severity_name(finding->severity));
    gg_json_put_string(json, "fate", gg_fate_name(finding->fate));
    gg_json_put_string(json, "message", finding->message);
    put_leak(json, finding);
    put_seen(json, report, finding);
    put_site(json, finding);
    put_blame(json, &finding->blame);
    gg_json_key(json, "suspects");
    gg_json_array(json);
    gg_json_end_array(json);
    gg_rule_json_put(json, "rule", finding->rule);
    gg_json_key(json, "fingerprints");
    gg_json_object_inline(json);
    gg_json_put_string(json, "grindgate/v1", finding->fingerprint);
    gg_json_end_object(json);
    put_stacks(json, finding);
    gg_json_put_string(json, "why", finding->why);
    put_doubts(json, finding);
    gg_json_put_string(json, "blame_unknown",
                       finding->blame.state == GG_BLAME_UNKNOWN ? finding->blame.why : NULL);
    gg_json_put_string(json, "thread", finding->thread);
    put_strings(json, "notes", finding->notes, finding->note_count);
    put_witnesses(json, finding);
    put_suppression(json, finding);
    gg_json_end_object(json);
}

/* --- notes and all --------------------------------------------------------------------- */

static void put_note(struct gg_json *json, const struct gg_note *note)
{
    gg_json_object_inline(json);
    gg_json_put_string(json, "kind", note->kind);
    gg_json_put_string(json, "text", note->text);
    gg_json_put_string(json, "where", note->where);
    gg_json_put_uint(json, "count", note->count);
    gg_json_put_bool(json, "incomplete", note->incomplete);
    gg_json_end_object(json);
}

/* Whoever reads the notes alone must see that a run did not finish. */
static void put_notes(struct gg_json *json, const struct gg_report *report)
{
    gg_json_key(json, "notes");
    gg_json_array(json);
    for (size_t i = 0; i < report->note_count; i++)
        put_note(json, &report->notes[i]);
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        struct gg_note note = {.kind = "unfinished",
                               .text = run->detail ? run->detail : gg_end_name(run->end),
                               .where = run->source,
                               .count = 1,
                               .incomplete = true};
        if (!gg_run_is_complete(run))
            put_note(json, &note);
    }
    gg_json_end_array(json);
}

static void write_json(const struct gg_report *report, const struct gg_verdict *verdict,
                       const struct gg_write_options *options, struct gg_out *out)
{
    (void)options;
    struct gg_json json;
    gg_json_init(&json, out);
    gg_json_object(&json);
    gg_json_put_string(&json, "$schema", SCHEMA);
    gg_json_put_int(&json, "version", 1);
    put_tool(&json);
    put_repository(&json, &report->repository);
    put_verdict(&json, verdict);
    gg_json_key(&json, "runs");
    gg_json_array(&json);
    for (size_t i = 0; i < report->run_count; i++)
        put_run(&json, &report->runs[i]);
    gg_json_end_array(&json);
    gg_tests_put(&json, report);
    gg_json_key(&json, "findings");
    gg_json_array(&json);
    for (size_t i = 0; i < report->finding_count; i++)
        put_finding(&json, report, &report->findings[i]);
    gg_json_end_array(&json);
    gg_rule_json_put_ledger(&json, report);
    put_notes(&json, report);
    gg_rule_json_put_uses(&json, report);
    gg_json_end_object(&json);
}

const struct gg_writer gg_writer_json = {
    .name = "json",
    .suffix = ".json",
    .summary = "the whole report for programs, see schemas/report-1.schema.json",
    .write = write_json,
};
