#include "vcs/branch.h"
#include "gitrepo.h"

TestSuite(branch, .init = scratch_begin, .fini = scratch_end);

/* As git says, also before the first commit. */
Test(branch, is_what_head_is_on)
{
    run("git init -q -b main .");
    cr_expect_str_eq(gg_repo_branch(open_repo(".")), "main");
    run("echo 1 > f; git add f; git commit -qm 1");
    cr_expect_str_eq(gg_repo_branch(open_repo(".")), output_of("git branch --show-current"));
    run("git checkout -q -b release/2.x; mkdir sub");
    cr_expect_str_eq(gg_repo_branch(open_repo("sub")), "release/2.x");
}

Test(branch, is_none_on_a_commit)
{
    run("git init -q -b main .; echo 1 > f; git add f; git commit -qm 1; git tag v1;"
        "git checkout -q --detach");
    cr_expect_null(gg_repo_branch(open_repo(".")));
    run("git checkout -q v1");
    cr_expect_null(gg_repo_branch(open_repo(".")));
}

Test(branch, is_each_work_trees_own)
{
    run("git init -q -b main a; cd a; echo 1 > f; git add f; git commit -qm 1;"
        "git worktree add -q -b topic ../b");
    cr_expect_str_eq(gg_repo_branch(open_repo("a")), "main");
    cr_expect_str_eq(gg_repo_branch(open_repo("b")), "topic");
}
