#include <criterion/criterion.h>
#include <string.h>

#include "gate/reliability.h"

static struct gg_arena arena;
static struct gg_report report;
static struct gg_run runs[2];
static struct gg_finding finding;
static struct gg_witness witnesses[2];
static const char *const plain[] = {"./test", NULL};
static const char *const death[] = {"./test", "--gtest_filter=A.b",
                                    "--gtest_internal_run_death_test=a.cc|23|0|8", NULL};

static void begin(void)
{
    gg_arena_init(&arena);
    for (uint32_t i = 0; i < 2; i++) {
        runs[i] = (struct gg_run){.source = "1.xml", .command = plain, .end = GG_END_FINISHED};
        witnesses[i] = (struct gg_witness){.run = i, .count = 1, .final = true};
    }
    finding = (struct gg_finding){.kind = GG_KIND_Leak_DefinitelyLost,
                                  .is_leak = true,
                                  .severity = GG_ERROR,
                                  .why = "nothing sets it aside",
                                  .message = "",
                                  .witnesses = witnesses,
                                  .witness_count = 2};
    report =
        (struct gg_report){.runs = runs, .run_count = 2, .findings = &finding, .finding_count = 1};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(reliability, .init = begin, .fini = end);

Test(reliability, a_leak_of_dead_processes_alone_is_unreliable)
{
    gg_decide_reliability(&arena, &report);
    cr_expect_not(finding.unreliable);
    runs[0].fatal = "SIGSEGV";
    gg_decide_reliability(&arena, &report);
    cr_expect_not(finding.unreliable, "the other process ended well and has it, too");
    runs[1].fatal = "SIGABRT";
    gg_decide_reliability(&arena, &report);
    cr_expect(finding.unreliable);
    cr_expect_eq(finding.severity, GG_ERROR, "it counts all the same");
}

/* The forked child has a copy of what its parent has, and counts for nothing. */
Test(reliability, copies_say_nothing)
{
    runs[0].fatal = "SIGSEGV";
    witnesses[1].copy = true;
    gg_decide_reliability(&arena, &report);
    cr_expect(finding.unreliable);
}

/* A check that the program asked for while it lived. */
Test(reliability, a_leak_found_before_the_end_is_one)
{
    runs[0].fatal = runs[1].fatal = "SIGSEGV";
    witnesses[1].final = false;
    gg_decide_reliability(&arena, &report);
    cr_expect_not(finding.unreliable);
}

Test(reliability, errors_are_what_they_are)
{
    runs[0].fatal = runs[1].fatal = "SIGSEGV";
    finding.kind = GG_KIND_InvalidRead;
    finding.is_leak = false;
    gg_decide_reliability(&arena, &report);
    cr_expect_not(finding.unreliable);
}

Test(reliability, death_tests_are_meant_to_die)
{
    finding.kind = GG_KIND_FatalSignal;
    finding.is_leak = false;
    runs[0].command = death;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(finding.severity, GG_ERROR, "one that is no death test crashes as well");
    runs[1].command = death;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(finding.severity, GG_NOTE);
    cr_expect(strstr(finding.why, "death test"));
}

Test(reliability, leaks_of_death_tests_are_notes_errors_are_not)
{
    runs[0].command = runs[1].command = death;
    finding.fate = GG_SUPPRESSED;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(finding.severity, GG_NOTE);
    cr_expect_str_eq(finding.why, "nothing sets it aside", "why it is suppressed stays");
    finding.kind = GG_KIND_InvalidWrite;
    finding.is_leak = false;
    finding.severity = GG_ERROR;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(finding.severity, GG_ERROR);
}

/* Of a program that grindgate launched, valgrind's log says more. */
Test(reliability, an_illegal_instruction_has_two_causes)
{
    runs[0].fatal = "SIGILL";
    runs[1].fatal = "SIGSEGV";
    gg_decide_reliability(&arena, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect_str_eq(report.notes[0].kind, "diagnosis");
    cr_expect(strstr(report.notes[0].text, "-march=x86-64-v3"));
    report.note_count = 0;
    runs[0].launched = true;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(report.note_count, 0);
}

/* Its "fast" style forks, and such a child looks like any other: only advice can be given. */
Test(reliability, a_forked_child_may_be_a_death_test)
{
    struct gg_frame frame = {.function = "void testing::Test::Run()"}, *frames[] = {&frame};
    struct gg_stack stack = {.frames = frames, .len = 1};
    finding.kind = GG_KIND_FatalSignal;
    finding.is_leak = false;
    finding.stacks = &stack;
    finding.stack_count = 1;
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(report.note_count, 0, "they did not fork");
    runs[0].forked = runs[1].forked = true;
    gg_decide_reliability(&arena, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect(strstr(report.notes[0].text, "threadsafe"));
    cr_expect_eq(finding.severity, GG_ERROR);
    report.note_count = 0;
    frame.function = "main";
    gg_decide_reliability(&arena, &report);
    cr_expect_eq(report.note_count, 0);
}
