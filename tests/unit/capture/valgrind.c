#include "capture/valgrind.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lab.h"

static struct lab lab;

static void begin(void)
{
    lab_open(&lab);
    static const char *const program[] = {"./a.out", "-x", NULL};
    lab.options.command = program;
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(valgrind, .init = begin, .fini = end);

static const char *const *command(const char *const *args)
{
    lab.options.valgrind_args = args;
    const char *const *argv = gg_valgrind_command(&lab.arena, &lab.options, "/50%/p", &lab.err);
    cr_assert(argv, "%s", lab.err.text);
    return argv;
}

/* Where the word stands; -1: nowhere. */
static int place(const char *const *argv, const char *word)
{
    for (int i = 0; argv[i]; i++) {
        if (strcmp(argv[i], word) == 0)
            return i;
    }
    return -1;
}

Test(valgrind, gets_what_a_gate_needs)
{
    const char *const *argv = command(NULL);
    cr_expect_str_eq(argv[0], "valgrind");
    static const char *const needed[] = {
        "--tool=memcheck",         "--xml=yes",         "--xml-file=/50%%/p/%p.xml",
        "--trace-children=yes",    "--leak-check=full", "--log-file=/50%%/p/valgrind.log",
        "--show-leak-kinds=all",   "--num-callers=40",  "--track-origins=yes",
        "--keep-debuginfo=yes",    "--demangle=no",     "--vgdb=no",
        "--command-line-only=yes",
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        cr_expect_gt(place(argv, needed[i]), 0, "%s", needed[i]);
    int end = place(argv, "--");
    cr_expect_str_eq(argv[end + 1], "./a.out");
    cr_expect_str_eq(argv[end + 2], "-x");
    cr_expect_null(argv[end + 3]);
}

Test(valgrind, gets_the_users_options_last)
{
    const char *const args[] = {"--num-callers=12", "-v", NULL};
    const char *const *argv = command(args);
    int end = place(argv, "--");
    cr_expect_eq(place(argv, "--num-callers=12"), end - 2);
    cr_expect_eq(place(argv, "-v"), end - 1);
}

Test(valgrind, gets_no_origins_without_undefined_values)
{
    const char *const args[] = {"--undef-value-errors=no", NULL};
    const char *const *argv = command(args);
    cr_expect_eq(place(argv, "--track-origins=yes"), -1);
}

Test(valgrind, gets_no_memcheck_options_for_other_tools)
{
    static const char *const only[] = {"--leak-check=full",      "--show-leak-kinds=all",
                                       "--leak-resolution=high", "--track-origins=yes",
                                       "--xtree-leak=no",        "--undef-value-errors=yes",
                                       "--tool=memcheck"};
    const char *const args[] = {"--tool=drd", NULL};
    const char *const *argv = command(args);
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        cr_expect_eq(place(argv, only[i]), -1, "%s", only[i]);
    cr_expect_eq(place(argv, "--tool=drd"), 1);
}

static const char *version_of(const char *words)
{
    FILE *out = fopen(lab_path(&lab, "fake"), "w");
    cr_assert(out);
    fprintf(out, "#!/bin/sh\n[ \"$*\" = --version ] && printf '%s'\n", words);
    cr_assert(fchmod(fileno(out), 0700) == 0 && fclose(out) == 0);
    lab.err.set = false;
    return gg_valgrind_version(&lab.arena, lab_path(&lab, "fake"), &lab.err);
}

Test(valgrind, tells_its_version)
{
    cr_expect_str_eq(version_of("valgrind-3.19.0\\n"), "3.19.0");
    cr_expect_str_eq(version_of("valgrind-3.24.0.RC1"), "3.24.0.RC1");
    cr_expect_str_eq(version_of("valgrind-3.19.0-8d3c8034b8-20220411\\n"), "3.19.0");
    cr_expect_str_eq(version_of("ld.so: warning: x\\nvalgrind-3.27.1\\n"), "3.27.1");
    cr_expect_null(version_of("valgrind-\\n"));
    cr_expect_null(version_of("valgrind: failed to start tool\\n"));
    cr_expect(strstr(lab.err.text, "says \"valgrind: failed to start tool\""), "%s", lab.err.text);
    cr_expect_null(version_of(""));
}
