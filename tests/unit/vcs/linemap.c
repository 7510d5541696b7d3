#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcs/linemap.h"
#include "vcs/objects.h"

static struct gg_linemap map;
static struct gg_error err;

static void begin(void)
{
    git_libgit2_init();
    map = (struct gg_linemap){0};
    err = (struct gg_error){0};
}

static void end(void)
{
    gg_linemap_free(&map);
    git_libgit2_shutdown();
}

TestSuite(linemap, .init = begin, .fini = end);

/* Where each line of `newer` stands in `older`, as digits; '-' for a new line. */
static const char *mapped(const char *older, const char *newer)
{
    static char text[64];
    cr_assert(gg_linemap_make(&map, gg_str(older), gg_str(newer), &err), "%s", err.text);
    size_t lines = (size_t)gg_linemap_lines(gg_str(newer));
    for (size_t i = 0; i < lines; i++) {
        uint32_t line = gg_linemap_older(&map, (uint32_t)i + 1);
        text[i] = line ? (char)('0' + line) : '-';
    }
    text[lines] = '\0';
    return text;
}

Test(linemap, lines_are_counted_with_an_open_last_one)
{
    cr_assert_eq(gg_linemap_lines(gg_str("")), 0);
    cr_assert_eq(gg_linemap_lines(gg_str("a")), 1);
    cr_assert_eq(gg_linemap_lines(gg_str("a\n")), 1);
    cr_assert_eq(gg_linemap_lines(gg_str("\n\nb")), 3);
}

Test(linemap, insertions_deletions_and_changes)
{
    cr_assert_str_eq(mapped("a\nb\nc\n", "a\nb\nc\n"), "123");
    cr_assert_str_eq(mapped("a\nb\nc\n", "x\na\nb\ny\nc\nz\n"), "-12-3-");
    cr_assert_str_eq(mapped("a\nb\nc\nd\n", "b\nd\n"), "24");
    cr_assert_str_eq(mapped("a\nb\nc\n", "a\nB\nc\n"), "1-3");
    cr_assert_str_eq(mapped("", "a\nb\n"), "--");
    cr_assert_str_eq(mapped("a\nb\n", ""), "");
}

Test(linemap, a_last_line_without_line_feed_is_another_line)
{
    cr_assert_str_eq(mapped("a\nb\n", "a\nb"), "1-");
    cr_assert_str_eq(mapped("a\nb", "a\nb\n"), "1-");
    cr_assert_str_eq(mapped("a\nb", "x\na\nb"), "-12");
    cr_assert_str_eq(mapped("a\n  ", "a\n  \n"), "1-");
}

Test(linemap, line_ends_and_blanks_make_a_difference)
{
    cr_assert_str_eq(mapped("a\nb\n", "a\r\nb\n"), "-2");
    cr_assert_str_eq(mapped("\ta\n", "        a\n"), "-");
    cr_assert_str_eq(mapped("x\n\ny\n", "x\n \ny\n"), "1-3");
    cr_assert_str_eq(mapped("a\n", "a \n"), "-");
}

/* git diff gives "@@ -4,0 +5,3 @@" here: the block that is added begins after the blank line. With
 * --no-indent-heuristic it gives "@@ -5,0 +6,3 @@". */
Test(linemap, the_indent_heuristic_is_on)
{
    cr_assert_str_eq(mapped("1\n2\na\n\nb\n3\n4\n", "1\n2\na\n\nb\na\n\nb\n3\n4\n"), "1234---567");
}

/* To git a form feed is no blank, to libgit2 it is. */
Test(linemap, a_line_with_a_form_feed_is_not_blank)
{
    cr_assert_str_eq(mapped("1\n2\na\n\f\nb\n3\n4\n", "1\n2\na\n\f\nb\na\n\f\nb\n3\n4\n"),
                     "12345---67");
}

Test(linemap, nul_bytes_are_text)
{
    char older[] = "a\0b\nc\n", newer[] = "new\na\0b\nc\n";
    cr_assert(gg_linemap_make(&map, gg_str_n(older, 6), gg_str_n(newer, 10), &err));
    cr_assert_eq(gg_linemap_older(&map, 2), 1);
}

/* 70,000 lines need numbers of three digits; each keeps its own. */
Test(linemap, many_lines)
{
    size_t len = 0;
    char *older = malloc(1u << 20), *newer = malloc(1u << 20);
    for (unsigned i = 0; i < 70000; i++)
        len += (size_t)sprintf(older + len, "%u\n", i);
    size_t newer_len = (size_t)sprintf(newer, "first\n");
    memcpy(newer + newer_len, older, len);
    cr_assert(gg_linemap_make(&map, gg_str_n(older, len), gg_str_n(newer, newer_len + len), &err));
    cr_assert_eq(gg_linemap_older(&map, 1), 0);
    cr_assert_eq(gg_linemap_older(&map, 2), 1);
    cr_assert_eq(gg_linemap_older(&map, 70001), 70000);
    free(older);
    free(newer);
}

Test(linemap, too_many_lines_are_an_error)
{
    size_t len = GG_LINE_LIMIT + 1;
    char *lines = malloc(len);
    memset(lines, '\n', len);
    cr_assert_not(gg_linemap_make(&map, gg_str("a\n"), gg_str_n(lines, len), &err));
    cr_assert(strstr(err.text, "2000000 lines"));
    free(lines);
}

/* Two pairs of bytes that take xdiff's hash (hash * 33 ^ byte) from one value to the same next. */
static uint64_t colliding_pairs(uint64_t hash, char one[2], char other[2])
{
    for (unsigned char a = 'A'; a < 'z'; a++) {
        for (unsigned char b = 'A'; b < a; b++) {
            uint64_t difference = (hash * 33 ^ a) * 33 ^ (hash * 33 ^ b) * 33;
            for (unsigned char c = 'A'; c < 'z' && difference < 64; c++) {
                if ((c ^ difference) < 'A' || (c ^ difference) > 'z')
                    continue;
                one[0] = (char)a;
                one[1] = (char)c;
                other[0] = (char)b;
                other[1] = (char)(c ^ difference);
                return (hash * 33 ^ a) * 33 ^ c;
            }
        }
    }
    cr_assert_fail("no collision");
    return 0;
}

/* 131,072 different lines of one hash: compared in pairs they take minutes. */
Test(linemap, colliding_lines_take_no_longer, .timeout = 20)
{
    enum { BITS = 17, WIDTH = 2 * BITS + 1 };
    char pairs[BITS][2][2], *text = malloc((size_t)WIDTH << BITS);
    uint64_t hash = 5381;
    for (unsigned bit = 0; bit < BITS; bit++)
        hash = colliding_pairs(hash, pairs[bit][0], pairs[bit][1]);
    for (unsigned i = 0; i < 1u << BITS; i++) {
        for (unsigned bit = 0; bit < BITS; bit++)
            memcpy(text + i * WIDTH + 2 * bit, pairs[bit][i >> bit & 1], 2);
        text[i * WIDTH + WIDTH - 1] = '\n';
    }
    size_t len = (size_t)WIDTH << BITS;
    cr_assert(
        gg_linemap_make(&map, gg_str_n(text, len), gg_str_n(text + WIDTH, len - WIDTH), &err));
    cr_assert_eq(gg_linemap_older(&map, 1), 2);
    free(text);
}
