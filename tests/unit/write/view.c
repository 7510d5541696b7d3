#include "write/view.h"

#include "sample_report.h"

#include <criterion/criterion.h>

static struct sample sample;

static void set_up(void)
{
    sample_init(&sample);
}

static void tear_down(void)
{
    sample_free(&sample);
}

TestSuite(view, .init = set_up, .fini = tear_down);

/* Expected values are those of `date -u -d @N` and `TZ=... date -d @N -Iseconds`. */
Test(view, times_are_iso_8601_in_the_author_s_zone)
{
    static const struct {
        int64_t time;
        int offset;
        const char *text;
    } rows[] = {{0, 0, "1970-01-01T00:00:00+00:00"},
                {-1, 0, "1969-12-31T23:59:59+00:00"},
                {1709370672, 60, "2024-03-02T10:11:12+01:00"},
                {1709164799, 0, "2024-02-28T23:59:59+00:00"},
                {1709164800, 0, "2024-02-29T00:00:00+00:00"},
                {951782400, 0, "2000-02-29T00:00:00+00:00"},
                {4107542400, 0, "2100-03-01T00:00:00+00:00"},
                {1704067199, 330, "2024-01-01T05:29:59+05:30"},
                {1704067200, -210, "2023-12-31T20:30:00-03:30"},
                {0, 9999, "1970-01-01T00:00:00+00:00"},
                {253370764800, 0, "9999-01-01T00:00:00+00:00"},
                {-62135596800, 0, "0001-01-01T00:00:00+00:00"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[GG_VIEW_TIME] = "";
        cr_expect(gg_view_time(text, rows[i].time, rows[i].offset));
        cr_expect_str_eq(text, rows[i].text);
    }
}

Test(view, times_without_a_year_of_four_digits_are_none)
{
    char text[GG_VIEW_TIME];
    cr_expect_not(gg_view_time(text, INT64_MAX, 0));
    cr_expect_not(gg_view_time(text, INT64_MIN, 0));
    cr_expect_not(gg_view_time(text, 253402300800, -1439));
    cr_expect_not(gg_view_time(text, -62167219201, 1439));
}

Test(view, a_title_is_the_message_or_plain_words)
{
    struct gg_finding *read =
        sample_finding(&sample, GG_KIND_InvalidRead, "Invalid read of size 4");
    cr_expect_str_eq(gg_view_title(&sample.arena, read), "Invalid read of size 4");
    cr_expect_null(gg_view_detail(read));
    struct gg_finding *jump =
        sample_finding(&sample, GG_KIND_UninitCondition,
                       "Conditional jump or move depends on uninitialised value(s)");
    cr_expect_str_eq(gg_view_title(&sample.arena, jump), "Branch on an uninitialised value");
    cr_expect_str_eq(gg_view_detail(jump),
                     "Conditional jump or move depends on uninitialised value(s)");
    struct gg_finding *crash = sample_finding(&sample, GG_KIND_FatalSignal, "Killed by SIGSEGV");
    cr_expect_str_eq(gg_view_title(&sample.arena, crash), "Killed by SIGSEGV");
    struct gg_finding *leak = sample_finding(&sample, GG_KIND_Leak_DefinitelyLost,
                                             "4 bytes in 1 block are definitely lost");
    cr_expect_str_eq(gg_view_title(&sample.arena, leak), "4 bytes in 1 block are definitely lost");
    struct gg_finding *unknown = sample_finding(&sample, GG_KIND_Unknown, "something new");
    unknown->kind_name = "BrandNew";
    cr_expect_str_eq(gg_view_title(&sample.arena, unknown), "BrandNew");
    cr_expect_str_eq(gg_view_detail(unknown), "something new");
    unknown->message = "";
    cr_expect_null(gg_view_detail(unknown));
}

Test(view, blame_in_one_line)
{
    struct gg_finding *finding = sample_invalid_read(&sample);
    cr_expect_str_eq(
        gg_view_blame(&sample.arena, &finding->blame),
        "Last changed by Ada Lovelace in 3f2a9c1 (2024-03-02): Free the node before it is read");
    finding->blame.author_name = "";
    finding->blame.time = INT64_MAX;
    cr_expect_str_eq(
        gg_view_blame(&sample.arena, &finding->blame),
        "Last changed by ada@example.org in 3f2a9c1 (no date): Free the node before it is read");
    struct gg_blame other = {.state = GG_BLAME_UNCOMMITTED};
    cr_expect_str_eq(gg_view_blame(&sample.arena, &other), "Not committed yet");
    other = (struct gg_blame){.state = GG_BLAME_BOUNDARY, .why = "older than this clone"};
    cr_expect_str_eq(gg_view_blame(&sample.arena, &other), "older than this clone");
    other = (struct gg_blame){.state = GG_BLAME_NONE};
    cr_expect_null(gg_view_blame(&sample.arena, &other));
}

Test(view, the_count_leaves_copies_out)
{
    sample_run(&sample, "a", NULL);
    sample_run(&sample, "b", NULL);
    struct gg_finding *finding = sample_finding(&sample, GG_KIND_InvalidRead, "");
    sample_witness(&sample, finding, 0, 1);
    cr_expect_null(gg_view_count(&sample.arena, &sample.report, finding));
    struct gg_witness witnesses[] = {{.run = 0, .count = 5}, {.run = 1, .count = 5, .copy = true}};
    finding->witnesses = witnesses;
    finding->witness_count = 2;
    finding->count = 5;
    cr_expect_str_eq(gg_view_count(&sample.arena, &sample.report, finding),
                     "Seen 5 times in 1 process");
}

Test(view, leaks_of_the_dead_are_doubted)
{
    sample_run(&sample, "a", NULL)->fatal = "SIGABRT";
    sample_run(&sample, "b", NULL)->fatal = "SIGSEGV";
    struct gg_finding *finding = sample_finding(&sample, GG_KIND_Leak_DefinitelyLost, "");
    struct gg_witness witnesses[] = {{.run = 0, .count = 1, .copy = true}, {.run = 1, .count = 1}};
    finding->witnesses = witnesses;
    finding->witness_count = 2;
    cr_expect_null(gg_view_doubt(&sample.arena, &sample.report, finding));
    finding->unreliable = true;
    cr_expect_str_eq(gg_view_doubt(&sample.arena, &sample.report, finding),
                     "unreliable: the process died of SIGSEGV before it could free");
}

Test(view, tests_are_sorted_and_named_once)
{
    static const char *const names[] = {"z", "b", "z", NULL, "a", "c", "d", "e"};
    struct gg_finding *finding = sample_finding(&sample, GG_KIND_InvalidRead, "");
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        sample_run(&sample, "x", names[i]);
        sample_witness(&sample, finding, i, 1);
    }
    size_t count;
    const char **tests = gg_view_tests(&sample.arena, &sample.report, finding, &count);
    cr_assert_eq(count, 6);
    cr_expect_str_eq(tests[0], "a");
    cr_expect_str_eq(tests[5], "z");
    cr_expect_str_eq(gg_view_count(&sample.arena, &sample.report, finding),
                     "Seen 8 times in 8 processes in tests a, b, c, d and 2 more");
}

