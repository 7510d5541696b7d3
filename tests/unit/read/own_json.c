#include "reading.h"
#include "read/jsonstream.h"
#include "read/readers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP                                                                           \
    "{\n  \"$schema\": \"https://grindgate.dev/schemas/report-1.schema.json\",\n"     \
    "  \"version\": 1,\n  \"tool\": {\"name\": \"grindgate\", \"version\": \"9\"},\n" \
    "  \"repository\": {},\n"
#define VERDICT(outcome) "  \"verdict\": {\"outcome\": \"" outcome "\"},\n"
#define RUN(end)                                                                                   \
    "{\"pid\": 42, \"ppid\": 41, \"tool\": \"memcheck\", \"protocol\": 4, \"command\": [\"./p\", " \
    "\"a\"], \"test\": \"t\", \"source\": \"out/x.xml\", \"end\": \"" end                          \
    "\", \"exit\": null, \"signal\": null, \"detail\": null, \"version\": \"3.19.0\", "            \
    "\"document\": 2, \"options\": [\"--num-callers=40\"], \"mangled\": true, \"forked\": true, "  \
    "\"fatal\": \"SIGSEGV\", \"began\": true, \"launched\": true, \"root\": true, \"errors\": 3, " \
    "\"repaired\": 4, \"suppressed_by_valgrind\": [{\"name\": \"s\", \"count\": 5}]}"
#define RUNS(runs) "  \"runs\": [" runs "],\n"
#define FINDINGS(findings) "  \"findings\": [" findings "],\n"
#define NOTES(notes) "  \"rules\": [],\n  \"notes\": [" notes "]\n}\n"
#define FRAME_AT(ip, function)                                           \
    "{\"ip\": \"" ip "\", \"object\": \"/p\", \"function\": \"" function \
    "\", \"path\": \"x.c\", \"file\": \"x.c\", \"line\": 7, \"zone\": \"own\", \"dir\": \"/src\"}"
#define LEAK                                                                                       \
    "{\"id\": \"x\", \"kind\": \"Leak_DefinitelyLost\", \"fate\": \"open\", \"message\": \"8 "     \
    "bytes in 1 block are "                                                                        \
    "definitely lost\", \"leak\": {\"bytes\": 8, \"blocks\": 1}, \"count\": 2, \"runs\": [0], "    \
    "\"thread\": \"worker\", \"notes\": [\"said\"], \"stacks\": [{\"role\": \"error\", "           \
    "\"text\": null, \"frames\": [" FRAME_AT(                                                      \
        "0x10",                                                                                    \
        "f") "]}, {\"role\": \"other\", \"text\": "                                                \
             "\"here\", \"frames\": []}], \"witnesses\": [{\"run\": 0, \"count\": 2, \"bytes\": "  \
             "8, "                                                                                 \
             "\"direct\": 6, \"blocks\": 1, \"final\": true, \"copy\": false}], \"suppression\": " \
             "{\"kind\": \"Memcheck:Leak\", \"extra\": \"match-leak-kinds: definite\", "           \
             "\"frames\": "                                                                        \
             "[\"fun:f\"]}}"
#define WHOLE_REPORT TOP VERDICT("fail") RUNS(RUN("finished")) FINDINGS(LEAK) NOTES("")

static int bid(const char *text)
{
    return gg_reader_own_json.bid(text, strlen(text));
}

Test(own_json, a_bid_follows_the_first_bytes)
{
    cr_expect_eq(bid(WHOLE_REPORT), 100);
    cr_expect_gt(bid("{\"tool\": {\"name\": \"grindgate\"}, \"version\": 1"), 0);
    cr_expect_eq(bid("{\"$schema\": \"https://grindgate.dev/schemas/rules-1.schema.json\"}"), 0);
    cr_expect_eq(bid("{}"), 0);
    cr_expect_eq(bid("<?xml version=\"1.0\"?>"), 0);
    cr_expect_eq(bid(""), 0);
}

