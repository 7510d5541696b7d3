/* Regular expressions of rules: what they are, what they are not, and that none can hang. */
#include "match/regex.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gg_arena arena;

static void begin(void)
{
    gg_arena_init(&arena);
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(regex, .init = begin, .fini = end);

static struct gg_regex *make(const char *text)
{
    struct gg_error err = {0};
    struct gg_regex *regex = gg_regex_new(&arena, gg_str(text), &err);
    cr_assert(regex, "%s: %s", text, err.text);
    return regex;
}

static bool matches(const char *pattern, const char *text)
{
    struct gg_regex *regex = make(pattern);
    bool found = gg_regex_match(regex, gg_str(text));
    cr_expect_not(gg_regex_gave_up(regex), "%s", pattern);
    return found;
}

Test(regex, is_searched_for_and_case_counts)
{
    cr_expect(matches("foo", "a foo b"));
    cr_expect(matches("^foo_[a-z]+$", "foo_bar"));
    cr_expect_not(matches("^foo$", "a foo"));
    cr_expect_not(matches("foo", "FOO"));
    cr_expect(matches("(?i)foo", "FOO"));
    cr_expect(matches("^std::(?:vector|map)<.*>::", "std::map<int, int>::at(int const&)"));
    cr_expect(matches("^$", ""));
    cr_expect_not(matches(".", ""));
    cr_expect(matches("(?<!un)known", "well-known"));
    cr_expect_not(matches("(?<!un)known", "unknown"));
}

Test(regex, counts_characters_where_the_text_is_utf_8)
{
    cr_expect(matches("^.$", "\xc3\xa9"));
    cr_expect(matches("^\xc3\xa9$", "\xc3\xa9"));
    cr_expect_not(matches("^..$", "\xc3\xa9"));
    /* A text with other bytes is searched around them. */
    cr_expect(matches("b$", "\xff"
                            "ab"));
    cr_expect_not(matches("^.ab$", "\xff"
                                   "ab"));
    /* An expression with other bytes is one of bytes. */
    cr_expect(matches("^\xe9.$", "\xe9x"));
}

Test(regex, says_where_and_why_it_is_none)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"(a", "at offset 2: missing closing parenthesis"},
        {"a)", "at offset 1: unmatched closing parenthesis"},
        {"*a", "at offset 0: quantifier does not follow a repeatable item"},
        {"[z-a]", "at offset 3: range out of order in character class"},
        {"a\\Cb", "at offset 3: using \\C is disabled"},
        {"((a{1000}){1000}){1000}", "regular expression is too large"},
        {"(*NO_SUCH_VERB)a", "(*VERB) not recognized"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gg_error err = {0};
        cr_expect_null(gg_regex_new(&arena, gg_str(wrong[i].text), &err), "%s", wrong[i].text);
        cr_expect(strstr(err.text, wrong[i].why), "%s: %s", wrong[i].text, err.text);
    }
}

static const char *repeat(const char *piece, size_t times)
{
    size_t len = strlen(piece);
    char *text = gg_arena_alloc(&arena, len * times + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * len, piece, len);
    return text;
}

/* Each must end, as an error or as an expression. */
Test(regex, bombs_end)
{
    const char *const bombs[] = {
        repeat("(", 3000),
        repeat("((", 2000),
        gg_arena_printf(&arena, "%sa%s", repeat("(", 2000), repeat(")", 2000)),
        repeat("(?<=a|bb|ccc)", 300),
        gg_arena_printf(&arena, "(?<=%s)b", repeat("a|", 2000)),
        gg_arena_printf(&arena, "(?<=(?:%s){1,2})b", repeat("a?", 1000)),
        repeat("(a?){0,99}", 400),
        repeat("a{0,65535}", 400),
        repeat("[a-z\\W]", 500),
        "(?R)",
        "(?:(?R)|a)*",
        "(a|(?1))*b",
        "(?(DEFINE)(?<x>(?&x)a))(?&x)",
        "(?C1)a(?C'text')",
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        struct gg_error err = {0};
        struct gg_regex *regex = gg_regex_new(&arena, gg_str(bombs[i]), &err);
        cr_expect_eq(regex == NULL, err.set, "%.20s", bombs[i]);
        if (regex)
            gg_regex_match(regex, gg_str(repeat("ab", 500)));
    }
}

