#include "base/esc.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*escape)(struct gg_out *out, struct gg_str text);

static void check_n(escape esc, const char *text, size_t len, const char *expected)
{
    struct gg_out *out = gg_out_memory();
    esc(out, gg_str_n(text, len));
    char *got = gg_out_take(out, NULL);
    cr_expect_str_eq(got, expected);
    free(got);
}

static void check(escape esc, const char *text, const char *expected)
{
    check_n(esc, text, strlen(text), expected);
}

static size_t decode(const char *text, uint32_t *code)
{
    return gg_utf8_decode(gg_str(text), code);
}

Test(esc, decodes_the_ends_of_each_length)
{
    static const struct {
        const char *text;
        size_t len;
        uint32_t code;
    } rows[] = {{"\x01", 1, 0x1},
                {"\x7f", 1, 0x7F},
                {"\xc2\x80", 2, 0x80},
                {"\xdf\xbf", 2, 0x7FF},
                {"\xe0\xa0\x80", 3, 0x800},
                {"\xed\x9f\xbf", 3, 0xD7FF},
                {"\xee\x80\x80", 3, 0xE000},
                {"\xef\xbf\xbf", 3, 0xFFFF},
                {"\xf0\x90\x80\x80", 4, 0x10000},
                {"\xf4\x8f\xbf\xbf", 4, 0x10FFFF}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t code = 0;
        cr_expect_eq(decode(rows[i].text, &code), rows[i].len, "row %zu", i);
        cr_expect_eq(code, rows[i].code, "row %zu", i);
    }
}

Test(esc, refuses_what_is_not_utf8)
{
    static const char *const texts[] = {
        "\x80",         "\xc0\xaf",         "\xc1\xbf",     "\xe0\x80\xaf",     "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf",     "\xf0\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80", "\xf8\x88\x80\x80", "\xff",         "\xe2\x82",         "\xc3(",
        "\xe2\x28\xa1", "\xf0\x9f\x98"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint32_t code = 0;
        cr_expect_eq(decode(texts[i], &code), 0, "text %zu", i);
    }
}

Test(esc, terminal_shows_what_would_act)
{
    check(gg_esc_terminal, "plain \xc3\xa9\xe2\x82\xac", "plain \xc3\xa9\xe2\x82\xac");
    check(gg_esc_terminal, "\x1b[2J\x1b[H", "\\x1b[2J\\x1b[H");
    check(gg_esc_terminal, "\x1b]0;t\x07", "\\x1b]0;t\\x07");
    check(gg_esc_terminal, "\rOK all clean", "\\x0dOK all clean");
    check(gg_esc_terminal, "x\nPASS\t\x08\x7f", "x\\x0aPASS\\x09\\x08\\x7f");
    check(gg_esc_terminal, "\xc2\x9b[31m", "\\u{9b}[31m");
    check(gg_esc_terminal,
          "\x9b"
          "31m",
          "\\x9b31m");
    check(gg_esc_terminal,
          "a\xe2\x80\xae"
          "cba",
          "a\\u{202e}cba");
    check(gg_esc_terminal, "\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "\\u{200b}\\u{feff}\\u{ad}");
    check(gg_esc_terminal, "\xe2\x81\xaa\xef\xbf\xb9", "\\u{206a}\\u{fff9}");
    check(gg_esc_terminal, "\xf3\xa0\x81\x81\xf4\x8f\xbf\xbf", "\\u{e0041}\\u{10ffff}");
    check_n(gg_esc_terminal, "a\0b", 3, "a\\x00b");
    check(gg_esc_terminal, "##[error]x ##[[ ###[", "##\\[error]x ##\\[[ ###\\[");
    check(gg_esc_terminal, "a##vso[task.x]b ##[c ##vs[", "a##vso\\[task.x]b ##\\[c ##vs[");
}

Test(esc, width_is_what_the_terminal_shows)
{
    cr_expect_eq(gg_esc_width(gg_str("")), 0);
    cr_expect_eq(gg_esc_width(gg_str("abc")), 3);
    cr_expect_eq(gg_esc_width(gg_str("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")), 3);
    cr_expect_eq(gg_esc_width(gg_str("\x1b[0m")), 7);
    cr_expect_eq(gg_esc_width(gg_str("\xff\xe2\x80\xae")), 4 + 8);
}

Test(esc, json)
{
    check(gg_esc_json, "a\"b\\c/d", "a\\\"b\\\\c/d");
    check(gg_esc_json, "a\nb\tc", "a\\nb\\tc");
    check(gg_esc_json, "\x1f\x7f", "\\\\x1f\\\\x7f");
    check(gg_esc_json, "\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80");
    check(gg_esc_json, "\xe2\x80\xa8", "\\\\u{2028}");
    check(gg_esc_json, "##[error]", "##\\u005berror]");
    check(gg_esc_json, "##vso[task.x]", "##vso\\u005btask.x]");
    check_n(gg_esc_json, "a\0b", 3, "a\\\\x00b");
}

Test(esc, xml)
{
    check(gg_esc_xml, "<a b=\"c\" d='e'>&amp;]]>",
          "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;amp;]]&gt;");
    check(gg_esc_xml, "a\nb\x01", "a\\x0ab\\x01");
    check(gg_esc_xml, "\xef\xbf\xbe\xff", "\\u{fffe}\\xff");
    check(gg_esc_xml, "##[error]", "##&#91;error]");
    check(gg_esc_xml, "##vso[task.x]", "##vso&#91;task.x]");
}

Test(esc, uri_path_spells_bytes)
{
    check(gg_esc_uri_path, "src/a-b_c.d~e/9.c", "src/a-b_c.d~e/9.c");
    check(gg_esc_uri_path, "a b:c%d#e?f\\g", "a%20b%3Ac%25d%23e%3Ff%5Cg");
    check(gg_esc_uri_path, "\xc3\xa9\xff\n", "%C3%A9%FF%0A");
    check(gg_esc_uri_path, "[x](y)@!$&'*+,;=", "%5Bx%5D%28y%29%40%21%24%26%27%2A%2B%2C%3B%3D");
}

/* What gg_esc_json writes and a JSON parser reads, back to the text. */
static void expect_back(const char *json_text, const char *text)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    cr_expect_str_eq(gg_esc_json_undo(&arena, json_text), text);
    gg_arena_free(&arena);
}

Test(esc, json_text_becomes_the_text_it_was_made_of)
{
    expect_back("plain \\ text\n\t", "plain \\ text\n\t");
    expect_back("a\\u{202e}b\\u{ad}c\\u{e0001}", "a\xe2\x80\xae"
                                                 "b\xc2\xad"
                                                 "c\xf3\xa0\x80\x81");
    expect_back("\\x7f", "\x7f");
    expect_back("\\xff\\x1b", "\\xff\\x1b"); /* bytes and controls: as reports have them */
    expect_back("\\u{41}\\u{20ac}\\u{}\\u{zz}\\u{202e", "\\u{41}\\u{20ac}\\u{}\\u{zz}\\u{202e");
    expect_back("\\u{d800}\\u{110000}\\u{1234567}", "\\u{d800}\\u{110000}\\u{1234567}");
    expect_back("\x01"
                "a\x1f",
                "\\x01a\\x1f");
}
