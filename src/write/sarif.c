/* SARIF 2.1.0 for code scanning (GitHub, Azure DevOps, SonarQube, DefectDojo, editors).
 *
 * One run, whose results are the open findings laid to a line of the repository: consumers show
 * every result as an open alert, and refuse a whole file for one result without a location.
 * Findings of the same kind on the same line are one result, since consumers tell results apart
 * by just that. What is left out is counted in the run's properties, and said in a notification
 * when it is open. Nothing depends on the clock or on where the repository lies. */
#include "write/writers.h"
#include "write/cwe.h"
#include "write/sarif_places.h"
#include "write/sarif_rules.h"
#include "write/view.h"

#include "base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sarif {
    struct gg_json json;
    const struct gg_report *report;
    const struct gg_verdict *verdict;
    struct gg_sarif_rules rules;
    size_t *next;          /* the next finding of the same result, 0: none */
    bool *first;           /* is it the first of its result */
    size_t placeless;      /* open findings that are no results */
    struct gg_arena arena; /* of one result */
};

/* --- which findings make a result ------------------------------------------------------- */

static bool has_place(const struct gg_finding *finding)
{
    return finding->has_site && finding->site.line > 0 && gg_view_is_inside(finding->site.path);
}

/* Chains the findings of one rule and line in report order. The map holds the last of each chain,
 * one more than its index. */
static void group(struct sarif *sarif)
{
    struct gg_arena keys;
    struct gg_map last = {0};
    gg_arena_init(&keys);
    for (size_t i = 0; i < sarif->report->finding_count; i++) {
        const struct gg_finding *finding = &sarif->report->findings[i];
        if (finding->fate != GG_OPEN)
            continue;
        if (!has_place(finding)) {
            sarif->placeless++;
            continue;
        }
        const char *key = gg_arena_printf(&keys, "%d:%" PRIu32 ":%s", (int)finding->kind,
                                          finding->site.line, finding->site.path);
        void **slot = gg_map_put(&last, key, strlen(key));
        if (*slot)
            sarif->next[(uintptr_t)*slot - 1] = i;
        else
            sarif->first[i] = true;
        *slot = (void *)(i + 1);
        gg_sarif_rules_need(&sarif->rules, finding);
    }
    gg_map_free(&last);
    gg_arena_free(&keys);
    gg_sarif_rules_number(&sarif->rules);
}

/* --- the parts of a result -------------------------------------------------------------- */

static void put_message(struct sarif *sarif, const struct gg_finding *finding,
                        const struct gg_sarif_related *related)
{
    struct gg_arena *arena = &sarif->arena;
    const char *detail = gg_view_detail(finding), *via = gg_view_via(finding);
    const char *count = gg_view_count(arena, sarif->report, finding);
    struct gg_out *out = gg_out_memory();
    gg_sarif_sentence(arena, out, gg_view_title(arena, finding),
                      finding->site.function ? gg_view_cut(arena, finding->site.function, 200)
                                             : NULL);
    gg_sarif_sentence(arena, out, detail, NULL);
    gg_sarif_sentence(arena, out, via, NULL);
    gg_sarif_sentence(arena, out, gg_view_ruling(finding), NULL);
    gg_sarif_sentence(arena, out, gg_view_doubt(arena, sarif->report, finding), NULL);
    for (size_t i = 0; i < related->count; i++)
        gg_out_printf(out, "%s(%zu). ", related->at[i].link, i + 1);
    gg_sarif_sentence(arena, out, gg_view_blame(arena, &finding->blame), NULL);
    gg_sarif_sentence(arena, out, count, NULL);
    size_t len;
    char *text = gg_out_take(out, &len);
    gg_json_key(&sarif->json, "message");
    gg_json_object(&sarif->json);
    gg_json_key(&sarif->json, "text");
    gg_json_string_n(&sarif->json, gg_str_trim(gg_str_n(text, len)));
    gg_json_end_object(&sarif->json);
    free(text);
}