Test(own_json, a_run_is_as_it_was)
{
    struct reading r;
    read_text(&r, WHOLE_REPORT);
    cr_assert(r.ok);
    cr_assert_eq(r.report.run_count, 1);
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_eq(run->pid, 42);
    cr_expect_eq(run->ppid, 41);
    cr_expect_str_eq(run->tool, "memcheck");
    cr_expect_eq(run->protocol, 4);
    cr_expect_str_eq(run->command[1], "a");
    cr_expect_null(run->command[2]);
    cr_expect_str_eq(run->options[0], "--num-callers=40");
    cr_expect_str_eq(run->test, "t");
    cr_expect_str_eq(run->source, "out/x.xml");
    cr_expect_str_eq(run->told_by, "in.xml");
    cr_expect_eq(run->end, GG_END_FINISHED);
    cr_expect_eq(run->exit_code, -1);
    cr_expect_str_eq(run->version, "3.19.0");
    cr_expect_str_eq(run->fatal, "SIGSEGV");
    cr_expect(run->mangled && run->forked && run->saw_running && run->launched && run->root);
    cr_expect_eq(run->document, 2);
    cr_expect_eq(run->errors, 3);
    cr_expect_eq(run->repaired, 4);
    cr_expect_eq(run->suppcounts[0].count, 5);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(own_json, a_finding_is_as_it_was)
{
    struct reading r;
    read_text(&r, WHOLE_REPORT);
    const struct gg_finding *finding = finding_of(&r, "Leak_DefinitelyLost");
    cr_expect_str_eq(finding->message,
                     "8 (6 direct, 2 indirect) bytes in 1 block are definitely lost");
    cr_expect_eq(finding->count, 2);
    cr_expect_eq(finding->leak_direct, 6);
    cr_expect_str_eq(finding->thread, "worker");
    cr_expect_str_eq(finding->notes[0], "said");
    cr_expect_str_eq(finding->supp_kind, "Memcheck:Leak");
    cr_expect_str_eq(finding->supp_extra, "match-leak-kinds: definite");
    cr_expect_str_eq(finding->supp_frames[0], "fun:f");
    cr_assert_eq(finding->stack_count, 2);
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "f");
    const struct gg_frame *frame = finding->stacks[0].frames[0];
    cr_expect_eq(frame->ip, 16);
    cr_expect_str_eq(frame->dir, "/src");
    cr_expect_eq(frame->line, 7);
    cr_expect_null(frame->path); /* looked for anew */
    cr_expect_eq(finding->stacks[1].role, GG_ROLE_OTHER);
    cr_expect_str_eq(finding->stacks[1].text, "here");
    cr_expect(finding->witnesses[0].final);
    reading_free(&r);
}

#define SAID(fate)                                                                  \
    "{\"kind\": \"InvalidRead\", \"message\": \"m\", \"runs\": [0], \"count\": 1, " \
    "\"stacks\": [{\"role\": \"error\", \"text\": null, \"frames\": []}], " fate "}"
#define SAID_OPEN SAID("\"fate\": \"open\", \"why\": null")
#define SAID_SUPPRESSED SAID("\"fate\": \"suppressed\", \"why\": \"suppressed by x: r\"")
#define SAID_NOTHING SAID("\"fate\": 3")

