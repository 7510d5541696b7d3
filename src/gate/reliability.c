#include "gate/reliability.h"

#include "base/str.h"
#include "model/note.h"

#include <string.h>

/* GoogleTest's "threadsafe" style starts the program again with this argument. Its "fast" style
 * forks, and nothing tells such a child from any other. */
static bool is_death_test(const struct gg_run *run)
{
    for (const char *const *word = run->command; word && *word; word++) {
        if (gg_str_starts(gg_str(*word), "--gtest_internal_run_death_test="))
            return true;
    }
    return false;
}

static bool is_crash(const struct gg_finding *finding)
{
    return gg_kind_table[finding->kind].group == GG_GROUP_crash;
}

/* From the check at the end of a process that did not come to free what it had. */
static bool is_doubtful(const struct gg_report *report, const struct gg_witness *witness)
{
    return witness->final && report->runs[witness->run].fatal;
}

static void judge(const struct gg_report *report, struct gg_finding *finding)
{
    bool doubtful = finding->is_leak, meant = finding->is_leak || is_crash(finding), any = false;
    for (size_t i = 0; i < finding->witness_count; i++) {
        const struct gg_witness *witness = &finding->witnesses[i];
        if (witness->copy)
            continue;
        any = true;
        doubtful = doubtful && is_doubtful(report, witness);
        meant = meant && is_death_test(&report->runs[witness->run]);
    }
    finding->unreliable = any && doubtful;
    if (!any || !meant)
        return;
    finding->severity = GG_NOTE;
    if (finding->fate == GG_OPEN)
        finding->why = "only death tests (GoogleTest) show it, whose processes are meant to die";
}

/* The bytes of the instruction are in valgrind's log alone; where there is none, both causes are
 * told. */
static void diagnose(struct gg_arena *arena, struct gg_report *report, const struct gg_run *run)
{
    if (run->launched || !run->fatal || !gg_str_is(gg_str(run->fatal), "SIGILL"))
        return;
    struct gg_note note = {
        .kind = "diagnosis",
        .text = "it died of SIGILL: unless the program traps on purpose (__builtin_trap, a failed "
                "assertion), valgrind lacks the instruction, as it does AVX-512: build the test "
                "with -march=x86-64-v3 or less",
        .where = run->source};
    gg_report_note(arena, report, &note);
}

/* Seen in the stack of what dies within a test of GoogleTest. */
static bool passes_googletest(const struct gg_finding *finding)
{
    for (size_t i = 0; finding->stack_count && i < finding->stacks[0].len; i++) {
        const char *function = finding->stacks[0].frames[i]->function;
        if (function && strstr(function, "testing::Test::"))
            return true;
    }
    return false;
}

static bool is_of_forked(const struct gg_report *report, const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->witness_count; i++) {
        if (!report->runs[finding->witnesses[i].run].forked)
            return false;
    }
    return finding->witness_count > 0;
}

static void advise(struct gg_arena *arena, struct gg_report *report,
                   const struct gg_finding *finding)
{
    if (finding->fate != GG_OPEN || finding->severity == GG_NOTE || !is_crash(finding) ||
        !is_of_forked(report, finding) || !passes_googletest(finding))
        return;
    struct gg_note note = {
        .kind = "diagnosis",
        .text = "a forked child died within a test of GoogleTest: if it is a death test, run it "
                "with --gtest_death_test_style=threadsafe, by which such a child can be known"};
    gg_report_note(arena, report, &note);
}

void gg_decide_reliability(struct gg_arena *arena, struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
        judge(report, &report->findings[i]);
    for (size_t i = 0; i < report->finding_count; i++)
        advise(arena, report, &report->findings[i]);
    for (size_t i = 0; i < report->run_count; i++)
        diagnose(arena, report, &report->runs[i]);
}
