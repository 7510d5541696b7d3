#include "base/map.h"
#include "base/vec.h"
#include "gate/decide.h"

#include <inttypes.h>
#include <string.h>

/* The contract's exit statuses; 2 is the command line's own. */
enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_UNDECIDED = 3, EXIT_PROGRAM = 4 };

#define NAMED_MAX 3 /* runs named one by one; the rest are counted */

struct reasons {
    const char **at;
    size_t len, cap;
};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void explain_findings(struct gg_arena *arena, const struct gg_options *options,
                             const struct gg_verdict *verdict, struct reasons *list)
{
    static const char *const bars[] = {[GG_FAIL_ON_NOTE] = "note or above",
                                       [GG_FAIL_ON_WARNING] = "warning or above",
                                       [GG_FAIL_ON_ERROR] = "error"};
    if (verdict->failing)
        *gg_vec_push(arena, list) =
            gg_arena_printf(arena, "%" PRIu64 " open finding%s of severity %s", verdict->failing,
                            plural(verdict->failing), bars[options->fail_on]);
}

/* Runs that did not finish for the same reason. */
struct cut {
    const char *why;
    const char *names; /* of the first NAMED_MAX tests or reports, by commas */
    const char *last;  /* of the names, also of those that are only counted */
    size_t named, runs;
};

struct cuts {
    struct cut **at;
    size_t len, cap;
    struct gg_map by_why;
};

static void add_cut(struct gg_arena *arena, struct cuts *cuts, const struct gg_run *run)
{
    const char *why = run->detail ? run->detail : gg_end_name(run->end);
    const char *name = run->test ? run->test : run->source;
    void **known = gg_map_put(&cuts->by_why, why, strlen(why));
    struct cut *cut = *known;
    if (!cut) {
        *known = cut = gg_arena_alloc(arena, sizeof *cut);
        *cut = (struct cut){.why = why, .names = ""};
        *gg_vec_push(arena, cuts) = cut;
    }
    cut->runs++;
    if (cut->last && strcmp(cut->last, name) == 0)
        return;
    cut->last = name;
    if (cut->named++ < NAMED_MAX)
        cut->names = gg_arena_printf(arena, "%s%s%s", cut->names, cut->names[0] ? ", " : "", name);
}

static const char *name_cut(struct gg_arena *arena, const struct cut *cut)
{
    return cut->named > NAMED_MAX ? gg_arena_printf(arena, "%s and %zu more: %s", cut->names,
                                                    cut->named - NAMED_MAX, cut->why)
                                  : gg_arena_printf(arena, "%s: %s", cut->names, cut->why);
}

/* Returns whether anything is missing; names what in the reasons. */
static bool explain_runs(struct gg_arena *arena, const struct gg_report *report, struct cuts *cuts,
                         struct reasons *list)
{
    size_t more = 0;
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (!gg_run_is_complete(run))
            add_cut(arena, cuts, run);
    }
    for (size_t i = 0; i < cuts->len; i++) {
        if (i < NAMED_MAX)
            *gg_vec_push(arena, list) = name_cut(arena, cuts->at[i]);
        else
            more += cuts->at[i]->runs;
    }
    if (more)
        *gg_vec_push(arena, list) =
            gg_arena_printf(arena, "%zu more run%s did not finish", more, plural(more));
    if (report->run_count == 0)
        *gg_vec_push(arena, list) = "no report was read";
    return cuts->len || report->run_count == 0;
}

/* What is said of everything need not be said again when it has been said of runs. */
static bool explain_notes(struct gg_arena *arena, const struct gg_report *report,
                          const struct cuts *cuts, struct reasons *list)
{
    bool incomplete = false;
    for (size_t i = 0; i < report->note_count; i++) {
        const struct gg_note *note = &report->notes[i];
        if (!note->incomplete)
            continue;
        incomplete = true;
        if (!note->where && gg_map_find(&cuts->by_why, note->text, strlen(note->text)))
            continue;
        *gg_vec_push(arena, list) =
            note->where ? gg_arena_printf(arena, "%s: %s", note->where, note->text) : note->text;
    }
    return incomplete;
}

/* "3 of 200 tests failed: a, b, c" */
static bool explain_state(struct gg_arena *arena, const struct gg_report *report,
                          enum gg_test_state state, const char *what, struct reasons *list)
{
    size_t count = 0;
    const char *names = "";
    for (size_t i = 0; i < report->test_count; i++) {
        if (report->tests[i].state != state)
            continue;
        if (count++ < NAMED_MAX)
            names = gg_arena_printf(arena, "%s%s%s", names, names[0] ? ", " : "",
                                    report->tests[i].name);
    }
    if (count > NAMED_MAX)
        names = gg_arena_printf(arena, "%s and %zu more", names, count - NAMED_MAX);
    if (count)
        *gg_vec_push(arena, list) =
            gg_arena_printf(arena, "%zu of %zu test%s %s: %s", count, report->test_count,
                            plural(report->test_count), what, names);
    return count > 0;
}