/* The same line, another stack: its own fingerprint is kept beside it. */
static void put_further(struct sarif *sarif, const struct gg_finding *finding, size_t id)
{
    struct gg_json *json = &sarif->json;
    gg_json_object(json);
    gg_json_put_uint(json, "id", id);
    gg_sarif_put_physical(json, finding->site.path, finding->site.line);
    gg_sarif_put_text(&sarif->arena, json, gg_view_title(&sarif->arena, finding));
    gg_json_key(json, "properties");
    gg_json_object_inline(json);
    gg_json_put_string(json, "id", finding->id);
    gg_json_put_string(json, "grindgate/v1", finding->fingerprint);
    gg_json_end_object(json);
    gg_json_end_object(json);
}

static void put_related(struct sarif *sarif, size_t index, const struct gg_sarif_related *related)
{
    struct gg_json *json = &sarif->json;
    if (related->count == 0 && !sarif->next[index])
        return;
    gg_json_key(json, "relatedLocations");
    gg_json_array(json);
    for (size_t i = 0; i < related->count; i++) {
        gg_json_object(json);
        gg_json_put_uint(json, "id", i + 1);
        gg_sarif_put_physical(json, related->at[i].frame->path, related->at[i].frame->line);
        gg_sarif_put_text(&sarif->arena, json, related->at[i].title);
        gg_json_end_object(json);
    }
    size_t id = related->count + 1;
    for (size_t i = sarif->next[index]; i; i = sarif->next[i])
        put_further(sarif, &sarif->report->findings[i], id++);
    gg_json_end_array(json);
}

/* The shape of `git blame --porcelain`, which sarif-tools established; values are strings. */
static void put_blame(struct sarif *sarif, const struct gg_blame *blame)
{
    struct gg_json *json = &sarif->json;
    if (blame->state == GG_BLAME_NONE || blame->state == GG_BLAME_UNKNOWN)
        return;
    gg_json_key(json, "blame");
    gg_json_object(json);
    if (blame->state == GG_BLAME_UNCOMMITTED) {
        gg_json_put_string(json, "commit", "0000000000000000000000000000000000000000");
        gg_json_put_string(json, "author", "Not Committed Yet");
        gg_json_put_string(json, "author-mail", "<not.committed.yet>");
    } else {
        gg_json_put_string(json, "commit", blame->commit);
    }
    if (blame->state == GG_BLAME_COMMIT) {
        int zone = gg_view_zone(blame->offset), east = abs(zone);
        gg_json_put_string(json, "author", blame->author_name);
        gg_json_put_string(json, "author-mail",
                           gg_arena_printf(&sarif->arena, "<%s>", blame->author_email));
        gg_json_put_string(json, "author-time",
                           gg_arena_printf(&sarif->arena, "%" PRId64, blame->time));
        gg_json_put_string(json, "author-tz",
                           gg_arena_printf(&sarif->arena, "%c%02d%02d", zone < 0 ? '-' : '+',
                                           east / 60, east % 60));
        gg_json_put_string(json, "summary", blame->summary);
    }
    if (blame->orig_path)
        gg_json_put_string(json, "filename", blame->orig_path);
    if (blame->state == GG_BLAME_BOUNDARY)
        gg_json_put_bool(json, "boundary", true);
    gg_json_end_object(json);
}

static void put_properties(struct sarif *sarif, const struct gg_finding *finding)
{
    struct gg_json *json = &sarif->json;
    size_t test_count;
    const char **tests = gg_view_tests(&sarif->arena, sarif->report, finding, &test_count);
    gg_json_key(json, "properties");
    gg_json_object(json);
    put_blame(sarif, &finding->blame);
    gg_json_key(json, "grindgate");
    gg_json_object(json);
    gg_json_put_string(json, "id", finding->id);
    gg_json_put_string(json, "kind", finding->kind_name);
    gg_json_put_string(json, "via", gg_via_name(finding->site.via));
    gg_json_put_string(json, "why", finding->why);
    if (finding->blame.why)
        gg_json_put_string(json, "blame_why", finding->blame.why);
    gg_json_key(json, "tests");
    gg_json_array_inline(json);
    for (size_t i = 0; i < test_count; i++)
        gg_json_string(json, tests[i]);
    gg_json_end_array(json);
    gg_json_end_object(json);
    gg_json_end_object(json);
}

