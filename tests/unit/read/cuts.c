/* A report cut at every byte: every error that was whole before the cut is there, and a report is
 * finished only with its whole end tag. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "reading.h"

/* Slow where every allocation is watched. */
#if defined(GG_ARENA_MALLOC)
#define STEP 23
#define BORDER_STEP 211
#else
#define STEP 1
#define BORDER_STEP 1
#endif

static const char whole[] = DECLARATION ROOT PROCESS("42", "41") ARGS RUNNING ERROR_AT("0x0", "9")
    ERROR_WITH("0x1", "InvalidRead",
               "  <threadname>caf\xC3\xA9 \xFF</threadname>\n"
               "  <what>Invalid read of size 4</what>\n" STACK(
                   "a&lt;b&gt;",
                   "1") "  <auxwhat>Address 0x4a49040 is 0 bytes inside a block of size 10 free'd"
                        "</auxwhat>\n" STACK("drop", "2"))
        ERROR_WITH(
            "0x2", "FdNotClosed",
            "  <fd>3</fd>\n  <path>/d&<x>/f</path>\n"
            "  <what>Open file descriptor 3: /d&<x>/f</what>\n" STACK(
                "open",
                "3") "  <suppression>\n    <sname>x</sname>\n    <skind>CoreError:FdNotClosed"
                     "</skind>\n    <sframe> <fun>open</fun> </sframe>\n    <rawtext>\n"
                     "<![CDATA[\n{\n   <x>\n}\n]]>\n    </rawtext>\n  </suppression>\n")
            FINISHED ERROR_AT("0x3", "12") COUNTS "</valgrindoutput>\n";

static uint64_t errors_before(size_t cut)
{
    uint64_t errors = 0;
    for (const char *at = whole; (at = strstr(at, "</error>")); at += 8)
        errors += (size_t)(at - whole) + 8 <= cut;
    return errors;
}

Test(cuts, no_cut_hides_an_error)
{
    size_t end = (size_t)(strstr(whole, "</valgrindoutput>") - whole) + 17;
    for (size_t cut = 1; cut < sizeof whole; cut += STEP) {
        struct reading r;
        read_bytes(&r, whole, cut);
        cr_assert(r.ok);
        cr_assert_eq(r.report.run_count, 1);
        const struct gg_run *run = &r.report.runs[0];
        cr_expect_eq(run->errors, errors_before(cut), "cut at %zu: %llu errors", cut,
                     (unsigned long long)run->errors);
        cr_expect_eq(run->end == GG_END_FINISHED, cut >= end, "cut at %zu", cut);
        cr_expect_eq(run->detail == NULL, cut >= end);
        cr_expect_null(note_of(&r, "unreadable-part"), "cut at %zu", cut);
        reading_free(&r);
    }
}

/* The same report with the border between two chunks at every byte of it. */
Test(cuts, no_chunk_border_changes_anything)
{
    static const char before[] = HEAD RUNNING;
    const size_t head = sizeof before - 1, chunk = 65536, rest = sizeof whole - 1 - head;
    char *text = malloc(chunk + sizeof whole);
    memset(text, '\n', chunk + sizeof whole);
    memcpy(text, before, head);
    for (size_t border = 0; border <= rest; border += BORDER_STEP) {
        memset(text + head, '\n', chunk - head);
        memcpy(text + chunk - border, whole + head, rest);
        struct reading r;
        read_bytes(&r, text, chunk - border + rest);
        const struct gg_run *run = &r.report.runs[0];
        cr_expect_eq(r.report.run_count, 1);
        cr_expect_eq(run->errors, 4, "border at %zu", border);
        cr_expect_eq(run->end, GG_END_FINISHED, "border at %zu", border);
        cr_expect_eq(run->repaired, 3, "border at %zu", border); /* a byte, two lines */
        cr_expect_str_eq(finding_of(&r, "InvalidRead")->thread, "caf\xC3\xA9 \\xff");
        cr_expect_eq(r.report.note_count, 2);
        reading_free(&r);
    }
    free(text);
}
