/* Globs: a table by hand, then chance against fnmatch and against regular expressions. */
#include "match/glob.h"
#include "match/regex.h"

#include <criterion/criterion.h>
#include <fnmatch.h>
#include <string.h>

static const struct {
    const char *glob, *name;
    bool fits;
} rows[] = {
    {"src/a.c", "src/a.c", true},
    {"src/a.c", "src/a.cc", false},
    {"a.c", "src/a.c", false},
    {"*.c", "a.c", true},
    {"*.c", ".c", true},
    {"*", ".hidden", true},
    {"*.c", "src/a.c", false},
    {"src/*.c", "src/sub/a.c", false},
    {"src/*", "src/", true},
    {"*", "", true},
    {"", "", true},
    {"", "a", false},
    {"**", "", true},
    {"**", "a/b/c", true},
    {"**/a.c", "a.c", true},
    {"**/a.c", "x/y/a.c", true},
    {"**/a.c", "x/ya.c", false},
    {"src/**/a.c", "src/a.c", true},
    {"src/**/a.c", "src/x/y/a.c", true},
    {"src/**/a.c", "srca.c", false},
    {"src/**", "src/x/y", true},
    {"src/**", "src", false},
    {"src/**", "srcx/y", false},
    {"src**", "srcx/y", true},
    {"a**b", "a/x/b", true},
    {"a**b", "ab", true},
    {"***", "a/b", true},
    {"**/*.c", "x/y/z.c", true},
    {"**/b/**/d", "a/b/c/b/d", true},
    {"**/b/**/d", "a/b/c/bd", false},
    {"**b/*c", "b/yb/zc", true},
    {"*/*/c", "a/b/c", true},
    {"*/*/c", "a/c", false},
    {"?.c", "a.c", true},
    {"?.c", "ab.c", false},
    {"a?b", "a/b", false},
    {"?", "\xc3\xa9", true},
    {"??", "\xc3\xa9", false},
    {"?", "\xff", true},
    {"[abc].c", "b.c", true},
    {"[abc].c", "d.c", false},
    {"[a-cx]", "c", true},
    {"[a-cx]", "x", true},
    {"[!a-c]", "d", true},
    {"[^a-c]", "d", true},
    {"[!a-c]", "b", false},
    {"a[!b]c", "a/c", false},
    {"a[/]c", "a/c", false},
    {"[]]", "]", true},
    {"[]a]", "a", true},
    {"[!]]", "]", false},
    {"[a-]", "-", true},
    {"[-a]", "-", true},
    {"[\\]]", "]", true},
    {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true},
    {"[[:digit:]]x", "7x", true},
    {"[[:digit:]]x", "ax", false},
    {"[![:alnum:]_]", "-", true},
    {"[[:upper:][:digit:]]", "Q", true},
    {"[[:upper:][:digit:]]", "q", false},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"a\\b", "ab", true},
    {"\\[a]", "[a]", true},
    {"A", "a", false},
    {"release/*", "release/2.1", true},
    {"release/*", "release/2/1", false},
    {"unit.*", "unit.base", true},
    {"/suite/*", "/suite/test", true},
};

Test(glob, fits_as_its_header_says)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(gg_glob_match(gg_str(rows[i].glob), gg_str(rows[i].name)), rows[i].fits,
                     "\"%s\" \"%s\"", rows[i].glob, rows[i].name);
}

Test(glob, says_what_is_wrong)
{
    cr_expect_str_eq(gg_glob_fault(gg_str("a[b")), "has a [ without its ]");
    cr_expect_str_eq(gg_glob_fault(gg_str("[]")), "has a [ without its ]");
    cr_expect_str_eq(gg_glob_fault(gg_str("[!]")), "has a [ without its ]");
    cr_expect_str_eq(gg_glob_fault(gg_str("a\\")),
                     "ends with a backslash that has nothing to stand before");
    cr_expect_str_eq(gg_glob_fault(gg_str("")), "is empty");
    cr_expect_str_eq(gg_glob_fault(gg_str("\\\\[a")), "has a [ without its ]");
    cr_expect_null(gg_glob_fault(gg_str("\\[a")));
    cr_expect_null(gg_glob_fault(gg_str("\\\\[a]")));
    cr_expect_null(gg_glob_fault(gg_str("a]**/[]]?[^x]")));
    cr_expect(gg_glob_match(gg_str("a[b"), gg_str("a[b")), "a wrong one stands for itself");
}