/* o: own, s: system, t: tool; what is shown, '.' for a fold. */
static void check_rows(const char *zones, bool full, const char *expected)
{
    struct sample_frame frames[101] = {{0}};
    size_t len = strlen(zones);
    for (size_t i = 0; i < len; i++) {
        enum gg_zone zone = zones[i] == 'o'   ? GG_ZONE_OWN
                            : zones[i] == 't' ? GG_ZONE_TOOL
                                              : GG_ZONE_SYSTEM;
        frames[i] = (struct sample_frame){zone, "f", "/lib/libz.so.1", 1};
    }
    struct gg_stack stack = sample_stack(&sample, GG_ROLE_ERROR, NULL, frames);
    char shown[102] = "";
    size_t rows = 0, folded = 0;
    for (size_t at = 0; at < stack.len; rows++) {
        struct gg_view_row row;
        cr_expect_lt(rows, len);
        at = gg_view_row(&stack, at, full, &row);
        shown[rows] = row.frame == NULL                 ? '.'
                      : row.frame->zone == GG_ZONE_OWN  ? 'o'
                      : row.frame->zone == GG_ZONE_TOOL ? 't'
                                                        : 's';
        folded += row.frame ? 1 : row.folded;
    }
    cr_expect_str_eq(shown, expected, "%s gives %s, not %s", zones, shown, expected);
    cr_expect_eq(folded, len, "every frame is shown or counted");
}

Test(view, long_foreign_runs_are_folded)
{
    check_rows("", false, "");
    check_rows("o", false, "o");
    check_rows("ssss", false, "ssss");
    check_rows("sssss", false, "s.s");
    check_rows("tsssssoo", false, "t.soo");
    check_rows("osso", false, "osso");
    check_rows("ossssso", false, "os.so");
    check_rows("ossssssosssss", false, "os.sos.s");
    check_rows("ossssssosssss", true, "ossssssosssss");
}

Test(view, very_long_stacks_keep_their_far_end)
{
    char zones[101], expected[43];
    memset(zones, 'o', 100);
    zones[100] = '\0';
    memset(expected, 'o', 42);
    expected[40] = '.';
    expected[42] = '\0';
    check_rows(zones, false, expected);
    check_rows(zones, true, zones);
}

