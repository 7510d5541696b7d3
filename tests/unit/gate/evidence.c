#include <criterion/criterion.h>

#include "gate/decide.h"

static struct gg_arena arena;
static struct gg_report report;
static struct gg_finding finding;
static struct gg_stack stack;
static struct gg_frame inner, outer;
static struct gg_frame *frames[] = {&inner, &outer};

static void begin(void)
{
    gg_arena_init(&arena);
    inner = (struct gg_frame){.object = "/usr/lib/libc.so.6"};
    outer = (struct gg_frame){.object = "/repo/build/prog", .function = "main"};
    stack = (struct gg_stack){.len = 2, .frames = frames};
    finding = (struct gg_finding){.fate = GG_EXTERNAL,
                                  .severity = GG_ERROR,
                                  .message = "m",
                                  .stacks = &stack,
                                  .stack_count = 1};
    report = (struct gg_report){.findings = &finding, .finding_count = 1};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(evidence, .init = begin, .fini = end);

Test(evidence, an_own_program_without_lines_is_told)
{
    gg_decide_evidence(&arena, "/repo", &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert_str_eq(report.notes[0].where, "build/prog");
}

Test(evidence, a_program_elsewhere_is_not_ours)
{
    gg_decide_evidence(&arena, "/repo/build/pro", &report);
    cr_assert_eq(report.note_count, 0, "/repo/build/pro is no directory above /repo/build/prog");
    outer.object = "/repo/venv/lib/python3.11/site-packages/x.so";
    gg_decide_evidence(&arena, "/repo", &report);
    cr_assert_eq(report.note_count, 0);
}

Test(evidence, a_line_anywhere_in_the_stack_will_do)
{
    outer.file = "main.c";
    gg_decide_evidence(&arena, "/repo", &report);
    cr_assert_eq(report.note_count, 0);
    outer.file = NULL;
    inner.path = "lib.c";
    gg_decide_evidence(&arena, "/repo", &report);
    cr_assert_eq(report.note_count, 0);
}

Test(evidence, one_note_a_program)
{
    struct gg_finding two[] = {finding, finding};
    report.findings = two;
    report.finding_count = 2;
    gg_decide_evidence(&arena, "/repo", &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert_eq(report.notes[0].count, 2);
}
