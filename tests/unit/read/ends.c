/* How a document ends, and what is said of it. */
#include <criterion/criterion.h>
#include <string.h>

#include "reading.h"

/* `part` of the sentence; NULL: there is none. */
static void check(const char *text, enum gg_end end, bool forked, const char *part)
{
    struct reading r;
    read_text(&r, text);
    cr_assert(r.ok);
    cr_assert_eq(r.report.run_count, 1);
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_eq(run->end, end);
    cr_expect_eq(run->forked, forked);
    if (part)
        cr_expect(run->detail && strstr(run->detail, part), "%s", run->detail);
    else
        cr_expect_null(run->detail);
    reading_free(&r);
}

Test(ends, a_whole_report_is_finished)
{
    check(WHOLE(ERROR_AT("0x0", "9")), GG_END_FINISHED, false, NULL);
}

Test(ends, a_forked_child_has_no_running_status)
{
    check(HEAD ERROR_AT("0x5", "9") FINISHED COUNTS END, GG_END_FINISHED, true, NULL);
    check(HEAD FINISHED COUNTS END, GG_END_FINISHED, true, NULL);
    check(HEAD ERROR_AT("0x5", "9"), GG_END_TRUNCATED, true, "before the program's end");
}

Test(ends, a_head_alone_says_nothing_of_the_program)
{
    check(HEAD, GG_END_TRUNCATED, false, "no more than its head");
    check(DECLARATION ROOT PROCESS("1", "0"), GG_END_TRUNCATED, false, "in its head");
    check("<?xml version=\"1.0\"?>\n", GG_END_TRUNCATED, false, "no report in it");
    check("<?xml vers", GG_END_TRUNCATED, false, "no report in it");
    check("<?x", GG_END_TRUNCATED, false, "no report in it");
}

Test(ends, a_killed_program_leaves_an_open_report)
{
    check(HEAD RUNNING, GG_END_TRUNCATED, false, "before the program's end");
    check(HEAD RUNNING ERROR_AT("0x0", "9"), GG_END_TRUNCATED, false, "before the program's end");
    check(HEAD RUNNING FINISHED, GG_END_TRUNCATED, false, "after the program's end");
    check(HEAD RUNNING FINISHED COUNTS "</valgrindoutpu", GG_END_TRUNCATED, false,
          "after the program's end");
}

Test(ends, a_report_that_is_closed_too_early_is_not_finished)
{
    check(HEAD RUNNING END, GG_END_TRUNCATED, false, "gave up before the program ran");
    check(HEAD RUNNING ERROR_AT("0x0", "9") END, GG_END_TRUNCATED, false,
          "closed the report before");
    check(DECLARATION ROOT PROCESS("1", "0") ARGS_WITH("    <arg>--exit-on-first-error=yes</arg>\n")
              RUNNING ERROR_AT("0x0", "9") END,
          GG_END_TRUNCATED, false, "--exit-on-first-error");
}

Test(ends, elements_behind_the_end_make_a_report_incomplete)
{
    check(WHOLE("") STACK("f", "1"), GG_END_TRUNCATED, false, "goes on behind its end, line 49");
    check(WHOLE("") END, GG_END_TRUNCATED, false, "goes on behind its end");
    check(WHOLE("") FINISHED COUNTS END, GG_END_TRUNCATED, false, "goes on behind its end");
}

Test(ends, text_behind_the_end_is_only_told)
{
    struct reading r;
    read_text(&r, WHOLE("") "all tests passed, 3 < 4\n");
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_not_null(note_of(&r, "text-after"));
    cr_expect_str_eq(note_of(&r, "text-after")->where, "in.xml:49");
    reading_free(&r);
}

Test(ends, text_before_the_report_is_only_told)
{
    struct reading r;
    read_text(&r, "\n==1== Memcheck\nand more <b>\n" WHOLE(ERROR_AT("0x0", "9")));
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.runs[0].errors, 1);
    cr_expect_str_eq(note_of(&r, "text-before")->where, "in.xml:2");
    reading_free(&r);
}

