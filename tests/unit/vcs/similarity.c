#include <criterion/criterion.h>

#include "vcs/similarity.h"

static struct gg_similarity similarity;

static void end(void)
{
    gg_similarity_free(&similarity);
    similarity = (struct gg_similarity){0};
}

TestSuite(similarity, .fini = end);

static uint32_t score(const char *source, const char *target)
{
    gg_similarity_target(&similarity, gg_str(target));
    return gg_similarity_score(&similarity, gg_str(source));
}

/* Each value is the bytes both have over the larger size, times 60000. */
Test(similarity, lines_in_any_order)
{
    cr_assert_eq(score("aaa\nbbb\nccc\n", "aaa\nbbb\nccc\n"), 60000);
    cr_assert_eq(score("aaa\nbbb\nccc\n", "ccc\naaa\nbbb\n"), 60000);
    cr_assert_eq(score("aaa\nbbb\nccc\n", "aaa\nxxx\nccc\n"), 60000 * 8 / 12);
    cr_assert_eq(score("aaa\nbbb\n", "aaa\nbbb\nccc\nddd\n"), 60000 * 8 / 16);
    cr_assert_eq(score("aaa\nbbb\nccc\nddd\n", "aaa\nbbb\n"), 60000 * 8 / 16);
    cr_assert_eq(score("aaa\n", "bbb\n"), 0);
}

Test(similarity, a_repeated_line_counts_as_often_as_both_have_it)
{
    cr_assert_eq(score("aaa\naaa\naaa\nbbb\n", "aaa\naaa\nccc\nddd\n"), 60000 * 8 / 16);
}

Test(similarity, the_carriage_return_of_a_crlf_does_not_count)
{
    cr_assert_eq(score("aaa\r\nbbb\r\n", "aaa\nbbb\n"), 60000 * 8 / 10);
    cr_assert_eq(score("a\ra\n", "a\ra\n"), 60000);
}

Test(similarity, in_a_file_with_nul_bytes_it_does)
{
    gg_similarity_target(&similarity, gg_str_n("\0aa\n", 4));
    cr_assert_eq(gg_similarity_score(&similarity, gg_str_n("\0aa\r\n", 5)), 0);
}

Test(similarity, an_open_last_line_counts_for_nothing)
{
    cr_assert_eq(score("aaa\nbbb", "aaa\nbbb"), 60000 * 4 / 7);
    cr_assert_eq(score("aaa", "aaa"), 0);
}

Test(similarity, long_lines_are_cut_every_64_bytes)
{
    char one[131], other[131];
    memset(one, 'a', 130);
    memset(other, 'a', 130);
    for (int i = 64; i < 128; i++)
        other[i] = (char)('A' + i % 26);
    one[128] = other[128] = 'z';
    one[129] = other[129] = '\n';
    one[130] = other[130] = '\0';
    cr_assert_eq(score(one, other), 60000 * 66 / 130);
}

Test(similarity, empty_texts)
{
    cr_assert_eq(score("", ""), 0);
    cr_assert_eq(score("", "aaa\n"), 0);
    cr_assert_eq(score("aaa\n", ""), 0);
}

Test(similarity, sizes_alone_can_rule_it_out)
{
    gg_similarity_target(&similarity, gg_str("aaa\nbbb\n"));
    cr_assert(gg_similarity_possible(&similarity, 16, 30000));
    cr_assert_not(gg_similarity_possible(&similarity, 17, 30000));
    cr_assert(gg_similarity_possible(&similarity, 4, 30000));
    cr_assert_not(gg_similarity_possible(&similarity, 3, 30000));
    cr_assert(gg_similarity_possible(&similarity, 6, 45000));
    cr_assert_not(gg_similarity_possible(&similarity, 5, 45000));
    cr_assert_not(gg_similarity_possible(&similarity, 0, 30000));
}
