#include <criterion/criterion.h>

#include "base/str.h"

static void expect(struct gg_str text, const char *wanted)
{
    cr_assert(gg_str_is(text, wanted), "\"%.*s\" instead of \"%s\"", (int)text.len, text.ptr,
              wanted);
}

Test(str, trim_takes_valgrinds_white_space)
{
    expect(gg_str_trim(gg_str(" \t\r\n\v\f a b \r\n")), "a b");
    expect(gg_str_trim(gg_str("  ")), "");
    expect(gg_str_trim(gg_str("")), "");
}

Test(str, cut_splits_at_the_first)
{
    struct gg_str head, rest;
    cr_assert(gg_str_cut(gg_str("a:b:c"), ':', &head, &rest));
    expect(head, "a");
    expect(rest, "b:c");
    cr_assert_not(gg_str_cut(gg_str("abc"), ':', &head, &rest));
    expect(head, "abc");
    expect(rest, "");
}

Test(str, find_finds_the_first_or_nothing)
{
    cr_assert_eq(gg_str_find(gg_str("aaab"), "aab"), 1);
    cr_assert_eq(gg_str_find(gg_str("abc"), "c"), 2);
    cr_assert_eq(gg_str_find(gg_str("abc"), "abcd"), SIZE_MAX);
    cr_assert_eq(gg_str_find(gg_str("abab"), "ba"), 1);
    cr_assert_eq(gg_str_find(gg_str("ab"), "bb"), SIZE_MAX);
}

Test(str, line_hands_out_lines)
{
    struct gg_str rest = gg_str("one\n\ntwo"), line;
    cr_assert(gg_str_line(&rest, &line));
    expect(line, "one");
    cr_assert(gg_str_line(&rest, &line));
    expect(line, "");
    cr_assert(gg_str_line(&rest, &line));
    expect(line, "two");
    cr_assert_not(gg_str_line(&rest, &line));
}

Test(str, numbers_fill_the_text_and_fit)
{
    uint64_t value = 0;
    cr_assert(gg_str_u64(gg_str("1,234,567"), true, &value) && value == 1234567);
    cr_assert_not(gg_str_u64(gg_str("1,234"), false, &value));
    cr_assert_not(gg_str_u64(gg_str(",1"), true, &value));
    cr_assert_not(gg_str_u64(gg_str(""), true, &value));
    cr_assert_not(gg_str_u64(gg_str("12x"), true, &value));
    cr_assert(gg_str_u64(gg_str("18446744073709551615"), false, &value) && value == UINT64_MAX);
    cr_assert_not(gg_str_u64(gg_str("18446744073709551616"), false, &value));
    cr_assert(gg_str_hex(gg_str("0x1A"), &value) && value == 26);
    cr_assert(gg_str_hex(gg_str("ffffffffffffffff"), &value) && value == UINT64_MAX);
    cr_assert_not(gg_str_hex(gg_str("0x"), &value));
    cr_assert_not(gg_str_hex(gg_str("0x10000000000000000"), &value));
    cr_assert_not(gg_str_hex(gg_str("0xg"), &value));
}