/* exec under --xml-fd: the process, and so its number, stays the same. */
Test(ends, a_program_that_was_replaced_keeps_its_errors)
{
    struct reading r;
    read_text(
        &r, HEAD RUNNING ERROR_AT("0x0", "9") DECLARATION ROOT PROCESS(
                "42", "41") "<args><vargv><exe>valgrind</exe></vargv><argv><exe>./next</exe></argv>"
                            "</args>\n" RUNNING ERROR_AT("0x0", "30") FINISHED COUNTS END);
    cr_assert_eq(r.report.run_count, 2);
    const struct gg_run *first = &r.report.runs[r.report.runs[0].document == 0 ? 0 : 1];
    const struct gg_run *second = &r.report.runs[r.report.runs[0].document == 0 ? 1 : 0];
    cr_expect_eq(first->end, GG_END_REPLACED);
    cr_expect_not_null(strstr(first->detail, "exec"));
    cr_expect_eq(first->errors, 1);
    cr_expect_eq(second->end, GG_END_FINISHED);
    cr_expect_eq(second->errors, 1);
    cr_expect_eq(r.report.finding_count, 2);
    reading_free(&r);
}

/* Every run in a container may be process 1; the first was killed. */
Test(ends, the_same_program_again_is_no_exec)
{
    struct reading r;
    read_text(&r, HEAD RUNNING WHOLE(""));
    cr_assert_eq(r.report.run_count, 2);
    cr_expect_eq(r.report.runs[0].end + r.report.runs[1].end, GG_END_TRUNCATED + GG_END_FINISHED);
    reading_free(&r);
}

Test(ends, a_cut_report_before_that_of_another_process_was_not_replaced)
{
    struct reading r;
    read_text(&r,
              HEAD RUNNING DECLARATION ROOT PROCESS("43", "41") ARGS RUNNING FINISHED COUNTS END);
    cr_assert_eq(r.report.run_count, 2);
    cr_expect_eq(r.report.runs[0].end + r.report.runs[1].end, GG_END_TRUNCATED + GG_END_FINISHED);
    reading_free(&r);
}

Test(ends, a_report_cut_within_an_error_was_not_replaced)
{
    struct reading r;
    read_text(&r, HEAD RUNNING "<error>\n  <unique>0x0</unique>\n" WHOLE(""));
    cr_assert_eq(r.report.run_count, 2);
    cr_expect_eq(r.report.runs[0].end + r.report.runs[1].end, GG_END_TRUNCATED + GG_END_FINISHED);
    reading_free(&r);
}

/* Where exec may have cut it: behind the head, a status or an error. */
Test(ends, a_cut_between_two_items_is_told_from_others)
{
    static const char text[] = HEAD RUNNING ERROR_AT("0x0", "9");
    unsigned between = 0;
    for (size_t len = 1; len < sizeof text; len++) {
        char *part = strndup(text, len);
        struct gg_str trimmed = gg_str_trim(gg_str(part));
        bool expected = gg_str_ends(trimmed, "</args>") || gg_str_ends(trimmed, "</status>") ||
                        gg_str_ends(trimmed, "</error>");
        struct reading r;
        read_text(&r, part);
        cr_expect_eq(r.report.run_count && r.report.runs[0].cut_between, expected, "%zu: %s", len,
                     part);
        between += expected;
        reading_free(&r);
        free(part);
    }
    cr_expect_geq(between, 3);
}

Test(ends, a_report_may_begin_in_the_middle_of_a_line)
{
    struct reading r;
    read_text(&r, HEAD RUNNING ERROR_AT("0x0",
                                        "9") "<error>\n  <kind>Unini" WHOLE(ERROR_AT("0x0", "30")));
    cr_assert_eq(r.report.run_count, 2);
    cr_expect_eq(r.report.runs[0].errors + r.report.runs[1].errors, 2);
    reading_free(&r);
}

Test(ends, reports_may_follow_each_other)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_AT("0x0", "9")) WHOLE(ERROR_AT("0x0", "9"))
                      DECLARATION ROOT PROCESS("77", "1") ARGS RUNNING FINISHED COUNTS END);
    cr_assert_eq(r.report.run_count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(r.report.runs[i].end, GG_END_FINISHED);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(ends, without_declarations_too)
{
    struct reading r;
    read_text(&r, ROOT PROCESS("1", "0") ARGS RUNNING FINISHED COUNTS END ROOT PROCESS("2", "0")
                      ARGS RUNNING FINISHED COUNTS END);
    cr_assert_eq(r.report.run_count, 2);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.runs[1].end, GG_END_FINISHED);
    reading_free(&r);
}

Test(ends, a_report_without_its_beginning_keeps_its_errors)
{
    struct reading r;
    read_text(&r, ERROR_AT("0x0", "9") FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].end, GG_END_TRUNCATED);
    cr_expect_not_null(strstr(r.report.runs[0].detail, "beginning"));
    cr_expect_eq(r.report.runs[0].errors, 1);
    reading_free(&r);
}
