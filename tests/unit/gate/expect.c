#include <criterion/criterion.h>
#include <string.h>

#include "gate/expect.h"

static struct gg_arena arena;
static struct gg_options options;
static struct gg_report report;
static struct gg_run runs[6];

static void begin(void)
{
    gg_arena_init(&arena);
    options = (struct gg_options){0};
    memset(runs, 0, sizeof runs);
    report = (struct gg_report){.runs = runs};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(expect, .init = begin, .fini = end);

static struct gg_run *add(const char *source, int64_t pid, int64_t ppid)
{
    struct gg_run *run = &runs[report.run_count++];
    *run = (struct gg_run){.source = source, .pid = pid, .ppid = ppid, .end = GG_END_FINISHED};
    return run;
}

Test(expect, a_program_counts_once_with_all_its_children)
{
    add("r/10.xml", 10, 2);
    add("r/11.xml", 11, 10);
    add("r/12.xml", 12, 11);
    cr_expect_eq(gg_expect_programs(&report), 1);
    add("r/20.xml", 20, 2);
    cr_expect_eq(gg_expect_programs(&report), 2);
}

/* In containers every program is process 1, and the next run takes the same numbers. */
Test(expect, numbers_mean_nothing_in_another_directory)
{
    add("a/10.xml", 10, 2);
    add("b/11.xml", 11, 10);
    add("c/10.xml", 10, 2);
    cr_expect_eq(gg_expect_programs(&report), 3);
}

Test(expect, what_did_not_end_does_not_count)
{
    add("10-1.xml", 10, 2)->end = GG_END_REPLACED;
    add("10-2.xml", 10, 2);
    add("20.xml", 20, 2)->end = GG_END_TRUNCATED;
    add("30.xml", -1, -1)->end = GG_END_MISSING;
    add("40.xml", 40, 2)->end = GG_END_KILLED;
    cr_expect_eq(gg_expect_programs(&report), 1);
}

Test(expect, of_a_launch_the_program_itself_counts)
{
    struct gg_run *root = add("10-2.xml", 10, 2);
    add("11-1.xml", 11, 10)->launched = true;
    struct gg_run *orphan = add("12-1.xml", 12, 1);
    root->launched = root->root = orphan->launched = true;
    cr_expect_eq(gg_expect_programs(&report), 1);
    root->end = GG_END_TRUNCATED;
    cr_expect_eq(gg_expect_programs(&report), 0);
}

Test(expect, too_few_programs_are_incomplete)
{
    add("10.xml", 10, 2);
    add("20.xml", 20, 2);
    add("30.xml", 30, 2);
    gg_expect(&arena, &options, &report);
    options.expect = 3;
    gg_expect(&arena, &options, &report);
    cr_expect_eq(report.note_count, 0);
    options.expect = 5;
    gg_expect(&arena, &options, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect(report.notes[0].incomplete);
    cr_expect(strstr(report.notes[0].text, "3 programs ran"), "%s", report.notes[0].text);
    cr_expect(strstr(report.notes[0].text, "5 were expected (--expect)"));
}

Test(expect, a_required_kind_may_have_any_fate)
{
    struct gg_finding finding = {.kind_name = "InvalidRead", .fate = GG_SUPPRESSED};
    options.require_kinds = (const char *const[]){"InvalidRead", "UninitCondition", NULL};
    report.findings = &finding;
    report.finding_count = 1;
    gg_expect(&arena, &options, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect(report.notes[0].incomplete);
    cr_expect(strstr(report.notes[0].text, "UninitCondition"));
}

Test(expect, a_kind_that_there_is_not_is_a_mistake)
{
    struct gg_error err = {0};
    options.require_kinds = (const char *const[]){"Leak_StillReachable", "FatalSignal", NULL};
    cr_expect(gg_expect_check(&options, &err));
    options.require_kinds = (const char *const[]){"InvalidRaed", NULL};
    cr_expect_not(gg_expect_check(&options, &err));
    cr_expect(strstr(err.text, "did you mean InvalidRead?"), "%s", err.text);
    options.require_kinds = (const char *const[]){"Unknown", NULL};
    err = (struct gg_error){0};
    cr_expect_not(gg_expect_check(&options, &err));
}
