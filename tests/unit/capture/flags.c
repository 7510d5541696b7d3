#include "capture/flags.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "lab.h"

/* What a gate cannot be run with, and a word of the reason. */
struct refused {
    char option[48];
    char version[8];
    char reason[40];
};

static struct refused refused[] = {
    {"--xml=no", "3.19.0", "--keep"},
    {"--xml-file=a.xml", "3.19.0", "--keep"},
    {"--xml-fd=9", "3.19.0", "--keep"},
    {"--xml-socket=127.0.0.1:99", "3.19.0", "--keep"},
    {"--command-line-only=no", "3.19.0", "--valgrind-arg"},
    {"--xml-user-comment=<b>", "3.19.0", "markup"},
    {"--log-file=a.log", "3.19.0", "log"},
    {"--log-fd=2", "3.19.0", "log"},
    {"--log-socket=127.0.0.1:99", "3.19.0", "log"},
    {"-q", "3.19.0", "summaries"},
    {"--quiet", "3.19.0", "summaries"},
    {"--show-error-list=no", "3.19.0", "suppressions"},
    {"--tool=massif", "3.19.0", "memcheck, helgrind and drd"},
    {"--tool=none", "3.19.0", "memcheck, helgrind and drd"},
    {"--leak-check=no", "3.19.0", "--fail-on"},
    {"--leak-check=summary", "3.19.0", "--fail-on"},
    {"--show-leak-kinds=definite", "3.19.0", "--fail-on"},
    {"--show-leak-kinds=none", "3.19.0", "--fail-on"},
    {"--show-reachable=no", "3.19.0", "--fail-on"},
    {"--show-possibly-lost=no", "3.19.0", "--fail-on"},
    {"--leak-resolution=low", "3.19.0", "callers"},
    {"--xtree-leak=yes", "3.19.0", "not a report"},
    {"--keep-stacktraces=none", "3.19.0", "--keep-stacktraces=alloc"},
    {"--keep-stacktraces=free", "3.19.0", "--keep-stacktraces=alloc"},
    {"--trace-children=no", "3.19.0", "--trace-children-skip"},
    {"--child-silent-after-fork=yes", "3.19.0", "forked"},
    {"--exit-on-first-error=yes", "3.19.0", "later error"},
    {"--error-exitcode=1", "3.19.0", "exit status"},
    {"--error-limit=yes", "3.19.0", "limit"},
    {"--gen-suppressions=all", "3.19.0", "rules suggest"},
    {"--gen-suppressions=yes", "3.19.0", "rules suggest"},
    {"--demangle=yes", "3.19.0", "mangled"},
    {"--sym-offsets=yes", "3.19.0", "offsets"},
    {"--read-inline-info=no", "3.19.0", "inlined"},
    {"--vgdb-error=0", "3.19.0", "debugger"},
    {"--vgdb-stop-at=startup", "3.19.0", "debugger"},
    {"--wait-for-gdb=yes", "3.19.0", "debugger"},
    {"-h", "3.19.0", "nothing"},
    {"--help", "3.19.0", "nothing"},
    {"--help-debug", "3.19.0", "nothing"},
    {"--help-dyn-options", "3.19.0", "nothing"},
    {"--version", "3.19.0", "nothing"},
    {"--num-callers=3", "3.19.0", "4 or more"},
    {"--num-callers=0", "3.19.0", "4 or more"},
    {"--track-fds=yes", "3.19.0", "3.25"},
    {"--track-fds=all", "3.24.0", "3.25"},
    {"--", "3.19.0", "not an option"},
    {"program", "3.19.0", "not an option"},
    {"", "3.19.0", "not an option"},
};

ParameterizedTestParameters(flags, refuses)
{
    return cr_make_param_array(struct refused, refused, sizeof refused / sizeof *refused);
}

ParameterizedTest(struct refused *row, flags, refuses)
{
    const char *const args[] = {"-v", row->option, "--num-callers=50", NULL};
    struct gg_error err = {0};
    cr_assert_not(gg_flags_check(args, row->version, &err), "%s", row->option);
    cr_expect(strstr(err.text, row->option) && strstr(err.text, row->reason), "%s", err.text);
    cr_expect_not(strchr(err.text, '\n'));
}

/* A misspelt name in the table would refuse nothing: each stands in valgrind's own help. */
Test(flags, names_are_those_of_valgrind)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_str help;
    const char *const argv[] = {"valgrind", "--help-debug", NULL};
    cr_assert_eq(gg_proc_hear(&arena, argv, 1 << 20, 60, &help), 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char name[48];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(refused[i].option, "="),
                 refused[i].option);
        if (name[0] == '-' && strcmp(name, "--") != 0)
            cr_expect_neq(gg_str_find(help, name), SIZE_MAX, "%s", name);
    }
    gg_arena_free(&arena);
}

Test(flags, lets_the_rest_pass)
{
    static const char *const args[] = {"-v",
                                       "-s",
                                       "--xml=yes",
                                       "--leak-check=full",
                                       "--leak-check=yes",
                                       "--show-leak-kinds=all",
                                       "--show-reachable=yes",
                                       "--keep-stacktraces=alloc",
                                       "--trace-children=yes",
                                       "--trace-children-skip=*/git",
                                       "--error-exitcode=0",
                                       "--gen-suppressions=no",
                                       "--demangle=no",
                                       "--num-callers=4",
                                       "--num-callers=500",
                                       "--default-suppressions=no",
                                       "--suppressions=a.supp",
                                       "--track-origins=no",
                                       "--undef-value-errors=no",
                                       "--track-fds=no",
                                       "--vgdb=no",
                                       "--xtree-leak-file=a",
                                       "--tool=drd",
                                       NULL};
    struct gg_error err = {0};
    cr_expect(gg_flags_check(args, "3.19.0", &err), "%s", err.text);
    cr_expect(gg_flags_check(NULL, "3.19.0", &err));
    const char *const fds[] = {"--track-fds=yes", NULL};
    cr_expect(gg_flags_check(fds, "3.25.0", &err), "%s", err.text);
    cr_expect(gg_flags_check(fds, "4.0", &err), "%s", err.text);
}

Test(flags, knows_the_tool)
{
    cr_expect_str_eq(gg_flags_tool(NULL), "memcheck");
    const char *const args[] = {"--tool=drd", "-v", "--tool=helgrind", NULL};
    cr_expect_str_eq(gg_flags_tool(args), "helgrind");
}

static struct lab lab;

static void begin(void)
{
    lab_open(&lab);
    setenv("HOME", lab.dir, 1);
    unsetenv("VALGRIND_OPTS");
    cr_assert_eq(chdir("/"), 0);
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(flags_unread, .init = begin, .fini = end);

Test(flags_unread, are_named)
{
    cr_expect_null(gg_flags_unread(&lab.arena));
    setenv("VALGRIND_OPTS", "", 1);
    cr_expect_null(gg_flags_unread(&lab.arena));
    setenv("VALGRIND_OPTS", "-v", 1);
    cr_expect_str_eq(gg_flags_unread(&lab.arena), "VALGRIND_OPTS");
    FILE *out = fopen(lab_path(&lab, ".valgrindrc"), "w");
    cr_assert(out && fclose(out) == 0);
    cr_expect_str_eq(gg_flags_unread(&lab.arena), "VALGRIND_OPTS, ~/.valgrindrc");
    unsetenv("HOME");
    unsetenv("VALGRIND_OPTS");
    cr_expect_null(gg_flags_unread(&lab.arena));
    cr_assert_eq(chdir(lab.dir), 0);
    cr_expect_str_eq(gg_flags_unread(&lab.arena), "./.valgrindrc");
}
