/* What CTest says, what is made of timeouts; the rest is tests/e2e/ctest_suite.py. */
#include <criterion/criterion.h>
#include <string.h>

#include "capture/suite_command.h"
#include "capture/suite_file.h"
#include "capture/suite_lines.h"

static struct gg_arena arena;
static struct gg_options options;
static struct gg_suite suite;

static void begin(void)
{
    gg_arena_init(&arena);
    options = (struct gg_options){.timeout_factor = 10};
    suite = (struct gg_suite){.options = &options, .shadow = "/s", .results = "/s/results.xml"};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(suite, .init = begin, .fini = end);

static void hear(const char *line)
{
    gg_suite_line(&arena, &suite, gg_str(line));
}

Test(suite, counts_tests)
{
    hear("Test project /src/build");
    hear("      Start 15: setup");
    cr_assert_eq(suite.tests, 0);
    hear(" 1/21 Test #15: setup ............................   Passed    1.01 sec");
    cr_assert_eq(suite.tests, 21);
    cr_assert_eq(suite.done, 1);
    hear("21/21 Test  #8: x ................................   Passed    0.50 sec");
    cr_assert_eq(suite.done, 21);
    hear("22/zz Test  #8: x ................................   Passed    0.50 sec");
    hear("99999999999999999999/1 Test #1: x ... Passed");
    cr_assert_eq(suite.done, 21);
    cr_assert_eq(suite.remarks.len, 0);
}

static void expect_remark(const char *line, const char *name, const char *text)
{
    size_t before = suite.remarks.len;
    hear(line);
    cr_assert_eq(suite.remarks.len, before + 1, "%s", line);
    cr_expect_str_eq(suite.remarks.at[before].name, name);
    cr_expect_str_eq(suite.remarks.at[before].text, text);
}

Test(suite, keeps_what_is_said_of_a_failure)
{
    expect_remark("21/21 Test  #8: to ...............................***Timeout   0.50 sec", "to",
                  "Timeout");
    expect_remark(" 7/21 Test  #7: two words ........................***Exception: SegFault  0.00 "
                  "sec",
                  "two words", "Exception: SegFault");
    expect_remark("12/21 Test #12: dis ..............................***Not Run (Disabled)   0.00 "
                  "sec",
                  "dis", "Not Run (Disabled)");
    size_t before = suite.remarks.len;
    hear(" 3/21 Test  #2: fail .............................***Failed    0.00 sec");
    cr_assert_eq(suite.remarks.len, before);
}

Test(suite, knows_when_there_is_nothing)
{
    hear("No tests were found!!!");
    cr_assert(suite.found_none);
}

Test(suite, scales_seconds)
{
    cr_expect_str_eq(gg_suite_scale(&arena, "1500", 10), "15000");
    cr_expect_str_eq(gg_suite_scale(&arena, "0.5", 3), "1.5");
    cr_expect_str_eq(gg_suite_scale(&arena, "2.5", 4), "10");
    cr_expect_str_eq(gg_suite_scale(&arena, "0", 10), "0");
    cr_expect_str_eq(gg_suite_scale(&arena, "", 10), "");
    cr_expect_str_eq(gg_suite_scale(&arena, "soon", 10), "soon");
    cr_expect_str_eq(gg_suite_scale(&arena, "-1", 10), "-1");
}

static void expect_command(const char *const *wanted)
{
    const char *const *words = gg_suite_command(&arena, &suite);
    size_t i = 0;
    for (; wanted[i]; i++)
        cr_assert_str_eq(words[i], wanted[i]);
    cr_assert_null(words[i]);
}

Test(suite, arguments_are_handed_on_and_a_timeout_is_scaled)
{
    static const char *const given[] = {"-R",        "a b", "--timeout", "30", "--timeout=0.5",
                                        "--timeout", NULL};
    expect_command((const char *const[]){"ctest", "--test-dir", "/s", "--output-junit",
                                         "/s/results.xml", NULL});
    options.command = given;
    options.jobs = 4;
    expect_command((const char *const[]){"ctest", "--test-dir", "/s", "--output-junit",
                                         "/s/results.xml", "-j", "4", "-R", "a b", "--timeout",
                                         "300", "--timeout=5", "--timeout", NULL});
}
