#include "written.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Whole pages are compared in tests/golden/text; here is what no page shows. */

static struct sample sample;
static char *text;

static void write_it(const struct gg_write_options *options)
{
    free(text);
    text = written(&sample, "text", options, NULL);
}

static void tear_down(void)
{
    free(text);
    sample_free(&sample);
}

TestSuite(text, .fini = tear_down);

static bool holds(const char *part)
{
    return strstr(text, part) != NULL;
}

Test(text, quiet_is_the_last_line)
{
    sample_fail(&sample);
    write_it(&(struct gg_write_options){.quiet = true});
    cr_expect_str_eq(text, "FAIL (exit 1): 3 open findings of severity error; 1 open below the "
                           "bar; 2 suppressed; 1 known; 1 out-of-scope; 1 external; 3 runs "
                           "complete\n");
}

Test(text, a_fate_is_said_once_and_ended_once)
{
    struct gg_rule rule = {.id = "x", .file = "x.supp", .line = 3};
    sample_clean(&sample);
    struct gg_finding *finding =
        sample_finding(&sample, GG_KIND_InvalidRead, "Invalid read of size 8");
    finding->rule = &rule;
    finding->fate = GG_SUPPRESSED;
    finding->why = "suppressed by \"x\" (x.supp:3)";
    write_it(&(struct gg_write_options){.verbose = true});
    cr_expect(holds("\n  suppressed by \"x\" (x.supp:3).\n"), "%s", text);
    finding->fate = GG_EXTERNAL;
    finding->why = "did you mean y?";
    write_it(&(struct gg_write_options){.verbose = true});
    cr_expect(holds("\n  external: did you mean y?\n"), "%s", text);
}

Test(text, many_reasons_are_counted)
{
    static const char *const reasons[] = {"one.", "two", "three", "four", "five"};
    sample_clean(&sample);
    sample_run(&sample, "x", NULL)->end = GG_END_KILLED;
    sample_verdict(&sample, GG_INCOMPLETE, 3, 0, NULL);
    sample.verdict.reasons = reasons;
    sample.verdict.reason_count = 5;
    write_it(&(struct gg_write_options){.quiet = true});
    cr_expect_str_eq(text, "INCOMPLETE (exit 3): one; two; three; and 2 more; no findings; 2 of 3 "
                           "runs complete\n");
}

Test(text, a_program_that_failed)
{
    sample_clean(&sample);
    sample_verdict(&sample, GG_PROGRAM_FAILED, 4, 0, "the program itself exited with 3");
    write_it(NULL);
    cr_expect_str_eq(text, "PROGRAM FAILED (exit 4): the program itself exited with 3; no "
                           "findings; 2 runs complete\n");
}

Test(text, a_proof_is_a_word_in_the_last_line)
{
    sample_clean(&sample);
    sample_note(&sample, "proved", NULL, "proved: errors are caught");
    write_it(NULL);
    cr_expect_str_eq(text, "PASS (exit 0): no findings; proved to see errors; 2 runs complete\n");
    write_it(&(struct gg_write_options){.verbose = true});
    cr_expect(holds("note: proved: errors are caught\n"));
}

Test(text, many_notes_are_counted)
{
    sample_clean(&sample);
    struct gg_note *notes = gg_arena_alloc(&sample.arena, 50 * sizeof *notes);
    for (size_t i = 0; i < 50; i++)
        notes[i] = (struct gg_note){.kind = "k", .text = "told", .count = 1};
    sample.report.notes = notes;
    sample.report.note_count = 50;
    write_it(NULL);
    cr_expect(holds("note: 30 more (-v shows them)\n"));
    write_it(&(struct gg_write_options){.verbose = true});
    cr_expect_not(holds("more (-v"));
}

Test(text, colours_only_when_asked)
{
    sample_fail(&sample);
    write_it(NULL);
    cr_expect_not(holds("\x1b"));
    write_it(&(struct gg_write_options){.color = true});
    cr_expect(holds("\x1b[1;31merror["));
    cr_expect_not(holds("    > src"), "bold stands for the mark");
}

Test(text, lines_end_where_the_window_does)
{
    sample_fail(&sample);
    sample_root(&sample, GG_TESTS "/golden/text/source");
    static const unsigned widths[] = {60, 80, 100};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        write_it(&(struct gg_write_options){.width = widths[i]});
        for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
            /* one word may be longer than the window */
            bool one_word =
                !memchr(line + strspn(line, " >"), ' ', (size_t)(end - line) - strspn(line, " >"));
            cr_expect(one_word || end - line <= (ptrdiff_t)widths[i], "%.*s", (int)(end - line),
                      line);
        }
    }
}

/* A runner of GitHub's takes such a line for a command. */
Test(text, no_line_begins_with_a_command)
{
    static const char *const evil[] = {"::error::x", "\xc2\xa0::error::x",
                                       "\xe3\x80\x80 ::stop-commands::t", "  ::x"};
    for (size_t i = 0; i < sizeof evil / sizeof *evil; i++) {
        sample_hostile(&sample, evil[i]);
        write_it(&(struct gg_write_options){.width = 40, .verbose = true});
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            const char *first = line;
            while (*first == ' ' || (*first & 0x80))
                first++;
            cr_expect_neq(strncmp(first, "::", 2), 0, "%.40s", line);
        }
        sample_free(&sample);
    }
    sample_clean(&sample);
}

Test(text, source_shows_its_tabs_as_blanks)
{
    sample_clean(&sample);
    sample_leak(&sample);
    sample_root(&sample, GG_TESTS "/golden/text/source");
    write_it(NULL);
    cr_expect(holds("  > 7 |     cached = new std::string(name);\n"));
}
