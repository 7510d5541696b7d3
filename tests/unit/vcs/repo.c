#include "gitrepo.h"

TestSuite(repo, .init = scratch_begin, .fini = scratch_end);

static void refused(const char *dir, const char *reason)
{
    err = (struct gg_error){0};
    cr_assert_null(gg_repo_open(&arena, dir, &err));
    cr_assert(strstr(err.text, reason), "%s", err.text);
}

Test(repo, found_from_any_directory_below)
{
    run("git init -q top; mkdir -p top/a/b");
    char *root = gg_fs_join(&arena, scratch, "top");
    struct gg_repository is = {0};
    gg_repo_describe(open_repo("top"), &is);
    cr_assert_str_eq(is.root, root);
    gg_repo_describe(open_repo("top/a/b"), &is);
    cr_assert_str_eq(is.root, root);
    cr_assert(chdir("top/a") == 0);
    gg_repo_describe(open_repo(NULL), &is);
    cr_assert_str_eq(is.root, root);
    gg_repo_describe(open_repo(".."), &is);
    cr_assert_str_eq(is.root, root);
}

Test(repo, the_root_is_free_of_symbolic_links)
{
    run("git init -q top; ln -s top link");
    struct gg_repository is = {0};
    gg_repo_describe(open_repo("link"), &is);
    cr_assert_str_eq(is.root, gg_fs_join(&arena, scratch, "top"));
}

Test(repo, errors_say_what_to_do)
{
    run("mkdir plain; git init -q --bare bare; git init -q --object-format=sha256 new;"
        "git init -q odd; git -C odd config core.repositoryformatversion 1;"
        "git -C odd config extensions.fancy true; git init -q broken; echo '[' > "
        "broken/.git/config");
    setenv("GIT_CEILING_DIRECTORIES", scratch, 1);
    refused("plain", "plain: is not in a git repository; run inside one or name one with --repo");
    refused("nowhere", "nowhere: no such directory");
    refused("bare", "bare: is a bare repository, without the files; clone it");
    refused("new", "SHA-256");
    refused("odd", "fancy");
    refused("broken", "broken: the git repository cannot be opened: ");
}

Test(repo, extensions_that_do_not_matter_are_no_hindrance)
{
    run("git init -q .; git config core.repositoryformatversion 1; git config extensions.noop 1;"
        "git config extensions.worktreeConfig true; git config extensions.partialClone origin;"
        "git config extensions.preciousObjects true");
    open_repo(".");
}

Test(repo, an_owner_of_another_name_is_no_hindrance)
{
    run("git init -q .");
    if (geteuid() != 0 || system("chown -R 12345 .") != 0)
        cr_skip("only root can give files away");
    open_repo(".");
}

Test(repo, git_s_environment_counts_when_no_directory_is_named)
{
    run("git init -q one; git init -q two; mkdir tree");
    struct gg_repository is = {0};
    setenv("GIT_DIR", gg_fs_join(&arena, scratch, "one/.git"), 1);
    cr_assert(chdir("two") == 0);
    gg_repo_describe(open_repo(NULL), &is);
    cr_assert_str_eq(is.root, gg_fs_join(&arena, scratch, "one"));
    gg_repo_describe(open_repo("."), &is);
    cr_assert_str_eq(is.root, gg_fs_join(&arena, scratch, "two"));
    setenv("GIT_WORK_TREE", gg_fs_join(&arena, scratch, "tree"), 1);
    gg_repo_describe(open_repo(NULL), &is);
    cr_assert_str_eq(is.root, gg_fs_join(&arena, scratch, "tree"));
    setenv("GIT_DIR", "/no/such/place", 1);
    refused(NULL, "/no/such/place: no such directory");
}

Test(repo, head)
{
    struct gg_repository is = {0};
    run("git init -q .");
    struct gg_repo *repo = open_repo(".");
    gg_repo_describe(repo, &is);
    cr_assert_str_eq(is.head, "");
    cr_assert_not(is.shallow || is.dirty);
    run("git commit -q --allow-empty -m 1");
    gg_repo_describe(repo, &is);
    cr_assert_str_eq(is.head, output_of("git rev-parse HEAD"));
    run("git checkout -q --detach; git commit -q --allow-empty -m 2");
    gg_repo_describe(repo, &is);
    cr_assert_str_eq(is.head, output_of("git rev-parse HEAD"));
}

static bool is_dirty(const char *dir)
{
    struct gg_repository is = {0};
    gg_repo_describe(open_repo(dir), &is);
    return is.dirty;
}

Test(repo, dirty_is_any_change_of_a_tracked_file)
{
    run("git init -q .; echo 1 > a; echo 1 > b; git add .; git commit -qm 1; echo 1 > untracked;"
        "echo untracked2 > .git/info/exclude");
    cr_assert_not(is_dirty("."));
    run("touch a");
    cr_assert_not(is_dirty("."), "only the time changed");
    run("echo 2 > a");
    cr_assert(is_dirty("."), "work tree");
    run("git add a");
    cr_assert(is_dirty("."), "index");
    run("git reset -q --hard; git mv b c");
    cr_assert(is_dirty("."), "renamed");
    run("git reset -q --hard; rm a");
    cr_assert(is_dirty("."), "removed");
    run("git reset -q --hard; git add -N untracked");
    cr_assert(is_dirty("."), "to be added");
    run("git reset -q --hard");
    cr_assert_not(is_dirty("."));
}

Test(repo, what_a_submodule_holds_is_not_dirt)
{
    run("git init -q inner; cd inner; echo 1 > a; git add a; git commit -qm 1; cd ..;"
        "git init -q outer; cd outer; git -c protocol.file.allow=always submodule --quiet add "
        "../inner sub;"
        "git commit -qm 1");
    cr_assert_not(is_dirty("outer"));
    run("echo 2 > outer/sub/a; echo 1 > outer/sub/new");
    cr_assert_not(is_dirty("outer"));
    run("cd outer/sub; git commit -qam 2");
    cr_assert(is_dirty("outer"), "another commit of it");
}

Test(repo, shallow)
{
    run("git init -q deep; cd deep; for n in 1 2 3; do git commit -q --allow-empty -m $n; done;"
        "cd ..; git clone -q --depth 2 file://$PWD/deep thin; git -C thin worktree add -q "
        "../linked");
    struct gg_repository is = {0};
    gg_repo_describe(open_repo("deep"), &is);
    cr_assert_not(is.shallow);
    gg_repo_describe(open_repo("thin"), &is);
    cr_assert(is.shallow);
    gg_repo_describe(open_repo("linked"), &is);
    cr_assert(is.shallow);
}
