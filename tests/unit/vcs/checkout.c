/* Has the repository moved since? */
#include "gitrepo.h"

TestSuite(checkout, .init = scratch_begin, .fini = scratch_end);

static struct gg_checkout checkout_of(const char *dir)
{
    struct gg_checkout checkout;
    gg_repo_checkout(open_repo(dir), &checkout);
    return checkout;
}

static bool moved(const char *dir, struct gg_checkout then)
{
    struct gg_repo *repo = open_repo(dir);
    struct gg_checkout now;
    gg_repo_checkout(repo, &now);
    return gg_repo_moved(repo, &then, &now);
}

static void commit(const char *dir, const char *text)
{
    run("git init -q -b main %s; cd %s; echo %s > f; git add f; git commit -qm %s", dir, dir, text,
        text);
}

Test(checkout, is_where_git_says)
{
    commit("top", "one");
    cr_expect_str_eq(checkout_of("top").root, gg_fs_join(&arena, scratch, "top"));
    cr_expect_str_eq(checkout_of("top").head, output_of("git -C top rev-parse HEAD"));
    run("git init -q empty");
    cr_expect_null(checkout_of("empty").head);
    cr_expect_not(moved("empty", checkout_of("top")), "what it is at now is not known");
}

Test(checkout, has_moved_with_a_commit_of_other_files)
{
    commit("top", "one");
    struct gg_checkout then = checkout_of("top");
    cr_expect_not(moved("top", then));
    run("echo dirt > top/f");
    cr_expect_not(moved("top", then));
    commit("top", "two");
    cr_expect(moved("top", then));
    run("git -C top checkout -q HEAD~1");
    cr_expect_not(moved("top", then));
}

Test(checkout, has_not_moved_when_the_files_are_the_same)
{
    commit("top", "one");
    struct gg_checkout then = checkout_of("top");
    run("cd top; git commit -q --amend -m better");
    cr_expect_str_neq(checkout_of("top").head, then.head);
    cr_expect_not(moved("top", then));
    run("cd top; git commit -q --allow-empty -m nothing");
    cr_expect_not(moved("top", then));
}

Test(checkout, of_another_work_tree_of_the_repository_counts)
{
    commit("top", "one");
    struct gg_checkout then = checkout_of("top");
    run("git clone -q top copy");
    cr_expect_not(moved("copy", then));
    commit("copy", "two");
    cr_expect(moved("copy", then));
}

Test(checkout, of_another_repository_says_nothing)
{
    commit("top", "one");
    commit("other", "two");
    cr_expect_not(moved("other", checkout_of("top")));
}

/* A clone of depth 1 has not got the commit of yesterday, though it stands where that one stood. */
Test(checkout, of_a_commit_that_is_gone_counts_at_the_same_place)
{
    commit("full", "one");
    run("git clone -q --depth 1 file://$PWD/full ci");
    struct gg_checkout then = checkout_of("ci");
    commit("full", "two");
    run("rm -rf ci; git clone -q --depth 1 file://$PWD/full ci");
    cr_expect(moved("ci", then));
    run("git clone -q --depth 1 file://$PWD/full elsewhere");
    cr_expect_not(moved("elsewhere", then));
}

Test(checkout, that_is_not_known_says_nothing)
{
    commit("top", "one");
    cr_expect_not(moved("top", (struct gg_checkout){0}));
    cr_expect_not(moved("top", (struct gg_checkout){checkout_of("top").root, NULL}));
    cr_expect_not(moved("top", (struct gg_checkout){NULL, "nonsense"}));
}