static unsigned chance(unsigned below)
{
    static uint64_t state = 0x2545f4914f6cdd1d;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

static void random_text(char *text, const char *const *pieces, unsigned count, unsigned most)
{
    text[0] = '\0';
    for (unsigned left = chance(most + 1); left; left--)
        strcat(text, pieces[chance(count)]);
}

static const char *const letters[] = {"a", "b", "a", "b", "/", "."};

Test(glob, agrees_with_fnmatch)
{
    static const char *const pieces[] = {"a", "b", "/", "*", "*", "?", "[ab]", "[!a]", "\\a"};
    unsigned fits = 0;
    for (unsigned i = 0; i < 300000; i++) {
        char glob[64], name[64];
        random_text(glob, pieces, 9, 8);
        random_text(name, letters, 6, 8);
        if (strstr(glob, "**"))
            continue;
        bool expected = fnmatch(glob, name, FNM_PATHNAME) == 0;
        fits += expected;
        cr_assert_eq(gg_glob_match(gg_str(glob), gg_str(name)), expected, "\"%s\" \"%s\"", glob,
                     name);
    }
    cr_expect_gt(fits, 1000);
}

/* What the header says of each piece, as a regular expression. */
static void translate(const char *glob, char *regex)
{
    strcpy(regex, "\\A");
    for (size_t i = 0; glob[i];) {
        bool begins = i == 0 || glob[i - 1] == '/';
        if (begins && strncmp(glob + i, "**/", 3) == 0) {
            strcat(regex, "(?:.*/)?");
            i += 3;
        } else if (strncmp(glob + i, "**", 2) == 0) {
            strcat(regex, ".*");
            i += 2;
        } else {
            char literal[2] = {glob[i++], '\0'};
            strcat(regex, literal[0] == '*' ? "[^/]*" : literal[0] == '?' ? "[^/]" : literal);
        }
    }
    strcat(regex, "\\z");
}

Test(glob, agrees_with_regular_expressions)
{
    static const char *const pieces[] = {"a", "b", "/", "/", "*", "?", "**", "**/", "/**/"};
    struct gg_arena arena;
    gg_arena_init(&arena);
    unsigned fits = 0;
    for (unsigned i = 0; i < 20000; i++) {
        char glob[64], pattern[256];
        random_text(glob, pieces, 9, 7);
        if (strstr(glob, "***"))
            continue;
        translate(glob, pattern);
        struct gg_error err = {0};
        struct gg_regex *regex = gg_regex_new(&arena, gg_str(pattern), &err);
        for (unsigned j = 0; j < 20; j++) {
            char name[64];
            random_text(name, letters, 5, 9);
            bool expected = gg_regex_match(regex, gg_str(name));
            fits += expected;
            cr_assert_eq(gg_glob_match(gg_str(glob), gg_str(name)), expected, "\"%s\" \"%s\"", glob,
                         name);
        }
        cr_assert_not(gg_regex_gave_up(regex));
    }
    cr_expect_gt(fits, 1000);
    gg_arena_free(&arena);
}

/* Trying every way to share out the letters would never end. */
Test(glob, many_stars_end)
{
    static char name[4001], glob[200];
    memset(name, 'a', sizeof name - 1);
    for (size_t i = 0; i < 25; i++)
        strcat(glob, i % 2 ? "**a" : "*a");
    strcat(glob, "b");
    cr_expect_not(gg_glob_match(gg_str(glob), gg_str(name)));
}
