/* What CTest 3.25 wrote for each status, and what it never writes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/ctest_results.h"

static struct gg_arena arena;
static struct gg_ctest_results results;
static struct gg_error err;
static char path[] = "/tmp/ctest-results-XXXXXX";

static void begin(void)
{
    gg_arena_init(&arena);
    close(mkstemp(path));
}

static void end(void)
{
    unlink(path);
    gg_arena_free(&arena);
}

TestSuite(ctest_results, .init = begin, .fini = end);

#define HEAD                                       \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
    "<testsuite name=\"Linux-cc\"\n\ttests=\"2\"\n\ttime=\"0\"\n\t>\n"
#define TEST(name, status, inner)                                                        \
    "\t<testcase name=\"" name "\" classname=\"" name "\" time=\"0.5\" status=\"" status \
    "\">\n\t\t" inner "\n\t\t<system-out>&lt;out&gt; ]]&gt;</system-out>\n\t</testcase>\n"
#define TAIL "</testsuite>\n"

static bool read_n(const char *text, size_t len)
{
    FILE *file = fopen(path, "w");
    fwrite(text, 1, len, file);
    fclose(file);
    err = (struct gg_error){0};
    return gg_ctest_results_read(&arena, path, &results, &err);
}

static bool read_text(const char *text)
{
    return read_n(text, strlen(text));
}

Test(ctest_results, every_status_is_known)
{
    static const struct {
        const char *name;
        enum gg_test_state state;
        const char *detail;
    } wanted[] = {
        {"good", GG_TEST_PASSED, NULL},
        {"bad", GG_TEST_FAILED, NULL},
        {"regex", GG_TEST_FAILED, "Error regular expression found in output. Regex=[<a>]"},
        {"code", GG_TEST_SKIPPED, "SKIP_RETURN_CODE=7"},
        {"match", GG_TEST_SKIPPED, "SKIP_REGULAR_EXPRESSION_MATCHED"},
        {"gone", GG_TEST_NOT_RUN, "Unable to find executable"},
        {"off", GG_TEST_DISABLED, NULL}};
    cr_assert(read_text(
        HEAD TEST("good", "run", "") TEST("bad", "fail", "<failure message=\"\"/>")
            TEST("regex", "fail",
                 "<failure message=\"Error regular expression found in output. "
                 "Regex=[&lt;a&gt;]\"/>") TEST("code", "notrun",
                                               "<skipped message=\"SKIP_RETURN_CODE=7\"/>")
                TEST("match", "notrun", "<skipped message=\"SKIP_REGULAR_EXPRESSION_MATCHED\"/>")
                    TEST("gone", "notrun", "<skipped message=\"Unable to find executable\"/>")
                        TEST("off", "disabled", "") TAIL));
    cr_assert_eq(results.tests.len, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < results.tests.len; i++) {
        cr_expect_str_eq(results.tests.at[i].name, wanted[i].name);
        cr_expect_eq(results.tests.at[i].state, wanted[i].state, "%s", wanted[i].name);
        if (wanted[i].detail)
            cr_expect_str_eq(results.tests.at[i].detail, wanted[i].detail);
        else
            cr_expect_null(results.tests.at[i].detail);
    }
}

Test(ctest_results, names_come_whole)
{
    cr_assert(read_text(HEAD TEST("&lt;&amp;&gt; &quot;q&quot; ]=] ;", "run", "")
                            TEST("same", "run", "") TEST("same", "fail", "") TAIL));
    cr_assert_eq(results.tests.len, 3);
    cr_expect_str_eq(results.tests.at[0].name, "<&> \"q\" ]=] ;");
    cr_expect_str_eq(results.tests.at[2].name, "same");
}

/* Cut anywhere behind the first test, it is an error, not a suite of fewer tests. */
Test(ctest_results, a_cut_file_is_an_error)
{
    static const char whole[] = HEAD TEST("a", "run", "") TEST("b", "fail", "") TAIL;
    for (size_t len = 0; len < sizeof whole - 2; len++)
        cr_assert_not(read_n(whole, len), "%zu bytes", len);
    cr_assert(read_n(whole, sizeof whole - 1));
}

Test(ctest_results, what_ctest_never_writes_is_an_error)
{
    static const char *const texts[] = {
        "",
        "no XML",
        "<valgrindoutput></valgrindoutput>",
        HEAD "<testcase name=\"a\"/>" TAIL,
        HEAD TEST("a", "odd", "") TAIL,
        HEAD "<testcase status=\"run\"/>" TAIL,
        ("<!DOCTYPE testsuite [<!ENTITY a \"run\">]>\n<testsuite><testcase name=\"a\" "
         "status=\"&a;\"/></testsuite>")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_not(read_text(texts[i]), "%s", texts[i]);
        cr_expect_neq(err.text[0], '\0');
    }
    cr_expect_not(gg_ctest_results_read(&arena, "/no/such/file", &results, &err));
}

Test(ctest_results, depth_has_an_end)
{
    char text[4096] = HEAD;
    size_t len = strlen(text);
    for (int i = 0; i < 100; i++)
        len += (size_t)sprintf(text + len, "<a>");
    cr_expect_not(read_text(text));
    cr_expect_not_null(strstr(err.text, "nested too deep"));
}