Test(regex, a_long_one_is_refused)
{
    struct gg_error err = {0};
    cr_expect_not_null(gg_regex_new(&arena, gg_str(repeat("a", 4096)), &err), "%s", err.text);
    cr_expect_null(gg_regex_new(&arena, gg_str(repeat("a", 4097)), &err));
    cr_expect_str_eq(err.text, "at offset 4096: the expression is longer than 4096 bytes");
}

/* Each tries exponentially many ways to split ten thousand letters. Without limits none of these
 * ends within a day. */
Test(regex, hostile_expressions_are_given_up)
{
    static const char *const hostile[] = {"(a+)+$",        "(a|a)*$",   "(a|aa)+$", "^(a+)+$",
                                          "(?:(?:a+)+)+$", "^(a?a?)*$", "(a+)*\\1$"};
    struct gg_str name = gg_str(gg_arena_printf(&arena, "%sb", repeat("a", 9999)));
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct gg_regex *regex = make(hostile[i]);
        cr_expect_not(gg_regex_gave_up(regex));
        cr_expect_not(gg_regex_match(regex, name), "%s", hostile[i]);
        cr_expect(gg_regex_gave_up(regex), "%s", hostile[i]);
        cr_expect(gg_regex_match(regex, gg_str("aaa")), "%s", hostile[i]);
        cr_expect(gg_regex_gave_up(regex), "it stays so");
    }
}

Test(regex, an_expression_cannot_lift_its_limits)
{
    static const char *const verbs[] = {"(*LIMIT_MATCH=4000000000)", "(*LIMIT_DEPTH=4000000000)",
                                        "(*LIMIT_HEAP=4000000000)", "(*LIMIT_RECURSION=4000000000)",
                                        "(*NO_JIT)(*LIMIT_MATCH=4000000000)"};
    struct gg_str name = gg_str(gg_arena_printf(&arena, "%sb", repeat("a", 9999)));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        struct gg_regex *regex = make(gg_arena_printf(&arena, "%s(a+)+$", verbs[i]));
        cr_expect_not(gg_regex_match(regex, name));
        cr_expect(gg_regex_gave_up(regex), "%s", verbs[i]);
    }
}

/* Long names of templates are no reason to give up. */
Test(regex, ordinary_expressions_fit_long_names)
{
    const char *name =
        gg_arena_printf(&arena, "%send", repeat("std::map<std::string, ns::T>::it; ", 300));
    cr_assert_gt(strlen(name), 10000);
    cr_expect(matches("^std::.*::it; end$", name));
    cr_expect(matches("(?:[a-z]+::)+T.*string.*end", name));
    cr_expect(matches("^(?:[a-z:<>, ;]|[A-Z])*$", name));
    cr_expect_not(matches("(?:[a-z]+::)+U", name));
    cr_expect_not(matches("^.*ns::T.*nowhere", name));
}

Test(regex, says_how_often_it_ran)
{
    struct gg_regex *regex = make("a+");
    cr_expect_str_eq(gg_regex_text(regex).ptr, "a+");
    cr_expect_eq(gg_regex_runs(regex), 0);
    gg_regex_match(regex, gg_str("a"));
    gg_regex_match(regex, gg_str("a"));
    cr_expect_eq(gg_regex_runs(regex), 2);
    char text[] = "a";
    for (int i = 0; i < 3; i++) {
        cr_expect(gg_regex_match_once(regex, gg_str(text)));
        cr_expect_not(gg_regex_match_once(regex, gg_str("b")));
    }
    cr_expect_eq(gg_regex_runs(regex), 4, "once for each text");
    text[0] = 'b'; /* the text need not stay */
    cr_expect_not(gg_regex_match_once(regex, gg_str(text)));
    cr_expect(gg_regex_match_once(regex, gg_str("a")));
    cr_expect_eq(gg_regex_runs(regex), 4);
}
