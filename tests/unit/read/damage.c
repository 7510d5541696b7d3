/* Reports that no parser takes as they stand. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reading.h"

Test(damage, bytes_that_are_not_utf8_are_shown)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH(
                      "0x0", "InvalidRead",
                      "  <what>Invalid read of size 1</what>\n" STACK("caf\xE9\x1B[1m", "1"))));
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_eq(run->end, GG_END_FINISHED);
    cr_expect_eq(run->repaired, 2);
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->stacks[0].frames[0]->symbol,
                     "caf\\xe9\\x1b[1m");
    cr_expect_str_eq(note_of(&r, "repaired-bytes")->where, "in.xml");
    cr_expect_not(note_of(&r, "repaired-bytes")->incomplete);
    reading_free(&r);
}

Test(damage, repaired_bytes_are_counted_for_their_own_document)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "A", "  <what>\x01</what>\n"))
                      DECLARATION ROOT PROCESS("77", "1")
                          ARGS RUNNING ERROR_WITH("0x0", "A", "  <what>\x01\x02\x03</what>\n")
                              FINISHED COUNTS END);
    cr_assert_eq(r.report.run_count, 2);
    bool first = r.report.runs[0].document == 0;
    cr_expect_eq(r.report.runs[first ? 0 : 1].repaired, 1);
    cr_expect_eq(r.report.runs[first ? 1 : 0].repaired, 3);
    reading_free(&r);
}

Test(damage, a_byte_order_mark_is_no_text)
{
    struct reading r;
    read_text(&r, "\xEF\xBB\xBF" WHOLE(""));
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(damage, another_encoding_is_converted)
{
    struct reading r;
    read_text(&r, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" ROOT PROCESS("1", "0")
                      ARGS RUNNING ERROR_WITH("0x0", "InvalidRead",
                                              "  <what>Invalid read of size 1</what>\n" STACK(
                                                  "caf\xE9", "1")) FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->stacks[0].frames[0]->symbol, "caf\xC3\xA9");
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

/* As PowerShell's > writes it. */
Test(damage, utf16_is_converted)
{
    static const char text[] = WHOLE(ERROR_AT("0x0", "9"));
    size_t len = sizeof text - 1;
    char *wide = malloc(2 * len + 2);
    memcpy(wide, "\xFF\xFE", 2);
    for (size_t i = 0; i < len; i++) {
        wide[2 + 2 * i] = text[i];
        wide[3 + 2 * i] = '\0';
    }
    struct reading r;
    read_bytes(&r, wide, 2 * len + 2);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.runs[0].errors, 1);
    reading_free(&r);
    read_bytes(&r, wide, len);
    cr_expect_eq(r.report.runs[0].end, GG_END_TRUNCATED);
    reading_free(&r);
    free(wide);
}

static void expect_mended(const struct reading *r, const char *line)
{
    const struct gg_run *run = &r->report.runs[0];
    cr_expect_eq(run->end, GG_END_FINISHED);
    cr_expect_eq(run->repaired, 1);
    const struct gg_note *note = note_of(r, "mended-text");
    cr_assert_not_null(note);
    cr_expect_str_eq(note->where, line);
    cr_expect_not(note->incomplete);
    cr_expect_eq(r->report.note_count, 1);
}

Test(damage, the_name_of_a_thread_is_not_escaped)
{
    struct reading r;
    read_text(&r, WHOLE("<error>\n  <unique>0x0</unique>\n  <tid>1</tid>\n"
                        "  <threadname>a&b<c></threadname>\n  <kind>InvalidRead</kind>\n"
                        "  <what>Invalid read of size 1</what>\n" STACK("f", "1") "</error>\n"));
    expect_mended(&r, "in.xml:38");
    cr_expect_eq(r.report.runs[0].errors, 1);
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->thread, "a&b<c>");
    reading_free(&r);
}

/* Well-formed by chance: <b> is part of the name, not an element. */
Test(damage, markup_in_a_text_is_text)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "InvalidRead",
                                   "  <threadname>a<b>c</b></threadname>\n"
                                   "  <what>Invalid read of size 1</what>\n" STACK("f", "1"))));
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->thread, "a<b>c</b>");
    reading_free(&r);
}

Test(damage, the_text_of_a_socket_is_not_escaped)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "FdNotClosed",
                                   "  <fd>3</fd>\n  <what>Open AF_INET socket 3: "
                                   "127.0.0.1:51121 <-> <unbound></what>\n" STACK("socket", "1"))));
    expect_mended(&r, "in.xml:40");
    cr_expect_str_eq(finding_of(&r, "FdNotClosed")->message,
                     "Open AF_INET socket 3: 127.0.0.1:51121 <-> <unbound>");
    reading_free(&r);
}