Test(own_json, what_came_of_a_finding_is_kept_for_people)
{
    static const char text[] = TOP VERDICT("fail") RUNS(RUN("finished"))
        FINDINGS(SAID_SUPPRESSED ", " SAID_OPEN ", " SAID_OPEN) NOTES("");
    struct reading r;
    read_text(&r, text);
    const struct gg_finding *finding = finding_of(&r, "InvalidRead");
    const struct gg_told *told = finding->told;
    cr_assert_not_null(told);
    cr_expect_str_eq(told->by, "in.xml");
    cr_expect_str_eq(told->fate, "open");
    cr_expect_null(told->why);
    cr_assert_not_null(told->next);
    cr_expect_str_eq(told->next->fate, "suppressed");
    cr_expect_str_eq(told->next->why, "suppressed by x: r");
    cr_expect_null(told->next->next);
    cr_expect_eq(finding->fate, GG_OPEN);
    cr_expect_null(finding->why);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(own_json, a_fate_that_cannot_be_read_is_no_doubt)
{
    struct reading r;
    read_text(&r, TOP VERDICT("pass") RUNS(RUN("finished")) FINDINGS(SAID_NOTHING) NOTES(""));
    cr_expect_null(finding_of(&r, "InvalidRead")->told);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(own_json, notes_and_tests_come_along)
{
    struct reading r;
    read_text(
        &r,
        TOP VERDICT("program-failed") RUNS(RUN(
            "finished")) "\"tests\": [{\"name\": \"b\", \"status\": \"failed\", \"detail\": "
                         "\"Timeout\"}, "
                         "{\"name\": \"a\", \"status\": \"passed\", \"detail\": null}],\n" FINDINGS(
                             "") NOTES("{\"kind\": \"k\", \"text\": \"t\", \"where\": \"w\", "
                                       "\"count\": 3, "
                                       "\"incomplete\": true}, {\"kind\": \"rule-expired\", "
                                       "\"text\": \"t\", "
                                       "\"where\": null, \"count\": 1, \"incomplete\": false}"));
    cr_assert_eq(r.report.note_count, 1);
    cr_expect_eq(r.report.notes[0].count, 3);
    cr_expect(r.report.notes[0].incomplete);
    cr_expect_str_eq(r.report.notes[0].where, "w");
    cr_assert_eq(r.report.test_count, 2);
    cr_expect_str_eq(r.report.tests[0].name, "a");
    cr_expect_eq(r.report.tests[1].state, GG_TEST_FAILED);
    cr_assert_eq(r.report.failure_count, 1);
    cr_expect_str_eq(r.report.failures[0], "the program itself failed");
    reading_free(&r);
}

Test(own_json, spelled_characters_are_themselves_again_and_controls_are_visible)
{
    struct reading r;
    read_text(&r,
              TOP VERDICT("pass") RUNS(RUN("finished")) FINDINGS(
                  "{\"kind\": \"InvalidRead\", \"message\": \"m\", \"runs\": [0], \"count\": 1, "
                  "\"stacks\": [{\"role\": \"error\", \"text\": null, \"frames\": [" FRAME_AT(
                      "0x1", "a\\\\u{202e}b\\u0001\\u0006c\\\\x1b") "]}]}") NOTES(""));
    const struct gg_finding *finding = finding_of(&r, "InvalidRead");
    const struct gg_frame *frame = finding->stacks[0].frames[0];
    cr_expect_str_eq(frame->function, "a\u202e"
                                      "b\\x01\\x06c\\x1b");
    cr_expect_str_eq(frame->file, "x.c");
    reading_free(&r);
}

static void expect_doubt(const char *text, const char *why)
{
    struct reading r;
    read_text(&r, text);
    cr_assert(r.ok);
    const struct gg_note *note = note_of(&r, "damaged-report");
    cr_assert_not_null(note, "no doubt: %s", why);
    cr_expect(note->incomplete);
    cr_expect_not_null(strstr(note->text, why), "%s", note->text);
    cr_expect_str_eq(note->where, "in.xml");
    reading_free(&r);
}

Test(own_json, what_is_not_as_written_is_doubted)
{
    expect_doubt(TOP, "cut off");
    expect_doubt(TOP VERDICT("pass") RUNS(RUN("finished")) "\"findings\": [", "cut off");
    expect_doubt(WHOLE_REPORT "x", "the end of the file is expected");
    expect_doubt(TOP "}", "a key is expected");
    expect_doubt("{\"$schema\": \"x/schemas/report-2.schema.json\", \"version\": 2}",
                 "it is of version 2, and this grindgate reads version 1");
    expect_doubt("{\"$schema\": \"x/schemas/report-1.schema.json\", \"runs\": []}",
                 "line 1: no JSON as grindgate writes it: each part once, and in its order");
    expect_doubt(TOP VERDICT("pass") FINDINGS("") RUNS("") NOTES(""), "in its order");
    expect_doubt(TOP VERDICT("pass") RUNS("") RUNS("") FINDINGS("") NOTES(""), "once");
    expect_doubt(TOP VERDICT("pass") RUNS("") FINDINGS("") "\"x\": 1}",
                 "version, verdict, runs, findings or notes are missing");
    expect_doubt(TOP VERDICT("fine") RUNS("") FINDINGS("") NOTES(""), "\"outcome\"");
    expect_doubt(TOP VERDICT("pass") RUNS("3") FINDINGS("") NOTES(""), "of one of the runs");
    expect_doubt(TOP VERDICT("pass") RUNS(RUN("well")) FINDINGS("") NOTES(""), "\"end\"");
    expect_doubt(TOP VERDICT("pass") RUNS("") FINDINGS(LEAK) NOTES(""), "\"runs\"");
    expect_doubt(TOP VERDICT("pass") RUNS("") FINDINGS("{,}") NOTES(""), "line 8: no JSON: ");
    expect_doubt(TOP VERDICT("incomplete") RUNS(RUN("finished")) FINDINGS("") NOTES(""),
                 "says that it is incomplete");
    expect_doubt(TOP VERDICT("fail") RUNS(RUN("finished")) FINDINGS("") NOTES(""),
                 "says that findings failed it");
    expect_doubt(TOP VERDICT("pass") RUNS(RUN("finished"))
                     FINDINGS("{\"kind\": \"InvalidRead\", \"message\": \"m\", \"runs\": [0], "
                              "\"stacks\": [{\"role\": \"error\"}]}") NOTES(""),
                 "\"frames\"");
    expect_doubt(TOP VERDICT("pass") RUNS(RUN("finished")) FINDINGS(
                     "{\"kind\": \"InvalidRead\", \"message\": \"m\", \"stacks\": [], "
                     "\"witnesses\": [{\"run\": 0, \"count\": 1, \"copy\": true}]}") NOTES(""),
                 "\"copy\"");
}

Test(own_json, depth_and_size_have_limits)
{
    size_t deep = 100000, large = GG_JSON_VALUE_MAX;
    const char *head = TOP VERDICT("pass") RUNS("") "\"findings\": [";
    char *text = malloc(strlen(head) + large + 8);
    strcpy(text, head);
    memset(text + strlen(head), '[', deep);
    text[strlen(head) + deep] = '\0';
    expect_doubt(text, "larger or deeper");
    text[strlen(head)] = '"';
    memset(text + strlen(head) + 1, 'x', large);
    text[strlen(head) + 1 + large] = '\0';
    expect_doubt(text, "larger or deeper");
    free(text);
}

Test(own_json, cuts_anywhere_are_told)
{
    static const char whole[] = WHOLE_REPORT;
    size_t last = strlen(whole) - 2; /* the brace before the line break */
    for (size_t len = 90; len <= last; len += 7) {
        struct reading r;
        read_bytes(&r, whole, len);
        cr_assert(r.ok);
        const struct gg_note *note = note_of(&r, "damaged-report");
        cr_assert_not_null(note, "cut after %zu bytes", len);
        reading_free(&r);
    }
}
