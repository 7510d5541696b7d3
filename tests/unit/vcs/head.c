/* What the files of a repository say is what git says of it. */
#include "gitrepo.h"
#include "vcs/head.h"

TestSuite(head, .init = scratch_begin, .fini = scratch_end);

static struct gg_checkout read_head(const char *start)
{
    struct gg_checkout checkout;
    gg_head_read(&arena, start, &checkout);
    return checkout;
}

static void expect_as_git(const char *dir)
{
    struct gg_checkout checkout = read_head(dir);
    const char *git = gg_arena_printf(&arena, "git -C %s rev-parse", dir);
    cr_assert_not_null(checkout.head, "%s", dir);
    cr_expect_str_eq(checkout.root, output_of(gg_arena_printf(&arena, "%s --show-toplevel", git)));
    cr_expect_str_eq(checkout.head, output_of(gg_arena_printf(&arena, "%s HEAD", git)));
}

static void commit(const char *dir)
{
    run("git init -q -b main %s; cd %s; mkdir -p d/e; echo 1 > d/e/f; git add .; git commit -qm 1",
        dir, dir);
}

Test(head, of_a_branch_from_any_directory_below)
{
    commit("top");
    expect_as_git("top");
    expect_as_git("top/d/e");
    run("ln -s top/d link");
    expect_as_git("link");
    cr_assert(chdir("top/d") == 0);
    cr_expect_str_eq(read_head(NULL).head, output_of("git rev-parse HEAD"));
}

Test(head, of_a_branch_with_slashes_in_its_name)
{
    commit(".");
    run("git checkout -q -b topic/one/two; echo 2 > g; git add g; git commit -qm 2");
    expect_as_git(".");
}

Test(head, of_a_branch_that_is_packed)
{
    commit(".");
    run("git tag -a -m one main2; git branch main3; git pack-refs --all");
    cr_assert(access(".git/refs/heads/main", F_OK) != 0);
    expect_as_git(".");
    run("echo 2 > g; git add g; git commit -qm 2"); /* the plain one counts now */
    expect_as_git(".");
}

Test(head, that_is_detached)
{
    commit(".");
    run("echo 2 > g; git add g; git commit -qm 2; git checkout -q HEAD~1");
    expect_as_git(".");
}

Test(head, through_a_branch_that_is_another_one)
{
    commit(".");
    run("git symbolic-ref refs/heads/alias refs/heads/main; "
        "git symbolic-ref HEAD refs/heads/alias");
    expect_as_git(".");
}

Test(head, of_a_linked_work_tree)
{
    commit("top");
    run("cd top; git worktree add -q -b side ../side; cd ../side; echo 2 > g; git add g;"
        "git commit -qm 2");
    expect_as_git("side/d");
    run("cd top; git pack-refs --all");
    expect_as_git("side");
    expect_as_git("top");
}

Test(head, of_a_submodule)
{
    commit("inner");
    commit("outer");
    run("cd outer; git -c protocol.file.allow=always submodule --quiet add ../inner sub;"
        "git commit -qm sub");
    expect_as_git("outer/sub");
    expect_as_git("outer");
}

Test(head, of_another_place_of_git_s_files)
{
    run("git init -q --separate-git-dir=elsewhere top; cd top; echo 1 > f; git add f;"
        "git commit -qm 1");
    expect_as_git("top");
}

Test(head, of_nothing_is_not_known)
{
    run("git init -q -b main empty; mkdir -p plain broken/.git odd; echo nonsense > odd/.git");
    cr_expect_null(read_head("empty").head);
    cr_expect_str_eq(read_head("empty").root, gg_fs_join(&arena, scratch, "empty"));
    cr_expect_null(read_head("nowhere").root);
    cr_expect_null(read_head("/").head);
    static const char *const texts[] = {
        "",         "ref: refs/heads/none\n", "ref: HEAD\n",
        "91bc04\n", "ref: refs/heads\n",      "91bc04e51f0c6b9ae4b9b1f0d7c0d2d1b1a0c9dZ\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *out = fopen("empty/.git/HEAD", "w");
        cr_assert(out && fputs(texts[i], out) >= 0 && fclose(out) == 0);
        cr_expect_null(read_head("empty").head, "%s", texts[i]);
    }
}
