#include "match/wildcard.h"

#include <criterion/criterion.h>
#include <fnmatch.h>
#include <string.h>

/* All texts over `letters` of up to `most` characters, one after the other: 0 is the empty one. */
static const char *text_number(unsigned number, const char *letters, char *buffer)
{
    size_t base = strlen(letters), len = 0;
    for (; number > 0; number = (number - 1) / (unsigned)base)
        buffer[len++] = letters[(number - 1) % base];
    buffer[len] = '\0';
    return buffer;
}

Test(wildcard, agrees_with_fnmatch)
{
    char pattern[16], name[16];
    for (unsigned p = 0; p < 5461; p++) {
        text_number(p, "ab*?", pattern);
        for (unsigned n = 0; n < 127; n++) {
            text_number(n, "ab", name);
            bool expected = fnmatch(pattern, name, FNM_NOESCAPE) == 0;
            cr_assert_eq(gg_wildcard_match(gg_str(pattern), gg_str(name)), expected, "%s %s",
                         pattern, name);
        }
    }
}

Test(wildcard, knows_bytes_only)
{
    cr_expect(gg_wildcard_match(gg_str("a??b"), gg_str("a\xC3\xA9"
                                                       "b")));
    cr_expect(gg_wildcard_match(gg_str("*/lib*.so"), gg_str("/a/b/libx/y.so")));
    cr_expect_not(gg_wildcard_match(gg_str("[a]"), gg_str("a")));
    cr_expect(gg_wildcard_match(gg_str("[!a]\\*"), gg_str("[!a]\\x")));
}

Test(wildcard, many_stars_take_no_time, .timeout = 10)
{
    static char pattern[2001], name[20001];
    for (size_t i = 0; i < 2000; i += 2)
        memcpy(pattern + i, "*a", 2);
    memset(name, 'a', 20000);
    cr_expect(gg_wildcard_match(gg_str(pattern), gg_str(name)));
    pattern[1999] = 'b';
    cr_expect_not(gg_wildcard_match(gg_str(pattern), gg_str(name)));
}
