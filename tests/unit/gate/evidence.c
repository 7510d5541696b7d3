#include <criterion/criterion.h>

#include "gate/decide.h"

static struct gg_arena arena;
static struct gg_report report;
static struct gg_finding finding;
static struct gg_stack stack;
static struct gg_frame inner, outer;
static struct gg_frame *frames[] = {&inner, &outer};
static const char *const tracked[] = {"src/a.c", "src/main.c"};
static const struct gg_worktree worktree = {.root = "/repo", .paths = tracked, .path_count = 2};

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
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert_str_eq(report.notes[0].where, "build/prog");
    cr_assert(report.notes[0].incomplete, "its errors are most likely the repository's");
}

Test(evidence, a_program_elsewhere_that_was_run_is_in_doubt_too)
{
    static const char *const command[] = {"../out/prog", NULL};
    struct gg_run run = {.command = command};
    outer.object = "/out/prog";
    report.runs = &run;
    report.run_count = 1;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert(report.notes[0].incomplete);
}

Test(evidence, a_program_elsewhere_is_told_too_unless_it_is_installed)
{
    outer.object = "/builds/proj/prog";
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert_str_eq(report.notes[0].where, "/builds/proj/prog");
    cr_assert_not(report.notes[0].incomplete);
    static const char *const installed[] = {"/usr/bin/python3.11", "/opt/x/lib/libx.so",
                                            "/repo/venv/lib/python3.11/site-packages/x.so"};
    for (size_t i = 0; i < 3; i++) {
        outer.object = installed[i];
        report.note_count = 0;
        gg_decide_evidence(&arena, &worktree, &report);
        cr_assert_eq(report.note_count, 0, "%s", installed[i]);
    }
}

/* A report of another machine whose paths lead nowhere here. */
Test(evidence, when_nothing_is_known_and_a_name_is_the_paths_need_a_map)
{
    outer.object = "/builds/proj/prog";
    outer.dir = "/builds/proj";
    outer.file = "main.c";
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert(report.notes[0].incomplete);
    cr_assert_str_eq(report.notes[0].where, "/builds/proj/main.c");
    outer.file = "other.c";
    report.note_count = 0;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 0);
}

Test(evidence, one_file_that_is_known_shows_that_paths_are_right)
{
    struct gg_frame known = {.path = "src/a.c"};
    struct gg_frame *list[] = {&known};
    struct gg_stack other = {.len = 1, .frames = list};
    struct gg_finding two[] = {finding, {.stacks = &other, .stack_count = 1}};
    outer.object = "/builds/proj/prog";
    outer.file = "main.c";
    report.findings = two;
    report.finding_count = 2;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 0);
}

Test(evidence, a_line_anywhere_in_the_stack_will_do)
{
    outer.file = "prog.c";
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 0);
    outer.file = NULL;
    inner.path = "lib.c";
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 0);
}

Test(evidence, one_note_a_program)
{
    struct gg_finding two[] = {finding, finding};
    report.findings = two;
    report.finding_count = 2;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_assert_eq(report.notes[0].count, 2);
}
