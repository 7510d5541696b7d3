#include "gitrepo.h"

TestSuite(worktree, .init = scratch_begin, .fini = scratch_end);

static struct gg_worktree tree;

static void list(const char *dir)
{
    cr_assert(gg_repo_worktree(open_repo(dir), &tree, &err), "%s", err.text);
}

static void expect_paths(const char *const *paths, size_t count)
{
    cr_assert_eq(tree.path_count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_str_eq(tree.paths[i], paths[i]);
}

#define EXPECT_PATHS(...)                            \
    expect_paths((const char *const[]){__VA_ARGS__}, \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

Test(worktree, tracked_paths_in_the_order_of_their_bytes)
{
    run("git init -q .; git config core.ignorecase true; mkdir a a.b;"
        "touch B a/x a.b/y 'with blank' untracked; printf 1 > \"$(printf 'tab\\there')\";"
        "git add B a a.b with* tab*; rm B");
    list(".");
    cr_assert_str_eq(tree.root, scratch);
    EXPECT_PATHS("B", "a.b/y", "a/x", "tab\there", "with blank");
    cr_assert_null(tree.submodules[0]);
}

Test(worktree, an_empty_repository)
{
    run("git init -q .");
    list(".");
    cr_assert_eq(tree.path_count, 0);
    cr_assert_null(tree.submodules[0]);
}

/* git clone --no-checkout, or a lost index: without this every file would be somebody else's. */
Test(worktree, without_an_index_what_head_has_is_tracked)
{
    run("git init -q .; mkdir -p a/b; touch a/b/c d; git add .; git commit -qm 1; rm .git/index");
    list(".");
    EXPECT_PATHS("a/b/c", "d");
}

Test(worktree, a_path_in_conflict_is_listed_once)
{
    run("git init -q -b main .; echo 1 > a; git add a; git commit -qm 1; git checkout -qb side;"
        "echo 2 > a; git commit -qam 2; git checkout -q main; echo 3 > a; git commit -qam 3;"
        "! git merge -q side >/dev/null");
    list(".");
    EXPECT_PATHS("a");
}

Test(worktree, submodules_within_submodules)
{
    run("git config --file c protocol.file.allow always; export GIT_CONFIG_GLOBAL=$PWD/c;"
        "for n in deep inner outer; do git init -q $n; touch $n/$n.c; git -C $n add .; "
        "git -C $n commit -qm 1; done;"
        "git -C inner submodule --quiet add ../deep deps/deep; git -C inner commit -qm 2;"
        "git -C outer submodule --quiet add ../inner sub; git -C outer commit -qm 2;"
        "git clone -q outer bare-clone; git -C outer submodule --quiet update --init --recursive");
    list("outer");
    EXPECT_PATHS(".gitmodules", "outer.c", "sub/.gitmodules", "sub/deps/deep/deep.c",
                 "sub/inner.c");
    cr_assert_str_eq(tree.submodules[0], "sub");
    cr_assert_str_eq(tree.submodules[1], "sub/deps/deep");
    cr_assert_null(tree.submodules[2]);
    list("bare-clone");
    EXPECT_PATHS(".gitmodules", "outer.c");
    cr_assert_str_eq(tree.submodules[0], "sub");
    cr_assert_null(tree.submodules[1]);
}

Test(worktree, a_link_in_a_submodule_s_place_is_not_followed)
{
    run("git init -q other; touch other/secret.c; git -C other add .; git -C other commit -qm 1;"
        "git init -q outer; cd outer; git update-index --add --cacheinfo "
        "160000,$(git -C ../other rev-parse HEAD),sub; ln -s ../other sub");
    list("outer");
    cr_assert_eq(tree.path_count, 0);
    cr_assert_str_eq(tree.submodules[0], "sub");
    cr_assert(strstr(ask(open_repo("outer"), "sub/secret.c", 1).why, "not"));
}

Test(worktree, an_index_libgit2_cannot_read)
{
    run("git init -q .; touch a; git add a; git commit -qm 1; git update-index --split-index");
    cr_assert_not(gg_repo_worktree(open_repo("."), &tree, &err));
    const char *command = strstr(err.text, "git -c index.sparse=false");
    cr_assert(command, "%s", err.text);
    run("%s", command);
    list(".");
    EXPECT_PATHS("a");
}