Test(damage, a_comment_that_is_no_xml_is_left_out)
{
    struct reading r;
    read_text(&r,
              DECLARATION ROOT PROCESS(
                  "1", "0") "<usercomment>a & b <</usercomment>\n" ARGS RUNNING ERROR_AT("0x0", "9")
                  FINISHED COUNTS END);
    expect_mended(&r, "in.xml:19");
    cr_expect_eq(r.report.runs[0].errors, 1);
    cr_expect_eq(r.report.runs[0].pid, 1);
    cr_expect_str_eq(r.report.runs[0].command[0], "./prog");
    reading_free(&r);
}

Test(damage, a_symbol_may_end_its_suppression_early)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH(
                      "0x0", "UninitCondition",
                      "  <what>Conditional jump</what>\n" STACK(
                          "f", "1") "  <suppression>\n    <sname>x</sname>\n"
                                    "    <skind>Memcheck:Cond</skind>\n"
                                    "    <sframe> <fun>we]]&gt;ird</fun> </sframe>\n"
                                    "    <rawtext>\n<![CDATA[\n{\n   <x>\n   fun:we]]>ird&<n>\n}\n"
                                    "]]>\n    </rawtext>\n  </suppression>\n")));
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_str_eq(finding_of(&r, "UninitCondition")->supp_frames[0], "fun:we]]>ird");
    cr_expect_not_null(note_of(&r, "mended-text"));
    reading_free(&r);
}

/* valgrind 3.26.0 */
Test(damage, a_missing_end_tag_of_the_summary_is_put_back)
{
    struct reading r;
    read_text(
        &r,
        HEAD RUNNING FINISHED ERROR_AT(
            "0x0",
            "9") "<leak_summary>\n  <still_reachable>\n    <bytes>0</bytes>\n    "
                 "<blocks>0</blocks>\n"
                 "  <suppressed>\n    <bytes>0</bytes>\n    <blocks>0</blocks>\n  </suppressed>\n"
                 "</leak_summary>\n" COUNTS END);
    expect_mended(&r, "in.xml:62");
    cr_expect_eq(r.report.runs[0].errors, 1);
    reading_free(&r);
}

static char *repeat(const char *before, const char *text, size_t times, const char *after)
{
    size_t len = strlen(text);
    char *all = malloc(strlen(before) + len * times + strlen(after) + 1);
    char *at = all + sprintf(all, "%s", before);
    for (size_t i = 0; i < times; i++, at += len)
        memcpy(at, text, len);
    strcpy(at, after);
    return all;
}

Test(damage, every_error_of_a_program_may_need_mending)
{
    char *text = repeat(HEAD RUNNING,
                        "<error>\n  <unique>0x0</unique>\n  <threadname>r&d</threadname>\n"
                        "  <kind>InvalidRead</kind>\n  <what>Invalid read</what>\n</error>\n",
                        1000, FINISHED COUNTS END);
    struct reading r;
    read_text(&r, text);
    cr_expect_eq(r.report.runs[0].errors, 1000);
    cr_expect_eq(r.report.runs[0].repaired, 1000);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->thread, "r&d");
    reading_free(&r);
    free(text);
}

static const struct gg_run *expect_lost(struct reading *r, const char *text, uint64_t errors)
{
    read_text(r, text);
    cr_assert_eq(r->report.run_count, 1);
    const struct gg_run *run = &r->report.runs[0];
    cr_expect_eq(run->end, GG_END_TRUNCATED);
    cr_expect_eq(run->errors, errors);
    return run;
}

Test(damage, what_cannot_be_read_is_left_out_and_told)
{
    struct reading r;
    const struct gg_run *run =
        expect_lost(&r,
                    WHOLE(ERROR_AT("0x0", "9") "<error>\n  <unique>0x1</unique>\n  <stack>\n"
                                               "</error>\n" ERROR_AT("0x2", "10")),
                    2);
    cr_expect_not_null(strstr(run->detail, "1 part of the report (50 bytes, line 52)"));
    const struct gg_note *note = note_of(&r, "unreadable-part");
    cr_assert_not_null(note);
    cr_expect(note->incomplete);
    cr_expect_str_eq(note->where, "in.xml:52");
    reading_free(&r);
}

/* Two processes wrote into one file. */
Test(damage, an_error_inside_another_survives)
{
    struct reading r;
    expect_lost(&r,
                WHOLE(ERROR_AT("0x0", "9") "<error>\n  <unique>0x1</unique>\n" ERROR_AT(
                    "0x2", "10") "  <kind>InvalidRead</kind>\n</error>\n" ERROR_AT("0x3", "11")),
                3);
    reading_free(&r);
    expect_lost(&r,
                WHOLE("<error>\n  <unique>0x1</unique>\n  <ki<error>\n  <unique>0x2</unique>\n"
                      "  <kind>InvalidRead</kind>\n  <what>x</what>\n</error>\n"),
                1);
    cr_expect_str_eq(finding_of(&r, "InvalidRead")->message, "x");
    reading_free(&r);
}