static void put_taxa(struct sarif *sarif, const struct gg_finding *finding)
{
    unsigned cwe = gg_cwe_of(finding);
    if (!cwe)
        return;
    gg_json_key(&sarif->json, "taxa");
    gg_json_array(&sarif->json);
    gg_sarif_rules_put_cwe(&sarif->json, &sarif->rules, cwe);
    gg_json_end_array(&sarif->json);
}

static void put_place(struct sarif *sarif, const struct gg_finding *finding)
{
    struct gg_json *json = &sarif->json;
    gg_json_key(json, "locations");
    gg_json_array(json);
    gg_json_object(json);
    gg_sarif_put_physical(json, finding->site.path, finding->site.line);
    if (finding->site.function)
        gg_sarif_put_logical(&sarif->arena, json, finding->site.function);
    gg_json_end_object(json);
    gg_json_end_array(json);
    gg_json_key(json, "partialFingerprints");
    gg_json_object_inline(json);
    gg_json_put_string(json, "grindgate/v1", finding->fingerprint);
    gg_json_end_object(json);
}

static void put_result(struct sarif *sarif, size_t index)
{
    struct gg_json *json = &sarif->json;
    const struct gg_finding *findings = sarif->report->findings, *finding = &findings[index];
    enum gg_severity severity = finding->severity;
    uint64_t count = finding->count;
    for (size_t i = sarif->next[index]; i; i = sarif->next[i]) {
        severity = findings[i].severity > severity ? findings[i].severity : severity;
        count += findings[i].count;
    }
    struct gg_sarif_related related;
    gg_arena_init(&sarif->arena);
    gg_sarif_find_related(finding, &related);
    gg_json_object(json);
    gg_json_put_string(json, "ruleId", gg_kind_table[finding->kind].name);
    gg_json_put_uint(json, "ruleIndex", sarif->rules.index[finding->kind]);
    gg_json_put_string(json, "level", gg_severity_name(severity));
    put_message(sarif, finding, &related);
    put_place(sarif, finding);
    if (count)
        gg_json_put_uint(json, "occurrenceCount", count);
    put_related(sarif, index, &related);
    gg_sarif_put_flow(&sarif->arena, json, finding);
    gg_sarif_put_stacks(&sarif->arena, json, finding);
    put_taxa(sarif, finding);
    put_properties(sarif, finding);
    gg_json_end_object(json);
    gg_arena_free(&sarif->arena);
}

/* --- the run ---------------------------------------------------------------------------- */

static void put_notification(struct sarif *sarif, const char *kind, const char *level,
                             const char *text)
{
    gg_json_object(&sarif->json);
    gg_json_key(&sarif->json, "descriptor");
    gg_json_object_inline(&sarif->json);
    gg_json_put_string(&sarif->json, "id", kind);
    gg_json_end_object(&sarif->json);
    gg_json_put_string(&sarif->json, "level", level);
    gg_sarif_put_text(&sarif->arena, &sarif->json, text);
    gg_json_end_object(&sarif->json);
}

/* A notification of level error says that the analysis failed: only when it did. */
static void put_notifications(struct sarif *sarif)
{
    const struct gg_report *report = sarif->report;
    const char *doubt = sarif->verdict->outcome == GG_INCOMPLETE ? "error" : "warning";
    gg_json_key(&sarif->json, "toolExecutionNotifications");
    gg_json_array(&sarif->json);
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (!gg_run_is_complete(run))
            put_notification(sarif, "incomplete-run", doubt,
                             gg_arena_printf(&sarif->arena, "%s: %s", run->source,
                                             run->detail ? run->detail : gg_end_name(run->end)));
    }
    for (size_t i = 0; i < report->note_count; i++) {
        const struct gg_note *note = &report->notes[i];
        const char *level = gg_view_is_loud(note) ? "warning" : "note";
        put_notification(sarif, note->kind, note->incomplete ? doubt : level,
                         gg_arena_printf(&sarif->arena, "%s%s%s", note->where ? note->where : "",
                                         note->where ? ": " : "", note->text));
    }
    if (sarif->placeless)
        put_notification(sarif, "no-location", "warning",
                         gg_arena_printf(&sarif->arena,
                                         "%zu open finding%s no line in this repository and %s no "
                                         "result here: see the text or the JSON report",
                                         sarif->placeless,
                                         sarif->placeless == 1 ? " has" : "s have",
                                         sarif->placeless == 1 ? "is" : "are"));
    gg_json_end_array(&sarif->json);
}

