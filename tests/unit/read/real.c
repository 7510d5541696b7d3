/* Reports that valgrind writes here and now. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "reading.h"

static const char program[] =
    "#include <stdlib.h>\n"                                          /* 1 */
    "#include <string.h>\n"                                          /* 2 */
    "#include <sys/prctl.h>\n"                                       /* 3 */
    "#include <sys/wait.h>\n"                                        /* 4 */
    "#include <unistd.h>\n"                                          /* 5 */
    "static char *make(void) { return malloc(10); }\n"               /* 6 */
    "static void drop(char *p) { free(p); }\n"                       /* 7 */
    "static int use(char *p) { return p[4]; }\n"                     /* 8 */
    "static int decide(int *p) { if (*p) return 1; return 0; }\n"    /* 9 */
    "int main(int argc, char **argv) {\n"                            /* 10 */
    "    int child = strcmp(argv[1], \"fork\") == 0 ? fork() : 0;\n" /* 11 */
    "    prctl(PR_SET_NAME, argv[1], 0, 0, 0);\n"                    /* 12 */
    "    char *p = make(); drop(p); volatile int sum = use(p);\n"    /* 13 */
    "    int *q = malloc(sizeof *q); sum += decide(q); free(q);\n"   /* 14 */
    "    p = malloc(77); p = NULL; if (argc > 9) abort();\n"         /* 15 */
    "    if (child > 0) wait(NULL);\n"                               /* 16 */
    "    return sum == 12345; }\n" /* 17 */;

static struct gg_arena arena;
static char *dir;

static void begin(void)
{
    struct gg_error err = {0};
    gg_arena_init(&arena);
    dir = gg_fs_temp_dir(&arena, &err);
    cr_assert_not_null(dir);
    FILE *file = fopen(gg_fs_join(&arena, dir, "prog.c"), "w");
    cr_assert_not_null(file);
    fputs(program, file);
    fclose(file);
    char *command =
        gg_arena_printf(&arena, "cd %s && cc -g -O0 -fno-inline -o prog prog.c 2>cc.log", dir);
    cr_assert_eq(system(command), 0);
}

static void end(void)
{
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(real, .init = begin, .fini = end);

static void run_valgrind(const char *options, const char *argument)
{
    char *command = gg_arena_printf(&arena,
                                    "cd %s && valgrind --xml=yes --xml-file=out.xml --vgdb=no "
                                    "--track-origins=yes --show-leak-kinds=all %s ./prog %s "
                                    ">log 2>&1",
                                    dir, options, argument);
    cr_assert_eq(system(command), 0);
}

static void run(struct reading *reading, const char *options, const char *argument)
{
    run_valgrind(options, argument);
    read_path(reading, gg_fs_join(&arena, dir, "out.xml"));
    cr_assert(reading->ok);
}

/* The lines of the program are numbered above. */
static void expect_frame(const struct gg_stack *stack, size_t at, const char *function,
                         uint32_t line)
{
    cr_assert_gt(stack->len, at);
    cr_expect_str_eq(stack->frames[at]->function, function);
    cr_expect_eq(stack->frames[at]->line, line);
    cr_expect_str_eq(stack->frames[at]->file, "prog.c");
}

static void expect_findings(const struct reading *reading, const char *thread)
{
    const struct gg_finding *invalid = finding_of(reading, "InvalidRead");
    cr_expect_str_eq(invalid->message, "Invalid read of size 1");
    cr_expect_str_eq(invalid->thread, thread);
    cr_assert_eq(invalid->stack_count, 3);
    expect_frame(&invalid->stacks[0], 0, "use", 8);
    expect_frame(&invalid->stacks[0], 1, "main", 13);
    cr_expect_eq(invalid->stacks[1].role, GG_ROLE_FREED);
    expect_frame(&invalid->stacks[1], 1, "drop", 7);
    cr_expect_eq(invalid->stacks[2].role, GG_ROLE_ALLOCATED);
    expect_frame(&invalid->stacks[2], 1, "make", 6);
    const struct gg_finding *condition = finding_of(reading, "UninitCondition");
    expect_frame(&condition->stacks[0], 0, "decide", 9);
    cr_expect_eq(condition->stacks[1].role, GG_ROLE_ORIGIN);
    expect_frame(&condition->stacks[1], 1, "main", 14);
    const struct gg_finding *leak = finding_of(reading, "Leak_DefinitelyLost");
    cr_expect_eq(leak->leak_bytes, 77);
    cr_expect_eq(leak->leak_blocks, 1);
    cr_expect(leak->witnesses[0].final);
    expect_frame(&leak->stacks[0], 1, "main", 15);
}

Test(real, a_plain_report)
{
    struct reading r;
    run(&r, "--gen-suppressions=all", "plain");
    cr_assert_eq(r.report.run_count, 1);
    const struct gg_run *report = &r.report.runs[0];
    cr_expect_eq(report->end, GG_END_FINISHED);
    cr_expect_eq(report->errors, 3);
    cr_expect_eq(report->repaired, 0);
    cr_expect_str_eq(report->tool, "memcheck");
    cr_expect_str_eq(report->command[1], "plain");
    cr_expect_eq(r.report.note_count, 0);
    expect_findings(&r, "plain");
    const struct gg_finding *invalid = finding_of(&r, "InvalidRead");
    cr_expect_str_eq(invalid->supp_kind, "Memcheck:Addr1");
    cr_expect_eq(invalid->supp_frame_count, invalid->stacks[0].len);
    cr_expect_str_eq(invalid->supp_frames[0], "fun:use");
    reading_free(&r);
}

Test(real, a_report_that_is_no_xml)
{
    struct reading r;
    run(&r, "--xml-user-comment='a & b <'", "'t&<x>'\"$(printf '\\351\\033')\"");
    const struct gg_run *report = &r.report.runs[0];
    cr_expect_eq(report->end, GG_END_FINISHED);
    cr_expect_eq(report->errors, 3);
    cr_expect_str_eq(report->command[1], "t&<x>\\xe9\\x1b");
    cr_expect_not_null(note_of(&r, "mended-text"));
    cr_expect_not_null(note_of(&r, "repaired-bytes"));
    expect_findings(&r, "t&<x>\\xe9\\x1b");
    reading_free(&r);
}

Test(real, two_processes_in_one_file)
{
    struct reading r;
    run(&r, "", "fork");
    cr_assert_eq(r.report.run_count, 1);
    cr_expect_eq(r.report.runs[0].end, GG_END_TRUNCATED);
    cr_expect_not_null(r.report.runs[0].detail);
    reading_free(&r);
}

Test(real, two_processes_in_two_files)
{
    struct reading r;
    run_valgrind("--xml-file=out.%p.xml", "fork");
    size_t count = 0, forked = 0;
    struct gg_error err = {0};
    char **names = gg_fs_list(&arena, dir, &count, &err);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(names[i], "out.", 4) != 0)
            continue;
        read_path(&r, gg_fs_join(&arena, dir, names[i]));
        cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
        cr_expect_eq(r.report.runs[0].errors, 3);
        forked += r.report.runs[0].forked;
        reading_free(&r);
    }
    cr_expect_eq(forked, 1);
}
