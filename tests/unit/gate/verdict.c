/* Every row of the contract's table of exit statuses, and their precedence. */
#include <criterion/criterion.h>
#include <string.h>

#include "gate/decide.h"

static struct gg_arena arena;
static struct gg_options options;
static struct gg_report report;
static struct gg_run run;
static struct gg_finding findings[2];
static struct gg_program program;
static struct gg_verdict verdict;

static void begin(void)
{
    gg_arena_init(&arena);
    gg_options_default(&options);
    run = (struct gg_run){.source = "1.xml", .end = GG_END_FINISHED};
    report = (struct gg_report){.runs = &run, .run_count = 1, .findings = findings};
    memset(findings, 0, sizeof findings);
    for (size_t i = 0; i < 2; i++) {
        findings[i].kind = GG_KIND_InvalidRead;
        findings[i].message = "Invalid read of size 1";
        findings[i].has_site = true;
    }
    program = (struct gg_program){.ran = true};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(verdict, .init = begin, .fini = end);

static int judge(void)
{
    gg_decide_fates(&arena, &options, &report);
    gg_decide_verdict(&arena, &options, &program, &report, &verdict);
    return verdict.exit_code;
}

static bool says(const char *text)
{
    for (size_t i = 0; i < verdict.reason_count; i++) {
        if (strstr(verdict.reasons[i], text))
            return true;
    }
    return false;
}

Test(verdict, a_complete_clean_run_passes)
{
    cr_assert_eq(judge(), 0);
    cr_assert_eq(verdict.outcome, GG_PASS);
    cr_assert_eq(verdict.reason_count, 0);
}

Test(verdict, an_open_error_fails)
{
    report.finding_count = 2;
    cr_assert_eq(judge(), 1);
    cr_assert_eq(verdict.outcome, GG_FAIL);
    cr_assert_eq(verdict.counts[GG_OPEN], 2);
    cr_assert_eq(verdict.failing, 2);
    cr_assert(says("2 open findings of severity error"));
}

Test(verdict, the_bar_decides_what_fails)
{
    report.finding_count = 1;
    findings[0].kind = GG_KIND_Leak_PossiblyLost; /* a warning */
    cr_assert_eq(judge(), 0);
    options.fail_on = GG_FAIL_ON_WARNING;
    cr_assert_eq(judge(), 1);
    findings[0].kind = GG_KIND_Leak_StillReachable; /* a note */
    cr_assert_eq(judge(), 0);
    options.fail_on = GG_FAIL_ON_NOTE;
    cr_assert_eq(judge(), 1);
    findings[0].kind = GG_KIND_InvalidWrite;
    options.fail_on = GG_FAIL_NEVER;
    cr_assert_eq(judge(), 0);
    cr_assert_eq(verdict.counts[GG_OPEN], 1);
}

Test(verdict, a_suppressed_finding_does_not_fail)
{
    struct gg_rule rule = {.id = "known bug", .file = "a.supp", .line = 2};
    report.finding_count = 1;
    findings[0].rule = &rule;
    cr_assert_eq(judge(), 0);
    cr_assert_eq(verdict.counts[GG_SUPPRESSED], 1);
    cr_assert_str_eq(findings[0].why, "suppressed by \"known bug\" (a.supp:2)");
}

Test(verdict, external_findings_follow_their_policy)
{
    report.finding_count = 1;
    findings[0].has_site = false;
    cr_assert_eq(judge(), 0);
    cr_assert_eq(verdict.counts[GG_EXTERNAL], 1);
    options.external = GG_EXTERNAL_FAIL;
    cr_assert_eq(judge(), 1);
    cr_assert_eq(verdict.counts[GG_OPEN], 1);
}

Test(verdict, auxiliary_sites_follow_their_policy)
{
    report.finding_count = 1;
    findings[0].site.via = GG_VIA_FREED;
    cr_assert_eq(judge(), 1);
    options.auxiliary = GG_AUXILIARY_EXTERNAL;
    cr_assert_eq(judge(), 0);
    cr_assert_eq(verdict.counts[GG_EXTERNAL], 1);
}

Test(verdict, crashes_fail_and_signals_from_outside_do_not)
{
    report.finding_count = 1;
    findings[0].kind = GG_KIND_FatalSignal;
    findings[0].message = "Killed by SIGSEGV: Access not within mapped region";
    cr_assert_eq(judge(), 1);
    findings[0].message = "Killed by SIGTERM: somebody";
    cr_assert_eq(judge(), 0);
    cr_assert_eq(findings[0].severity, GG_NOTE);
    findings[0].message = "Killed by Signal 11";
    cr_assert_eq(judge(), 1, "a signal without a known name is a crash");
    findings[0].message = "Killed by SIGSEGV: SIGTERM";
    cr_assert_eq(judge(), 1);
}

Test(verdict, no_run_is_no_pass)
{
    report.run_count = 0;
    cr_assert_eq(judge(), 3);
    cr_assert_eq(verdict.outcome, GG_INCOMPLETE);
    cr_assert(says("no report was read"));
}

Test(verdict, every_unfinished_end_is_undecided)
{
    static const enum gg_end ends[] = {GG_END_TRUNCATED, GG_END_KILLED, GG_END_MISSING};
    for (size_t i = 0; i < 3; i++) {
        run.end = ends[i];
        run.detail = "the report stops in the middle";
        cr_assert_eq(judge(), 3);
        cr_assert(says("1.xml: the report stops in the middle"));
    }
    run.end = GG_END_REPLACED;
    cr_assert_eq(judge(), 0, "a program that ran another one ended in a known way");
}

Test(verdict, an_incomplete_note_is_undecided_unless_allowed)
{
    struct gg_note note = {
        .kind = "stopped", .text = "the program was stopped", .incomplete = true};
    report.notes = &note;
    report.note_count = 1;
    cr_assert_eq(judge(), 3);
    options.allow_incomplete = true;
    cr_assert_eq(judge(), 0);
    cr_assert(says("the program was stopped"), "it is still named");
    note.incomplete = false;
    options.allow_incomplete = false;
    cr_assert_eq(judge(), 0);
}

Test(verdict, what_did_not_run_at_all_is_never_allowed)
{
    options.allow_incomplete = true;
    run.end = GG_END_MISSING;
    cr_assert_eq(judge(), 3);
    run.end = GG_END_TRUNCATED;
    cr_assert_eq(judge(), 3, "an empty report");
    run.saw_running = true;
    cr_assert_eq(judge(), 0, "a report that was cut");
    report.run_count = 0;
    cr_assert_eq(judge(), 3);
}

Test(verdict, a_failing_program_is_four_unless_ignored)
{
    program.exit_code = 7;
    cr_assert_eq(judge(), 4);
    cr_assert_eq(verdict.outcome, GG_PROGRAM_FAILED);
    cr_assert(says("exited with 7"));
    options.ignore_exit = true;
    cr_assert_eq(judge(), 0);
    options.ignore_exit = false;
    program.exit_code = -1;
    program.signal = "SIGSEGV";
    cr_assert_eq(judge(), 4);
    cr_assert(says("killed by SIGSEGV"));
}

Test(verdict, one_goes_before_three_and_three_before_four)
{
    program.exit_code = 7;
    run.end = GG_END_TRUNCATED;
    cr_assert_eq(judge(), 3);
    report.finding_count = 1;
    cr_assert_eq(judge(), 1);
    cr_assert(says("exited with 7"), "what did not decide is told all the same");
}

Test(verdict, an_output_that_fails_takes_the_pass_away)
{
    judge();
    gg_decide_output_failed(&arena, &verdict, "x.json: No space left on device");
    cr_assert_eq(verdict.exit_code, 3);
    cr_assert(says("No space left"));
    report.finding_count = 1;
    judge();
    gg_decide_output_failed(&arena, &verdict, "x.json: No space left on device");
    cr_assert_eq(verdict.exit_code, 1, "a failure stays one");
}

static struct gg_test suite_tests[] = {{"a", GG_TEST_PASSED, NULL},
                                       {"b", GG_TEST_FAILED, "Timeout"},
                                       {"c", GG_TEST_FAILED, NULL},
                                       {"d", GG_TEST_FAILED, NULL},
                                       {"e", GG_TEST_FAILED, NULL}};

static void judge_suite(size_t first, size_t count)
{
    options.ctest = "build";
    options.ignore_exit = false;
    report.tests = suite_tests + first;
    report.test_count = count;
    program.exit_code = 8;
    cr_assert_eq(judge(), 4);
    cr_assert_eq(verdict.reason_count, 1);
}

Test(verdict, failed_tests_are_named)
{
    judge_suite(0, 2);
    cr_expect_str_eq(verdict.reasons[0], "1 of 2 tests failed: b");
    judge_suite(0, 5);
    cr_expect_str_eq(verdict.reasons[0], "4 of 5 tests failed: b, c, d and 1 more");
    judge_suite(0, 1);
    cr_expect_str_eq(verdict.reasons[0], "no test failed, but CTest did");
    options.ignore_exit = true;
    cr_expect_eq(judge(), 0);
}

Test(verdict, one_reason_for_all_that_is_cut_off_by_the_same)
{
    static const char *const tests[] = {"a", "a", "b", "c", "d", "e"};
    struct gg_run runs[6];
    struct gg_note notes[] = {{.text = "ctest was killed", .incomplete = true},
                              {.text = "ctest was killed", .where = "f", .incomplete = true}};
    for (size_t i = 0; i < 6; i++)
        runs[i] = (struct gg_run){
            .test = tests[i], .end = GG_END_TRUNCATED, .detail = "ctest was killed"};
    report.runs = runs;
    report.run_count = 6;
    report.notes = notes;
    report.note_count = 2;
    cr_assert_eq(judge(), 3);
    cr_assert_eq(verdict.reason_count, 2);
    cr_assert_str_eq(verdict.reasons[0], "a, b, c and 2 more: ctest was killed");
    cr_assert_str_eq(verdict.reasons[1], "f: ctest was killed");
}

Test(verdict, a_test_that_was_not_run_is_told_by_its_note)
{
    struct gg_test tests[] = {{.name = "a", .state = GG_TEST_NOT_RUN}};
    struct gg_note notes[] = {{.text = "CTest did not run it", .where = "a", .incomplete = true}};
    report.tests = tests;
    report.test_count = 1;
    report.notes = notes;
    report.note_count = 1;
    options.ctest = "build";
    program.exit_code = 8;
    cr_assert_eq(judge(), 3);
    cr_assert_eq(verdict.reason_count, 1);
    cr_assert_str_eq(verdict.reasons[0], "a: CTest did not run it");
    options.allow_incomplete = true;
    cr_assert_eq(judge(), 4, "CTest fails all the same");
}
