/* What each option does to a report was measured with valgrind 3.19 on a program that has every
 * kind of error and leak; tests/e2e/diagnoses.py repeats what matters most. */
#include <criterion/criterion.h>
#include <string.h>

#include "gate/doctor.h"
#include "gate/launcher.h"

static struct gg_arena arena;
static struct gg_report report;
static struct gg_run run;
static struct gg_finding finding;
static struct gg_stack stacks[2];
static struct gg_witness witness;
static const char *options[12], *command[2];

static void begin(void)
{
    gg_arena_init(&arena);
    command[0] = "/src/build/test";
    memset(options, 0, sizeof options);
    run = (struct gg_run){.pid = 7,
                          .source = "7.xml",
                          .tool = "memcheck",
                          .options = options,
                          .command = command,
                          .end = GG_END_FINISHED};
    witness = (struct gg_witness){.count = 1, .final = true};
    memset(stacks, 0, sizeof stacks);
    finding = (struct gg_finding){
        .witnesses = &witness, .witness_count = 1, .message = "", .stacks = stacks};
    report = (struct gg_report){.runs = &run, .run_count = 1, .findings = &finding};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(doctor, .init = begin, .fini = end);

/* Behind those with which nothing is to be said; up to NULL. */
static void set_options(const char *one, const char *two)
{
    options[0] = "--xml=yes";
    options[1] = "--xml-file=/r/%p.xml";
    options[2] = "--trace-children=yes";
    options[3] = one;
    options[4] = one ? two : NULL;
    report.notes = NULL;
    report.note_count = 0;
}

/* How many notes there are; the first is at hand. */
static size_t examine(const char *one, const char *two)
{
    set_options(one, two);
    gg_doctor(&arena, &report);
    return report.note_count;
}

Test(doctor, sound_options_need_no_advice)
{
    static const char *const sound[] = {
        NULL,
        "--leak-check=full",
        "--show-leak-kinds=all",
        "--show-leak-kinds=definite,possible",
        "--show-reachable=no",
        "--num-callers=12",
        "--num-callers=40",
        "--error-limit=yes",
        "--track-origins=no",
        "--xtree-leak=no",
        "--undef-value-errors=yes",
        "--exit-on-first-error=yes",
        "--partial-loads-ok=no",
        "--suppressions=/usr/libexec/valgrind/default.supp",
        "--child-silent-after-fork=no",
        "--trace-children-skip=",
    };
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        cr_expect_eq(examine(sound[i], NULL), 0, "%s", sound[i] ? sound[i] : "none");
}

Test(doctor, each_option_has_its_advice)
{
    static const struct {
        const char *option, *advice;
        bool incomplete;
    } rows[] = {
        {"--leak-check=no", "no effect", false},
        {"--leak-check=summary", "no effect", false},
        {"--xtree-leak=yes", "missing in the report", true},
        {"--leak-resolution=low", "folded", false},
        {"--undef-value-errors=no", "not looked for", true},
        {"--show-mismatched-frees=no", "missing", false},
        {"--child-silent-after-fork=yes", "%p", true},
        {"--ignore-ranges=0x1000-0x2000", "not checked", true},
        {"--workaround-gcc296-bugs=yes", "stack pointer", false},
        {"--read-inline-info=no", "wrong lines", false},
        {"--sym-offsets=yes", "offsets", false},
        {"--show-leak-kinds=none", "definitely lost blocks", true},
        {"--show-leak-kinds=possible", "definitely lost blocks", true},
        {"--show-leak-kinds=definite", "possibly lost blocks", false},
        {"--show-possibly-lost=no", "possibly lost blocks", false},
        {"--num-callers=1", "folded", true},
        {"--num-callers=3", "folded", true},
        {"--num-callers=4", "to blame", false},
        {"--num-callers=11", "to blame", false},
        {"--trace-children-skip=*/gen,*/sh", "*/gen,*/sh", false},
        {"--trace-children-skip-by-arg=x", "=x: programs that match", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(examine(rows[i].option, NULL), 1, "%s", rows[i].option);
        cr_expect_eq(report.notes[0].incomplete, rows[i].incomplete, "%s", rows[i].option);
        cr_expect(strstr(report.notes[0].text, rows[i].advice), "%s", report.notes[0].text);
    }
}

/* As valgrind takes them: --show-reachable=yes stands for all kinds, =no for all but one. */
Test(doctor, the_later_option_wins)
{
    cr_expect_eq(examine("--xtree-leak=yes", "--xtree-leak=no"), 0);
    cr_expect_eq(examine("--num-callers=2", "--num-callers=30"), 0);
    cr_expect_eq(examine("--num-callers=30", "--num-callers=2"), 1);
    cr_expect_eq(examine("--show-leak-kinds=none", "--show-reachable=yes"), 0);
    cr_expect_eq(examine("--show-leak-kinds=all", "--show-reachable=no"), 0);
    cr_expect_eq(examine("--show-reachable=yes", "--show-leak-kinds=none"), 1);
    cr_assert_eq(examine("--show-leak-kinds=none", "--show-possibly-lost=yes"), 1);
    cr_expect(report.notes[0].incomplete);
}

Test(doctor, options_nobody_told_are_not_judged)
{
    run.command = (const char *const[]){"bash", NULL};
    memset(options, 0, sizeof options);
    gg_doctor(&arena, &report);
    run.options = NULL;
    gg_doctor(&arena, &report);
    cr_expect_eq(report.note_count, 0);
}

Test(doctor, equal_advice_is_given_once)
{
    struct gg_run two[] = {run, run};
    two[1].source = "8.xml";
    report.runs = two;
    report.run_count = 2;
    cr_assert_eq(examine("--num-callers=6", NULL), 1);
    cr_expect_eq(report.notes[0].count, 2);
}

Test(doctor, missing_stacks_matter_where_there_are_leaks)
{
    cr_expect_eq(examine("--keep-stacktraces=none", NULL), 0);
    finding.is_leak = true;
    report.finding_count = 1;
    cr_assert_eq(examine("--keep-stacktraces=none", NULL), 1);
    cr_expect(report.notes[0].incomplete);
    cr_assert_eq(examine("--keep-stacktraces=free", NULL), 1);
    cr_expect_eq(examine("--keep-stacktraces=alloc", NULL), 0);
}

Test(doctor, origins_matter_where_open_findings_have_none)
{
    finding.kind = GG_KIND_UninitCondition;
    finding.message = "Conditional jump or move depends on uninitialised value(s)";
    finding.stack_count = 1;
    report.finding_count = 1;
    cr_assert_eq(examine(NULL, NULL), 1);
    cr_expect_not(report.notes[0].incomplete);
    cr_expect(strstr(report.notes[0].text, "--track-origins=yes"));
    cr_expect_eq(examine("--track-origins=yes", NULL), 0);
    stacks[1].role = GG_ROLE_ORIGIN;
    finding.stack_count = 2;
    cr_expect_eq(examine(NULL, NULL), 0);
    finding.stack_count = 1;
    finding.fate = GG_SUPPRESSED;
    cr_expect_eq(examine(NULL, NULL), 0);
    finding.fate = GG_OPEN;
    finding.kind = GG_KIND_SyscallParam;
    finding.message = "Syscall param write(buf) points to unaddressable byte(s)";
    cr_expect_eq(examine(NULL, NULL), 0);
}

/* 1000 different errors and ten million in all is where valgrind stops without XML. */
Test(doctor, a_report_that_ends_at_the_limit_is_in_doubt)
{
    struct gg_witness leak = {.count = 3, .final = true};
    struct gg_finding two[] = {finding, finding};
    two[1].is_leak = true;
    two[1].witnesses = &leak;
    report.findings = two;
    report.finding_count = 2;
    run.errors = 1003;
    cr_assert_eq(examine(NULL, NULL), 1);
    cr_expect(report.notes[0].incomplete);
    cr_expect_eq(examine("--error-limit=no", NULL), 0);
    run.errors = 1503;
    cr_expect_eq(examine("--error-limit=yes", NULL), 0, "more than the limit: there was none");
    run.errors = 4;
    witness.count = 10000000;
    cr_expect_eq(examine(NULL, NULL), 1);
    witness.count = 10500000;
    cr_expect_eq(examine(NULL, NULL), 0);
}

static size_t examine_name(const char *name, const char *trace)
{
    options[0] = name;
    options[1] = trace;
    options[2] = NULL;
    report.notes = NULL;
    report.note_count = 0;
    gg_doctor(&arena, &report);
    return report.note_count;
}

Test(doctor, one_file_for_several_processes_is_in_doubt)
{
    cr_assert_eq(examine_name("--xml-file=out.xml", "--trace-children=yes"), 1);
    cr_expect(report.notes[0].incomplete);
    cr_expect_str_eq(report.notes[0].where, "7.xml");
    cr_expect_eq(examine_name("--xml-file=%q{TEST}.xml", "--trace-children=yes"), 1);
    cr_expect_eq(examine_name("--xml-file=100%%p.xml", "--trace-children=yes"), 1);
    cr_expect_eq(examine_name("--xml-file=%q{TEST}%p.xml", "--trace-children=yes"), 0);
    cr_expect_eq(examine_name("--xml-fd=9", "--trace-children=yes"), 0);
    struct gg_run two[] = {run, run};
    two[1].pid = 8;
    report.runs = two;
    report.run_count = 2;
    cr_assert_geq(examine_name("--xml-file=out.xml", NULL), 1);
    cr_expect(report.notes[0].incomplete);
}

Test(doctor, children_left_alone_are_told_with_the_name_they_would_need)
{
    cr_assert_eq(examine_name("--xml-file=out.xml", NULL), 1);
    cr_expect(strstr(report.notes[0].text, "--trace-children=yes"));
    cr_expect(strstr(report.notes[0].text, "%p"));
    cr_expect_not(report.notes[0].incomplete);
}

Test(doctor, a_launcher_instead_of_the_tests_is_in_doubt)
{
    static const char *const launchers[] = {"/bin/sh", "/usr/bin/bash", "python3.11", "ctest"};
    for (size_t i = 0; i < 4; i++) {
        command[0] = launchers[i];
        cr_assert_eq(examine_name("--xml-file=%p.xml", NULL), 1, "%s", launchers[i]);
        cr_expect(report.notes[0].incomplete);
        cr_expect_eq(examine_name("--xml-file=%p.xml", "--trace-children=yes"), 0);
    }
}

Test(doctor, launchers_are_known_by_name)
{
    static const char *const only[] = {"sh",    "/bin/dash", "/usr/bin/make", "/opt/bin/ctest",
                                       "ninja", "env",       "timeout",       "xargs"};
    static const char *const interpreters[] = {
        "python3", "/usr/bin/python3.11", "perl", "ruby3.1", "node", "lua5.4"};
    static const char *const none[] = {"./test", "shell", "/src/build/make_test", "", "3", "nodes"};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        cr_expect_eq(gg_launcher_of(only[i]), GG_LAUNCHER_ONLY, "%s", only[i]);
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
        cr_expect_eq(gg_launcher_of(interpreters[i]), GG_LAUNCHER_INTERPRETER, "%s",
                     interpreters[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_eq(gg_launcher_of(none[i]), GG_LAUNCHER_NONE, "%s", none[i]);
    cr_expect(gg_launcher_is_system("grep"));
    cr_expect(gg_launcher_is_system("/usr/bin/grep"));
    cr_expect_not(gg_launcher_is_system("./grep"));
    cr_expect_not(gg_launcher_is_system("/usr/local/bin/own"));
}

/* --- suppressions that valgrind itself was given ---------------------------------------- */

Test(doctor, what_valgrind_itself_hid_is_told_by_name)
{
    static const struct gg_suppcount counts[] = {{"one", 2}, {"two", 3}};
    run.suppcounts = counts;
    run.suppcount_count = 2;
    cr_expect_eq(examine(NULL, NULL), 0, "valgrind's own are no business of ours");
    cr_assert_eq(examine("--suppressions=ci/known.supp", NULL), 1);
    cr_expect_not(report.notes[0].incomplete);
    cr_expect(strstr(report.notes[0].text, "hid 5 errors (two: 3, one: 2)"), "%s",
              report.notes[0].text);
    cr_expect(strstr(report.notes[0].text, "ci/known.supp"));
    run.suppcount_count = 0;
    cr_expect_eq(examine("--suppressions=ci/known.supp", NULL), 0);
    cr_assert_eq(examine("--suppressions=ci/known.supp", "-q"), 1);
    cr_expect(strstr(report.notes[0].text, "not to count"));
    cr_assert_eq(examine("--suppressions=ci/known.supp", "--show-error-list=no"), 1);
}

Test(doctor, hidden_errors_of_all_runs_are_added_up)
{
    static const struct gg_suppcount counts[] = {{"one", 2}};
    struct gg_run two[] = {run, run};
    two[0].suppcounts = two[1].suppcounts = counts;
    two[0].suppcount_count = two[1].suppcount_count = 1;
    report.runs = two;
    report.run_count = 2;
    cr_assert_eq(examine("--suppressions=b", "--suppressions=a"), 1);
    cr_expect(strstr(report.notes[0].text, "hid 4 errors (one: 4)"));
    cr_expect(strstr(report.notes[0].text, "(a, b)"));
}