/* Each has a note of its own, which says more. */
static bool any_not_run(const struct gg_report *report)
{
    for (size_t i = 0; i < report->test_count; i++) {
        if (report->tests[i].state == GG_TEST_NOT_RUN)
            return true;
    }
    return false;
}

/* A suite whose CTest fails, though no test did, is no pass. */
static bool explain_tests(struct gg_arena *arena, const struct gg_report *report,
                          struct reasons *list)
{
    bool failed = explain_state(arena, report, GG_TEST_FAILED, "failed", list);
    if (!failed && !any_not_run(report))
        *gg_vec_push(arena, list) = "no test failed, but CTest did";
    return true;
}

static bool explain_program(struct gg_arena *arena, const struct gg_options *options,
                            const struct gg_program *program, const struct gg_report *report,
                            struct reasons *list)
{
    if (!program->ran || options->ignore_exit || (program->exit_code == 0 && !program->signal))
        return false;
    if (options->ctest)
        return explain_tests(arena, report, list);
    *gg_vec_push(arena, list) =
        program->signal
            ? gg_arena_printf(arena, "the program was killed by %s", program->signal)
            : gg_arena_printf(arena, "the program itself exited with %d", program->exit_code);
    return true;
}

/* What did not happen at all is not just incomplete. */
static bool something_ran(const struct gg_report *report)
{
    for (size_t i = 0; i < report->run_count; i++) {
        if (report->runs[i].end == GG_END_FINISHED || report->runs[i].saw_running)
            return true;
    }
    return false;
}

/* What reports of grindgate's own say of their programs. */
static bool explain_failures(struct gg_arena *arena, const struct gg_options *options,
                             const struct gg_report *report, struct reasons *list)
{
    for (size_t i = 0; i < report->failure_count && !options->ignore_exit; i++)
        *gg_vec_push(arena, list) = report->failures[i];
    return report->failure_count && !options->ignore_exit;
}

static void settle(struct gg_verdict *verdict, enum gg_outcome outcome, int exit_code)
{
    verdict->outcome = outcome;
    verdict->exit_code = exit_code;
}

void gg_decide_verdict(struct gg_arena *arena, const struct gg_options *options,
                       const struct gg_program *program, const struct gg_report *report,
                       struct gg_verdict *verdict)
{
    *verdict = (struct gg_verdict){0};
    for (size_t i = 0; i < report->finding_count; i++) {
        verdict->counts[report->findings[i].fate]++;
        verdict->failing += gg_decide_fails(options, &report->findings[i]);
    }
    struct reasons list = {0};
    explain_findings(arena, options, verdict, &list);
    struct cuts cuts = {0};
    bool cut = explain_runs(arena, report, &cuts, &list);
    bool doubtful = explain_notes(arena, report, &cuts, &list);
    gg_map_free(&cuts.by_why);
    bool incomplete = (cut || doubtful) && !(options->allow_incomplete && something_ran(report));
    size_t before = list.len;
    bool failed = explain_program(arena, options, program, report, &list);
    failed = explain_failures(arena, options, report, &list) || failed;
    if (failed)
        verdict->failure = list.len > before ? list.at[before] : "the program itself failed";
    if (verdict->failing)
        settle(verdict, GG_FAIL, EXIT_FAIL);
    else if (incomplete)
        settle(verdict, GG_INCOMPLETE, EXIT_UNDECIDED);
    else if (failed)
        settle(verdict, GG_PROGRAM_FAILED, EXIT_PROGRAM);
    else
        settle(verdict, GG_PASS, EXIT_PASS);
    verdict->reasons = list.at;
    verdict->reason_count = list.len;
}

void gg_decide_output_failed(struct gg_arena *arena, struct gg_verdict *verdict, const char *reason)
{
    const char **reasons_now =
        gg_arena_alloc(arena, (verdict->reason_count + 1) * sizeof *reasons_now);
    if (verdict->reason_count)
        memcpy(reasons_now, verdict->reasons, verdict->reason_count * sizeof *reasons_now);
    reasons_now[verdict->reason_count++] = gg_arena_strdup(arena, reason);
    verdict->reasons = reasons_now;
    if (verdict->outcome != GG_FAIL)
        settle(verdict, GG_INCOMPLETE, EXIT_UNDECIDED);
}
