#include "gate/expect.h"

#include "base/map.h"
#include "base/suggest.h"
#include "model/note.h"

#include <inttypes.h>
#include <string.h>

/* --- programs --------------------------------------------------------------------------- */

/* "DIR/4711": process numbers are only one process's within the reports of one directory, and
 * within one report of grindgate's own. */
static const char *process_key(struct gg_arena *arena, const struct gg_run *run, int64_t pid)
{
    const char *slash = strrchr(run->source, '/');
    int len = slash ? (int)(slash - run->source) : 0;
    return gg_arena_printf(arena, "%s/%.*s/%" PRId64, run->told_by ? run->told_by : "", len,
                           run->source, pid);
}

static bool is_child(struct gg_arena *arena, const struct gg_map *processes,
                     const struct gg_run *run)
{
    if (run->ppid < 0 || run->ppid == run->pid)
        return false;
    const char *key = process_key(arena, run, run->ppid);
    return gg_map_find(processes, key, strlen(key)) != NULL;
}

size_t gg_expect_programs(const struct gg_report *report)
{
    struct gg_arena keys;
    struct gg_map processes = {0};
    size_t programs = 0;
    gg_arena_init(&keys);
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        const char *key = process_key(&keys, run, run->pid);
        if (run->pid >= 0)
            gg_map_put(&processes, key, strlen(key));
    }
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (run->end == GG_END_FINISHED)
            programs += run->launched ? run->root : !is_child(&keys, &processes, run);
    }
    gg_map_free(&processes);
    gg_arena_free(&keys);
    return programs;
}

static void note_programs(struct gg_arena *arena, const struct gg_options *options,
                          struct gg_report *report)
{
    size_t programs = options->expect ? gg_expect_programs(report) : 0;
    if (programs >= options->expect)
        return;
    struct gg_note note = {
        .kind = "expected",
        .text = gg_arena_printf(arena,
                                "%zu program%s ran to %s end under valgrind, %" PRIu64
                                " %s expected (--expect): were all tests run, and under valgrind?",
                                programs, programs == 1 ? "" : "s", programs == 1 ? "its" : "their",
                                options->expect, options->expect == 1 ? "was" : "were"),
        .incomplete = true};
    gg_report_note(arena, report, &note);
}

/* --- kinds ------------------------------------------------------------------------------ */

/* What is Unknown can be required of nobody. */
static bool is_kind(const char *name)
{
    for (unsigned kind = 0; kind < GG_KINDS; kind++) {
        if (kind != GG_KIND_Unknown && strcmp(gg_kind_table[kind].name, name) == 0)
            return true;
    }
    return false;
}

bool gg_expect_check(const struct gg_options *options, struct gg_error *err)
{
    for (const char *const *name = options->require_kinds; name && *name; name++) {
        if (is_kind(*name))
            continue;
        struct gg_suggest suggest;
        gg_suggest_begin(&suggest, gg_str(*name));
        for (unsigned kind = 0; kind < GG_KINDS; kind++) {
            if (kind != GG_KIND_Unknown)
                gg_suggest_offer(&suggest, gg_kind_table[kind].name);
        }
        gg_error_set(err, "--require-kind %s: is no kind of error; did you mean %s?", *name,
                     suggest.best ? suggest.best
                                  : "InvalidRead, UninitCondition, "
                                    "Leak_DefinitelyLost, or another one of the "
                                    "manual");
        return false;
    }
    return true;
}

static bool was_seen(const struct gg_report *report, const char *kind)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (strcmp(report->findings[i].kind_name, kind) == 0)
            return true;
    }
    return false;
}

static void note_kinds(struct gg_arena *arena, const struct gg_options *options,
                       struct gg_report *report)
{
    for (const char *const *name = options->require_kinds; name && *name; name++) {
        if (was_seen(report, *name))
            continue;
        struct gg_note note = {
            .kind = "required",
            .text = gg_arena_printf(arena,
                                    "no error of kind %s was seen, though one has to be "
                                    "(--require-kind): was its program run, and under valgrind?",
                                    *name),
            .incomplete = true};
        gg_report_note(arena, report, &note);
    }
}

void gg_expect(struct gg_arena *arena, const struct gg_options *options, struct gg_report *report)
{
    note_programs(arena, options, report);
    note_kinds(arena, options, report);
}
