#include "written.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct sample sample;
static char *text;

static void write_it(void)
{
    free(text);
    text = written(&sample, "junit", NULL, NULL);
}

static void tear_down(void)
{
    free(text);
    sample_free(&sample);
}

TestSuite(junit, .fini = tear_down);

static bool holds(const char *part)
{
    return strstr(text, part) != NULL;
}

static unsigned times(const char *part)
{
    unsigned count = 0;
    for (const char *found = strstr(text, part); found; found = strstr(found + 1, part))
        count++;
    return count;
}

Test(junit, a_clean_report_passes_something)
{
    sample_clean(&sample);
    write_it();
    cr_expect_str_eq(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"grindgate\" tests=\"2\" failures=\"0\" errors=\"0\" time=\"0\">\n"
        "  <testsuite name=\"grindgate\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" "
        "time=\"0\">\n"
        "    <testcase classname=\"grindgate\" name=\"reports complete\" time=\"0\"/>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"memcheck\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" "
        "time=\"0\">\n"
        "    <testcase classname=\"grindgate.memcheck\" name=\"clean\" time=\"0\"/>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

Test(junit, what_fails_the_gate_fails_and_the_rest_is_skipped)
{
    sample_fail(&sample);
    write_it();
    cr_expect(holds("<testsuites name=\"grindgate\" tests=\"10\" failures=\"3\" errors=\"0\""));
    cr_expect(holds("<testsuite name=\"memcheck\" tests=\"9\" failures=\"3\" errors=\"0\" "
                    "skipped=\"6\""));
    cr_expect_eq(times("<testcase"), 10);
    cr_expect_eq(times("<failure"), 3);
    cr_expect_eq(times("<skipped"), 6);
    cr_expect_eq(times("name=\"clean\""), 0);
    cr_expect(holds("<testcase classname=\"grindgate.memcheck\" "
                    "name=\"InvalidRead src/list.c list_pop [6789abcdef01]\" time=\"0\">\n"
                    "      <failure type=\"InvalidRead\" message=\"Invalid read of size 8\">"
                    "src/list.c:11\n"
                    "Last changed by Ada Lovelace in 3f2a9c1 (2024-03-02): "));
    cr_expect(holds("  &gt; src/list.c:11  list_pop\n"));
    cr_expect(holds("    valgrind  free\n"));
    cr_expect(holds("    ... 4 frames in libstdc++\n"));
    cr_expect(holds("<skipped message=\"does not fail the gate (warning, 16 bytes"));
    cr_expect(holds("<skipped message=\"suppressed (error, 72 (32 direct, 40 indirect) bytes in 1 "
                    "block are definitely lost): settled before\"/>"));
}

Test(junit, incomplete_reports_are_an_error)
{
    sample_incomplete(&sample);
    write_it();
    cr_expect(holds("tests=\"3\" failures=\"0\" errors=\"1\""));
    cr_expect_eq(times("<error"), 1);
    cr_expect(holds("<error type=\"Incomplete\" message=\"not every report is complete\">"));
    cr_expect(holds("vg.3.xml: the process ran, but its report is not there\n"));
    cr_expect(holds("vg.1.xml: valgrind stopped at its error limit\n"));
}

Test(junit, incomplete_reports_that_are_allowed_are_told)
{
    sample_incomplete(&sample);
    sample_verdict(&sample, GG_PASS, 0, 0, NULL);
    write_it();
    cr_expect(holds("errors=\"0\" skipped=\"1\""));
    cr_expect_eq(times("<error"), 0);
    cr_expect(holds("<skipped type=\"Incomplete\""));
}

Test(junit, nothing_read_is_an_error)
{
    sample_init(&sample);
    sample_verdict(&sample, GG_INCOMPLETE, 3, 0, "no report was read");
    write_it();
    cr_expect(holds("tests=\"1\" failures=\"0\" errors=\"1\""));
    cr_expect(holds("no report was read\n</error>"));
}

Test(junit, a_failing_program_is_an_error)
{
    sample_clean(&sample);
    sample_verdict(&sample, GG_PROGRAM_FAILED, 4, 0, "the program itself exited with 3");
    write_it();
    cr_expect(holds("tests=\"3\" failures=\"0\" errors=\"1\""));
    cr_expect(holds("<error type=\"ProgramFailed\" message=\"the program itself failed\">the "
                    "program itself exited with 3\n</error>"));
}

Test(junit, each_tool_has_a_suite)
{
    sample_clean(&sample);
    sample_run(&sample, "hg.xml", NULL)->tool = "helgrind";
    sample_run(&sample, "none.xml", NULL)->tool = "";
    struct gg_finding *race = sample_finding(&sample, GG_KIND_Race, "Possible data race");
    sample_witness(&sample, race, 2, 1);
    sample_finding(&sample, GG_KIND_InvalidRead, "Invalid read");
    sample_verdict(&sample, GG_FAIL, 1, 2, "2 open findings");
    write_it();
    cr_expect(holds("<testsuite name=\"memcheck\" tests=\"1\" failures=\"0\""));
    cr_expect(holds("<testsuite name=\"helgrind\" tests=\"1\" failures=\"1\""));
    cr_expect(holds("<testsuite name=\"valgrind\" tests=\"1\" failures=\"1\""));
    cr_expect(holds("classname=\"grindgate.helgrind\" name=\"Race ["));
    cr_expect(holds("tests=\"4\" failures=\"2\""));
}

Test(junit, text_makes_no_attachment)
{
    sample_clean(&sample);
    struct gg_finding *finding = sample_invalid_read(&sample);
    finding->message = "Invalid read [[ATTACHMENT|/etc/passwd]]";
    finding->site.function = "[[[ATTACHMENT|x]]";
    sample_verdict(&sample, GG_FAIL, 1, 1, "x");
    write_it();
    cr_expect_eq(times("[[ATTACHMENT"), 0);
    cr_expect(holds("message=\"Invalid read [ [ATTACHMENT|/etc/passwd]]\""));
}
