#include <criterion/criterion.h>
#include <string.h>

#include "read/repair.h"

static void check(const char *bytes, size_t len, bool last, const char *expected, size_t used,
                  uint64_t bad)
{
    struct gg_buffer out = {0};
    uint64_t found = 0;
    cr_expect_eq(gg_repair(&out, bytes, len, last, &found), used);
    cr_expect_eq(found, bad);
    cr_expect_eq(out.len, strlen(expected));
    cr_expect(out.len == strlen(expected) && memcmp(out.ptr, expected, out.len) == 0,
              "got \"%.*s\", not \"%s\"", (int)out.len, out.ptr, expected);
    gg_buffer_free(&out);
}

Test(repair, what_xml_allows_stays)
{
    const char *text = "plain \t\r\n caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \x7F \xC2\x80";
    check(text, strlen(text), true, text, strlen(text), 0);
}

Test(repair, control_bytes_become_visible)
{
    check("a\0b", 3, true, "a\\x00b", 3, 1);
    check("\033[1m\v\f\x01", 7, true, "\\x1b[1m\\x0b\\x0c\\x01", 7, 4);
}

Test(repair, what_is_no_utf8_becomes_visible_byte_by_byte)
{
    check("caf\xE9!", 5, true, "caf\\xe9!", 5, 1);                    /* Latin-1 */
    check("\xC0\xAF", 2, true, "\\xc0\\xaf", 2, 2);                   /* overlong */
    check("\xED\xA0\x80", 3, true, "\\xed\\xa0\\x80", 3, 3);          /* surrogate */
    check("\xF4\x90\x80\x80", 4, true, "\\xf4\\x90\\x80\\x80", 4, 4); /* above U+10FFFF */
    check("\xFE\xFF\xFC", 3, true, "\\xfe\\xff\\xfc", 3, 3);          /* never in UTF-8 */
    check("\x80", 1, true, "\\x80", 1, 1);                            /* alone */
}

Test(repair, characters_that_xml_forbids_become_visible)
{
    check("\xEF\xBF\xBE", 3, true, "\\xef\\xbf\\xbe", 3, 3); /* U+FFFE */
    check("\xEF\xBF\xBF", 3, true, "\\xef\\xbf\\xbf", 3, 3); /* U+FFFF */
    check("\xEF\xBF\xBD", 3, true, "\xEF\xBF\xBD", 3, 0);    /* U+FFFD is a character */
}

Test(repair, a_character_cut_by_the_chunk_waits_for_its_rest)
{
    check("ab\xF0\x9F\x98", 5, false, "ab", 2, 0);
    check("ab\xE2\x82", 4, false, "ab", 2, 0);
    check("ab\xC3", 3, false, "ab", 2, 0);
    check("ab\xE2\x82", 4, true, "ab\\xe2\\x82", 4, 2);
    /* No rest can make these a character. */
    check("ab\xE2\x41", 4, false, "ab\\xe2A", 4, 1);
    check("ab\xC1", 3, false, "ab\\xc1", 3, 1);
    check("ab\xFF", 3, false, "ab\\xff", 3, 1);
}

/* The fast path looks at blocks: a bad byte at any place of any block is found. */
Test(repair, no_place_is_overlooked)
{
    char text[300], expected[310];
    for (size_t at = 0; at < sizeof text - 1; at++) {
        memset(text, 'x', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        text[at] = '\x1F';
        memset(expected, 'x', at);
        strcpy(expected + at, "\\x1f");
        strcat(expected, text + at + 1);
        check(text, sizeof text - 1, true, expected, sizeof text - 1, 1);
    }
}