static void put_invocations(struct sarif *sarif)
{
    struct gg_json *json = &sarif->json;
    gg_json_key(json, "invocations");
    gg_json_array(json);
    gg_json_object(json);
    gg_json_put_bool(json, "executionSuccessful", sarif->verdict->outcome != GG_INCOMPLETE);
    gg_json_put_int(json, "exitCode", sarif->verdict->exit_code);
    gg_arena_init(&sarif->arena);
    put_notifications(sarif);
    gg_arena_free(&sarif->arena);
    gg_json_end_object(json);
    gg_json_end_array(json);
}

/* The base has no URI, so that the file is the same wherever the work tree lies. */
static void put_root(struct gg_json *json)
{
    gg_json_key(json, "originalUriBaseIds");
    gg_json_object(json);
    gg_json_key(json, "%SRCROOT%");
    gg_json_object(json);
    gg_json_key(json, "description");
    gg_json_object_inline(json);
    gg_json_put_string(json, "text", "The root of the repository's work tree.");
    gg_json_end_object(json);
    gg_json_end_object(json);
    gg_json_end_object(json);
}

static void put_run_properties(struct sarif *sarif)
{
    struct gg_json *json = &sarif->json;
    const struct gg_verdict *verdict = sarif->verdict;
    const struct gg_repository *repository = &sarif->report->repository;
    gg_json_key(json, "properties");
    gg_json_object(json);
    gg_json_put_string(json, "outcome", gg_outcome_name(verdict->outcome));
    gg_json_put_uint(json, "failing", verdict->failing);
    gg_json_key(json, "counts");
    gg_json_object_inline(json);
    for (unsigned fate = 0; fate < GG_FATES; fate++)
        gg_json_put_uint(json, gg_fate_name((enum gg_fate)fate), verdict->counts[fate]);
    gg_json_end_object(json);
    gg_json_put_uint(json, "openWithoutLocation", sarif->placeless);
    gg_json_put_string(json, "head", repository->head[0] ? repository->head : NULL);
    gg_json_put_string(json, "base", repository->base[0] ? repository->base : NULL);
    gg_json_end_object(json);
}

static void put_run(struct sarif *sarif)
{
    struct gg_json *json = &sarif->json;
    gg_json_object(json);
    gg_sarif_rules_put_tool(json, &sarif->rules);
    put_invocations(sarif);
    put_root(json);
    gg_json_put_string(json, "columnKind", "utf16CodeUnits");
    gg_json_key(json, "results");
    gg_json_array(json);
    for (size_t i = 0; i < sarif->report->finding_count; i++) {
        if (sarif->first[i])
            put_result(sarif, i);
    }
    gg_json_end_array(json);
    gg_sarif_rules_put_taxonomies(json, &sarif->rules);
    put_run_properties(sarif);
    gg_json_end_object(json);
}

static void write_sarif(const struct gg_report *report, const struct gg_verdict *verdict,
                        const struct gg_write_options *options, struct gg_out *out)
{
    (void)options;
    struct sarif sarif = {.report = report, .verdict = verdict};
    sarif.next = gg_alloc(report->finding_count * sizeof *sarif.next);
    sarif.first = gg_alloc(report->finding_count * sizeof *sarif.first);
    group(&sarif);
    gg_json_init(&sarif.json, out);
    gg_json_object(&sarif.json);
    gg_json_put_string(&sarif.json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    gg_json_put_string(&sarif.json, "version", "2.1.0");
    gg_json_key(&sarif.json, "runs");
    gg_json_array(&sarif.json);
    put_run(&sarif);
    gg_json_end_array(&sarif.json);
    gg_json_end_object(&sarif.json);
    free(sarif.next);
    free(sarif.first);
}

const struct gg_writer gg_writer_sarif = {
    .name = "sarif",
    .suffix = ".sarif",
    .summary = "SARIF 2.1.0 for code scanning: open findings with their lines",
    .write = write_sarif,
};
