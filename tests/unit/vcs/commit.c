#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "vcs/commit.h"

#define TREE "tree 89e51da32d4ed4a4b6d5ca86b1b6d0d7d3f4d3a1\n"
#define PARENT_1 "parent 0123456789abcdef0123456789abcdef01234567\n"
#define PARENT_2 "parent fedcba9876543210fedcba9876543210fedcba98\n"

static struct gg_arena arena;
static struct gg_commit commit;
static struct gg_authorship who;

static void begin(void)
{
    gg_arena_init(&arena);
    commit = (struct gg_commit){0};
}

static void end(void)
{
    free(commit.parents);
    gg_arena_free(&arena);
}

TestSuite(commit, .init = begin, .fini = end);

static void authorship(const char *text)
{
    gg_commit_authorship(&arena, gg_str(text), &who);
}

Test(commit, the_walk_gets_tree_parents_and_committer_time)
{
    cr_assert(gg_commit_parse(gg_str(TREE PARENT_1 PARENT_2
                                     "author A <a@x> 1500000000 +0100\n"
                                     "committer C <c@x> 1600000000 -0800\n\nText\n"),
                              &commit));
    cr_assert_eq(commit.tree.id[0], 0x89);
    cr_assert_eq(commit.parent_count, 2);
    cr_assert_eq(commit.parents[0].id[19], 0x67);
    cr_assert_eq(commit.parents[1].id[0], 0xfe);
    cr_assert_eq(commit.time, 1600000000);
}

Test(commit, what_is_damaged_is_refused)
{
    static const char *const texts[] = {"", "tree", "tree 89e51d\n", "parent x\n",
                                        "tree 89e51da32d4ed4a4b6d5ca86b1b6d0d7d3f4d3aX\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_assert_not(gg_commit_parse(gg_str(texts[i]), &commit), "%s", texts[i]);
}

Test(commit, a_time_that_makes_no_sense_is_0)
{
    static const char *const dates[] = {"", "x", "-5 +0000", "99999999999999999999 +0000",
                                        "253402300800 +0000"};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char text[256];
        snprintf(text, sizeof text, TREE "committer C <c@x> %s\n\n", dates[i]);
        cr_assert(gg_commit_parse(gg_str(text), &commit));
        cr_assert_eq(commit.time, 0, "%s", dates[i]);
    }
}

Test(commit, a_parent_line_in_the_message_is_none)
{
    cr_assert(gg_commit_parse(
        gg_str(TREE "author A <a@x> 1 +0000\ncommitter C <c@x> 2 +0000\n\n" PARENT_1), &commit));
    cr_assert_eq(commit.parent_count, 0);
    cr_assert_eq(commit.time, 2);
}

Test(commit, author_time_and_zone)
{
    authorship(TREE
               "author A U Thor <a@example.org> 1500000000 +0530\ncommitter C <c> 1 +0000\n\n");
    cr_assert_str_eq(who.author.name, "A U Thor");
    cr_assert_str_eq(who.author.email, "a@example.org");
    cr_assert_eq(who.time, 1500000000);
    cr_assert_eq(who.offset, 330);
    authorship(TREE "author  <> 7 -0330\n\n");
    cr_assert_str_eq(who.author.name, "");
    cr_assert_str_eq(who.author.email, "");
    cr_assert_eq(who.offset, -210);
    authorship(TREE "author A <a <b>> 8 +0000\n\n");
    cr_assert_str_eq(who.author.email, "a <b");
    cr_assert_eq(who.time, 8);
}

/* git log --format=%s gives these. */
Test(commit, the_summary_is_the_first_paragraph_on_one_line)
{
    static const char *const cases[][2] = {
        {"One\n", "One"},
        {"One", "One"},
        {"One\ntwo\n\nBody\n", "One two"},
        {"\n \nOne \t\ntwo\r\n  \nBody\n", "One two"},
        {"One\n  two\n", "One   two"},
        {"", ""},
        {"\n\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, TREE "author A <a> 1 +0000\n\n%s", cases[i][0]);
        authorship(text);
        cr_assert_str_eq(who.summary, cases[i][1]);
    }
    authorship(TREE "author A <a> 1 +0000\n");
    cr_assert_str_eq(who.summary, "");
}

Test(commit, other_encodings_become_utf8)
{
    authorship(TREE "author Bj\xf6rn <b> 1 +0000\ncommitter C <c> 1 +0000\nencoding ISO-8859-1\n\n"
                    "Gr\xfc\xdf\n");
    cr_assert_str_eq(who.author.name, "Bj\xc3\xb6rn");
    cr_assert_str_eq(who.summary, "Gr\xc3\xbc\xc3\x9f");
    authorship(TREE "author Bj\xf6rn <b> 1 +0000\nencoding ../../no/such\n\nx\n");
    cr_assert_str_eq(who.author.name, "Bj\xf6rn");
    authorship(TREE "author Bj\xf6rn <b> 1 +0000\nencoding UTF-8\n\nx\n");
    cr_assert_str_eq(who.author.name, "Bj\xf6rn");
}

Test(commit, a_huge_message_is_cut)
{
    size_t len = 1u << 20;
    char *text = malloc(len + 1);
    memset(text, 'x', len);
    memcpy(text, TREE "author A <a> 1 +0000\n\n", strlen(TREE "author A <a> 1 +0000\n\n"));
    text[len] = '\0';
    authorship(text);
    cr_assert_eq(strlen(who.summary), 1024);
    free(text);
}
