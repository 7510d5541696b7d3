#include "cli/progress.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static void expect_time(long long ms, const char *expected)
{
    size_t len;
    struct gg_out *out = gg_out_memory();
    gg_progress_time(out, ms);
    char *text = gg_out_take(out, &len);
    cr_expect_str_eq(text, expected);
    free(text);
}

static void expect_line(long long elapsed, struct gg_progress progress, const char *expected)
{
    size_t len;
    struct gg_out *out = gg_out_memory();
    gg_progress_line(out, &progress, elapsed);
    char *text = gg_out_take(out, &len);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(progress, spells_times)
{
    expect_time(0, "0 s");
    expect_time(2999, "2 s");
    expect_time(59999, "59 s");
    expect_time(MINUTE, "1 min");
    expect_time(3 * MINUTE + 12 * SECOND, "3 min 12 s");
    expect_time(HOUR, "1 h");
    expect_time(HOUR + 59 * SECOND, "1 h");
    expect_time(26LL * HOUR + 5 * MINUTE, "26 h 5 min");
}

Test(progress, tells_of_a_suite)
{
    expect_line(
        3 * MINUTE,
        (struct gg_progress){.tests = 200, .tests_done = 5, .tests_running = 2, .errors = 14},
        "grindgate: 3 min: 5 of 200 tests, 2 running, 14 errors so far");
    expect_line(2 * SECOND, (struct gg_progress){.tests = 1, .errors = 1},
                "grindgate: 2 s: 0 of 1 test, 1 error so far");
    expect_line(2 * SECOND, (struct gg_progress){.tests_running = 2},
                "grindgate: 2 s: 2 tests running");
    expect_line(2 * SECOND, (struct gg_progress){.tests = 8, .tests_done = 8, .tests_running = 1},
                "grindgate: 2 s: 8 of 8 tests");
}

/* 120 tests in 180 s: the other 80 take 120 s. What is left is rounded up. */
Test(progress, guesses_the_time_left_from_the_tests_done)
{
    expect_line(3 * MINUTE, (struct gg_progress){.tests = 200, .tests_done = 120},
                "grindgate: 3 min: 120 of 200 tests, about 2 min left");
    expect_line(9 * MINUTE, (struct gg_progress){.tests = 200, .tests_done = 120},
                "grindgate: 9 min: 120 of 200 tests, about 6 min left");
    expect_line(100 * SECOND, (struct gg_progress){.tests = 17, .tests_done = 10},
                "grindgate: 1 min 40 s: 10 of 17 tests, about 1 min 10 s left");
    expect_line(4 * SECOND, (struct gg_progress){.tests = 10, .tests_done = 5},
                "grindgate: 4 s: 5 of 10 tests, about 10 s left");
}

Test(progress, guesses_nothing_from_few_tests_or_at_the_end)
{
    expect_line(MINUTE, (struct gg_progress){.tests = 8, .tests_done = 4},
                "grindgate: 1 min: 4 of 8 tests");
    expect_line(MINUTE, (struct gg_progress){.tests = 200, .tests_done = 9},
                "grindgate: 1 min: 9 of 200 tests");
    expect_line(MINUTE, (struct gg_progress){.tests = 200, .tests_done = 10},
                "grindgate: 1 min: 10 of 200 tests, about 19 min left");
    expect_line(MINUTE, (struct gg_progress){.tests = 200, .tests_done = 200},
                "grindgate: 1 min: 200 of 200 tests");
}

Test(progress, tells_of_a_program)
{
    expect_line(MINUTE, (struct gg_progress){.phase = GG_PHASE_RUN}, "grindgate: 1 min: running");
    expect_line(MINUTE, (struct gg_progress){.phase = GG_PHASE_RUN, .reports = 1},
                "grindgate: 1 min: running, 1 report");
}

Test(progress, tells_of_the_later_phases)
{
    expect_line(5 * SECOND,
                (struct gg_progress){.phase = GG_PHASE_READ, .reports = 1200, .errors = 14},
                "grindgate: 5 s: reading, 1200 reports, 14 errors so far");
    expect_line(5 * SECOND,
                (struct gg_progress){.phase = GG_PHASE_BLAME, .reports = 1200, .errors = 14},
                "grindgate: 5 s: asking git whose lines they are, 14 errors");
}

static enum gg_progress_style style(struct gg_progress_view view, bool row)
{
    return gg_progress_style(&view, row);
}

Test(progress, changes_a_line_where_it_can)
{
    cr_expect_eq(style((struct gg_progress_view){.terminal = true}, true), GG_PROGRESS_STATUS);
    cr_expect_eq(style((struct gg_progress_view){.terminal = true}, false), GG_PROGRESS_STATUS);
    cr_expect_eq(style((struct gg_progress_view){.terminal = false}, true), GG_PROGRESS_LINES);
}

Test(progress, leaves_a_program_all_rows_but_the_last)
{
    struct gg_progress_view view = {.terminal = true, .shared = true};
    cr_expect_eq(style(view, true), GG_PROGRESS_ROW);
    cr_expect_eq(style(view, false), GG_PROGRESS_LINES);
    view.when = GG_PROGRESS_ALWAYS;
    cr_expect_eq(style(view, true), GG_PROGRESS_ROW);
    view.terminal = false;
    cr_expect_eq(style(view, true), GG_PROGRESS_LINES);
}

Test(progress, says_nothing_when_told_so)
{
    struct gg_progress_view view = {.terminal = true, .when = GG_PROGRESS_NEVER};
    cr_expect_eq(style(view, true), GG_PROGRESS_NONE);
    view = (struct gg_progress_view){.quiet = true, .when = GG_PROGRESS_ALWAYS};
    cr_expect_eq(style(view, true), GG_PROGRESS_NONE);
    view.shared = view.terminal = true;
    cr_expect_eq(style(view, true), GG_PROGRESS_NONE);
}

Test(progress, says_a_line_a_minute_or_every_ten_seconds)
{
    cr_expect_eq(gg_progress_interval(&(struct gg_progress_view){.when = GG_PROGRESS_AUTO}),
                 MINUTE);
    cr_expect_eq(gg_progress_interval(&(struct gg_progress_view){.when = GG_PROGRESS_ALWAYS}),
                 10 * SECOND);
}

/* --- what reaches standard error -------------------------------------------------------- */

/* A file, which belongs to no session, stands for a terminal here. */
static FILE *catch_stderr(void)
{
    FILE *file = tmpfile();
    cr_assert(file);
    dup2(fileno(file), STDERR_FILENO);
    return file;
}

static void expect_caught(FILE *file, const char *expected)
{
    char text[4096] = "";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_expect_str_eq(text, expected);
    fclose(file);
}

#define LONG_AGO (gg_proc_now() - 90 * MINUTE)
#define LINE "grindgate: 1 h 30 min: 3 of 8 tests"

static const struct gg_progress suite = {.tests = 8, .tests_done = 3};

static struct gg_progress saying(const char *said)
{
    struct gg_progress progress = suite;
    progress.said = said;
    progress.said_len = strlen(said);
    return progress;
}

Test(progress, puts_what_ctest_says_above_the_line)
{
    FILE *caught = catch_stderr();
    struct gg_progress_view view = {.terminal = true, .begun = LONG_AGO};
    struct gg_progress said = saying("1/8 Test #1: a\r\n\033[2J\n");
    gg_progress_tell(&view, &suite);
    gg_progress_tell(&view, &said);
    gg_progress_end(&view);
    gg_progress_end(&view);
    expect_caught(caught, "\r\033[K" LINE "\r\033[K1/8 Test #1: a\n\\x1b[2J\n"
                          "\r\033[K" LINE "\r\033[K");
}

Test(progress, repeats_what_ctest_says_in_a_log)
{
    FILE *caught = catch_stderr();
    struct gg_progress_view view = {.begun = LONG_AGO, .next = LONG_AGO};
    struct gg_progress said = saying("1/8 Test #1: a\n2/8");
    gg_progress_tell(&view, &said);
    gg_progress_tell(&view, &suite);
    gg_progress_end(&view);
    expect_caught(caught, "1/8 Test #1: a\n2/8\n" LINE "\n");
}

/* Its own words are no progress. */
Test(progress, leaves_ctest_its_words_without_progress)
{
    FILE *caught = catch_stderr();
    struct gg_progress_view view = {.when = GG_PROGRESS_NEVER, .terminal = true};
    struct gg_progress said = saying("1/8 Test #1: a\n");
    gg_progress_tell(&view, &said);
    expect_caught(caught, "1/8 Test #1: a\n");
}

Test(progress, leaves_ctest_no_words_with_quiet)
{
    FILE *caught = catch_stderr();
    struct gg_progress_view view = {.quiet = true, .terminal = true};
    struct gg_progress said = saying("1/8 Test #1: a\n");
    gg_progress_tell(&view, &said);
    gg_progress_end(&view);
    expect_caught(caught, "");
}

Test(progress, waits_for_two_seconds)
{
    FILE *caught = catch_stderr();
    struct gg_progress_view view = {
        .terminal = true, .begun = gg_proc_now() + HOUR, .next = LONG_AGO};
    gg_progress_tell(&view, &suite);
    gg_progress_end(&view);
    expect_caught(caught, "");
}