#define RAWTEXT "  <suppression>\n    <rawtext>\n<![CDATA[\n{\n   <x>\n"
#define RAWTEXT_END "}\n]]>\n    </rawtext>\n  </suppression>\n"

/* Well-formed: the CDATA goes on to the end of the next one. */
Test(damage, a_cut_suppression_swallows_no_error)
{
    struct reading r;
    expect_lost(&r,
                WHOLE("<error>\n  <kind>Misc</kind>\n" RAWTEXT ERROR_AT("0x1", "10")
                          ERROR_WITH("0x2", "InvalidRead", RAWTEXT RAWTEXT_END)),
                2);
    reading_free(&r);
    expect_lost(&r,
                WHOLE("<error>\n  <threadname>a&b</threadname>\n" RAWTEXT ERROR_AT("0x1", "10")
                          ERROR_WITH("0x2", "InvalidRead", RAWTEXT RAWTEXT_END)),
                2);
    reading_free(&r);
}

Test(damage, a_comment_that_is_not_ended_swallows_no_error)
{
    struct reading r;
    expect_lost(&r, WHOLE("<!-- " ERROR_AT("0x1", "10") ERROR_AT("0x2", "11")), 2);
    reading_free(&r);
    expect_lost(&r, WHOLE("<!-- " ERROR_AT("0x1", "10") "-->\n" ERROR_AT("0x2", "11")), 2);
    reading_free(&r);
    expect_lost(&r, HEAD RUNNING ERROR_AT("0x1", "10") "<?" ERROR_AT("0x2", "11"), 2);
    reading_free(&r);
}

Test(damage, errors_behind_the_end_survive)
{
    struct reading r;
    expect_lost(&r,
                WHOLE(ERROR_AT("0x0", "9")) "C</ip>\n  </stack>\n</er" FINISHED ERROR_AT(
                    "0x1", "10") COUNTS END,
                2);
    reading_free(&r);
}

Test(damage, a_document_type_is_refused)
{
    struct reading r;
    expect_lost(&r,
                "<?xml version=\"1.0\"?>\n<!DOCTYPE v [<!ENTITY a \"aaaa\">]>\n<valgrindoutput>\n"
                "<error>\n  <what>&a;</what>\n</error>\n" ERROR_AT("0x0", "9") END,
                2);
    for (size_t i = 0; i < r.report.finding_count; i++)
        cr_expect_null(strstr(r.report.findings[i].message, "aaaa"));
    reading_free(&r);
}

Test(damage, a_lone_ampersand_hides_nothing)
{
    struct reading r;
    read_text(&r,
              WHOLE(ERROR_AT("0x0", "9") "<error>\n  <threadname>a & b</threadname>\n"
                                         "  <kind>Misc</kind>\n</error>\n" ERROR_AT("0x2", "10")));
    cr_expect_eq(r.report.runs[0].errors, 3);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    reading_free(&r);
}

Test(damage, a_long_text_is_cut_within_no_character)
{
    char *text = repeat(HEAD RUNNING "<error>\n  <kind>Misc</kind>\n  <what>x", "\xE2\x82\xAC",
                        30000, "</what>\n</error>\n" FINISHED COUNTS END);
    struct reading r;
    read_text(&r, text);
    const char *message = finding_of(&r, "Misc")->message;
    cr_expect_eq(strlen(message), 65536); /* x and 21845 characters of three bytes */
    cr_expect_str_eq(message + strlen(message) - 3, "\xE2\x82\xAC");
    cr_expect_not_null(note_of(&r, "text-cut"));
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    reading_free(&r);
    free(text);
}

Test(damage, elements_deeper_than_any_report_are_refused)
{
    char *text = repeat(HEAD RUNNING, "<a>", 20000, "");
    struct reading r;
    expect_lost(&r, text, 0);
    reading_free(&r);
    free(text);
}

Test(damage, a_tag_of_many_attributes_ends_the_reading)
{
    char *text = repeat(HEAD RUNNING ERROR_AT("0x0", "9") "<error", " a=\"b\"", 30000,
                        ">\n" ERROR_AT("0x1", "10"));
    struct reading r;
    const struct gg_run *run = expect_lost(&r, text, 1);
    cr_expect_not_null(strstr(run->detail, "was not read"));
    reading_free(&r);
    free(text);
}

Test(damage, an_item_too_long_to_be_mended_is_lost_not_the_next)
{
    char *text =
        repeat(HEAD RUNNING "<error>\n  <stack>\n", FRAME("f", "1"), 7000,
               "  </stack>\n  <threadname>a&b</threadname>\n</error>\n" ERROR_AT("0x1", "10")
                   FINISHED COUNTS END);
    struct reading r;
    expect_lost(&r, text, 1);
    reading_free(&r);
    free(text);
}
