/* The program of a report, as valgrind itself wrote it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/program.h"

static struct gg_arena arena;
static char dir[] = "/tmp/gg-program-XXXXXX";

static void begin(void)
{
    gg_arena_init(&arena);
    cr_assert(mkdtemp(dir) && chdir(dir) == 0);
}

static void end(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", dir);
    cr_assert_eq(system(command), 0);
    gg_arena_free(&arena);
}

TestSuite(program, .init = begin, .fini = end, .timeout = 120);

static const char *program_of(const char *path)
{
    return gg_read_program(&arena, path);
}

static void put(const char *text)
{
    FILE *out = fopen("r.xml", "w");
    cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

Test(program, is_named_as_it_was_run)
{
    static const char *const names[] = {"./true", "./a&b<c>d;amp;", "./two words", "./\xe9\xff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_assert_eq(symlink("/bin/true", names[i]), 0);
        char command[200];
        snprintf(command, sizeof command,
                 "valgrind -q --xml=yes --xml-file=r.xml --xml-user-comment='<x/>' '%s' '<argv>'",
                 names[i]);
        cr_assert_eq(system(command), 0);
        cr_expect_str_eq(program_of("r.xml"), names[i]);
    }
}

Test(program, of_what_is_no_report_is_not_known)
{
    static const char *const texts[] = {"", "<argv>", "<exe>./t</exe>", "<argv> <exe>./t",
                                        "<vargv><exe>valgrind</exe></vargv>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put(texts[i]);
        cr_expect_null(program_of("r.xml"), "%s", texts[i]);
    }
    cr_expect_null(program_of("nothing.xml"));
    cr_expect_null(program_of("."));
    cr_assert_eq(mkfifo("pipe.xml", 0600), 0);
    cr_expect_null(program_of("pipe.xml"));
}