Test(view, a_fold_names_its_libraries)
{
    struct gg_stack stack = sample_stack(
        &sample, GG_ROLE_ERROR, NULL,
        (struct sample_frame[]){{GG_ZONE_SYSTEM, "f", "/usr/lib/libstdc++.so.6.0.30", 0},
                                {GG_ZONE_SYSTEM, "f", "/usr/lib/libstdc++.so.6.0.30", 0},
                                {GG_ZONE_TOOL, "f", "/x/vgpreload_memcheck-amd64-linux.so", 0},
                                {GG_ZONE_SYSTEM, "f", "/usr/bin/python3", 0},
                                {0}});
    struct gg_view_row row = {.first = 0, .folded = 2};
    cr_expect_str_eq(gg_view_folded(&sample.arena, &stack, &row), "2 frames in libstdc++");
    row.folded = 3;
    cr_expect_str_eq(gg_view_folded(&sample.arena, &stack, &row),
                     "3 frames in libstdc++ and valgrind");
    row.folded = 4;
    cr_expect_str_eq(gg_view_folded(&sample.arena, &stack, &row),
                     "4 frames in libstdc++, valgrind and others");
    stack.frames[0]->object = NULL;
    row.folded = 1;
    cr_expect_str_eq(gg_view_folded(&sample.arena, &stack, &row), "1 frames in code of no file");
}

Test(view, places)
{
    struct gg_frame frame = {.zone = GG_ZONE_OWN, .path = "src/a.c", .file = "a.c", .line = 7};
    cr_expect_str_eq(gg_view_place(&sample.arena, &frame), "src/a.c:7");
    frame = (struct gg_frame){.zone = GG_ZONE_SYSTEM,
                              .dir = "/b",
                              .file = "../csu/start.c",
                              .line = 9,
                              .object = "/lib/libc.so.6"};
    cr_expect_str_eq(gg_view_place(&sample.arena, &frame), "start.c:9");
    frame = (struct gg_frame){.zone = GG_ZONE_SYSTEM, .object = "/lib/libc.so.6", .ip = 0x4A5F};
    cr_expect_str_eq(gg_view_place(&sample.arena, &frame), "libc.so.6");
    cr_expect_str_eq(gg_view_function(&sample.arena, &frame), "0x4A5F");
    frame = (struct gg_frame){.ip = 0};
    cr_expect_str_eq(gg_view_place(&sample.arena, &frame), "no file");
}

Test(view, cuts_between_characters)
{
    cr_expect_str_eq(gg_view_cut(&sample.arena, "abc", 3), "abc");
    cr_expect_str_eq(gg_view_cut(&sample.arena, "abcd", 3), "abc...");
    cr_expect_str_eq(gg_view_cut(&sample.arena, "ab\xe2\x82\xac", 4), "ab...");
    cr_expect_str_eq(gg_view_cut(&sample.arena, "a\xff\xff\xff", 2), "a\xff...");
}

Test(view, paths_inside)
{
    static const char *const inside[] = {"a", "src/a.c", "..a/b..", "a b\n/c", "\xff"};
    static const char *const outside[] = {"",    "/a",   "..",    "../a", "a/../b", "a/..",
                                          "./a", "a//b", "a/./b", "a/",   "/"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        cr_expect(gg_view_is_inside(inside[i]), "%s", inside[i]);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        cr_expect_not(gg_view_is_inside(outside[i]), "%s", outside[i]);
}

Test(view, the_bar_is_found_from_the_count)
{
    sample_finding(&sample, GG_KIND_InvalidRead, "");
    sample_finding(&sample, GG_KIND_InvalidRead, "")->fate = GG_KNOWN;
    sample_finding(&sample, GG_KIND_Leak_PossiblyLost, "");
    sample_finding(&sample, GG_KIND_Leak_PossiblyLost, "");
    sample_finding(&sample, GG_KIND_Leak_StillReachable, "");
    static const struct {
        uint64_t failing;
        int bar;
    } rows[] = {{0, GG_ERROR + 1}, {1, GG_ERROR}, {3, GG_WARNING}, {4, GG_NOTE}, {2, GG_NOTE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gg_verdict verdict = {.failing = rows[i].failing};
        cr_expect_eq(gg_view_bar(&sample.report, &verdict), rows[i].bar);
    }
}

Test(view, the_via_sentence_is_said_when_the_site_is_elsewhere)
{
    struct gg_finding *finding = sample_uninitialised(&sample);
    cr_expect_not_null(strstr(gg_view_via(finding), "this line created the value"));
    finding->site.via = GG_VIA_FREED;
    cr_expect_not_null(strstr(gg_view_via(finding), "this line freed the block"));
    finding->site.via = GG_VIA_ALLOCATED;
    cr_expect_not_null(strstr(gg_view_via(finding), "this line allocated the block"));
    finding->site.via = GG_VIA_ERROR;
    cr_expect_null(gg_view_via(finding));
}
