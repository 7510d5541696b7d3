#include <sys/stat.h>

#include "gitrepo.h"

TestSuite(attribute, .init = scratch_begin, .fini = scratch_end);

static void expect_unknown(struct gg_blame blame, const char *why)
{
    cr_assert_eq(blame.state, GG_BLAME_UNKNOWN);
    cr_assert(strstr(blame.why, why), "%s", blame.why);
    cr_assert_str_eq(blame.commit, "");
    cr_assert_null(blame.author_name);
}

static void expect_commit(struct gg_blame blame, const char *revision, const char *path,
                          uint32_t line)
{
    char command[256];
    snprintf(command, sizeof command, "git rev-parse %s", revision);
    cr_assert_eq(blame.state, GG_BLAME_COMMIT, "%s", blame.why ? blame.why : "");
    cr_assert_str_eq(blame.commit, output_of(command));
    cr_assert_str_eq(blame.orig_path, path);
    cr_assert_eq(blame.orig_line, line);
    cr_assert_null(blame.why);
}

Test(attribute, everything_that_is_told_of_a_commit)
{
    run("git init -q .; printf 'a\\nb\\n' > f; git add f; git commit -qm 1;"
        "printf 'a\\nnew\\nb\\n' > f; printf 'Two\\nlines\\n\\nBody' | git commit -qaF -");
    struct gg_repo *repo = open_repo(".");
    struct gg_blame blame = ask(repo, "f", 2);
    expect_commit(blame, "HEAD", "f", 2);
    cr_assert_str_eq(blame.author_name, "Ada Example");
    cr_assert_str_eq(blame.author_email, "ada@example.org");
    cr_assert_eq(blame.time, 1700000000);
    cr_assert_eq(blame.offset, 90);
    cr_assert_str_eq(blame.summary, "Two lines");
    expect_commit(ask(repo, "f", 3), "HEAD~", "f", 2);
}

Test(attribute, answers_come_in_the_order_of_the_questions)
{
    run("git init -q .; for n in 1 2 3; do echo $n >> f; echo $n >> g; git add .; git commit -qm "
        "$n;"
        "done");
    struct gg_blame_query queries[] = {{.path = "g", .line = 3},    {.path = "f", .line = 1},
                                       {.path = "none", .line = 1}, {.path = "g", .line = 1},
                                       {.path = "f", .line = 9},    {.path = "f", .line = 1}};
    struct gg_attributor attributor = gg_repo_attributor(open_repo("."));
    cr_assert(attributor.attribute(attributor.self, queries, 6, &err));
    expect_commit(queries[0].answer, "HEAD", "g", 3);
    expect_commit(queries[1].answer, "HEAD~2", "f", 1);
    expect_unknown(queries[2].answer, "none is neither in the work tree nor in HEAD");
    expect_commit(queries[3].answer, "HEAD~2", "g", 1);
    expect_unknown(queries[4].answer, "f has 3 lines and no line 9");
    expect_commit(queries[5].answer, "HEAD~2", "f", 1);
    cr_assert(attributor.attribute(attributor.self, NULL, 0, &err));
}

static void count(void *self)
{
    ++*(int *)self;
}

Test(attribute, somebody_is_told_while_it_takes_long)
{
    int told = 0;
    struct gg_beat beat = {.tell = count, .self = &told}; /* due since the beginning of time */
    run("git init -q .; echo 1 > f; git add f; git commit -qm 1");
    struct gg_repo *repo = open_repo(".");
    gg_repo_beat(repo, &beat);
    expect_commit(ask(repo, "f", 1), "HEAD", "f", 1);
    cr_assert_geq(told, 1);
}

Test(attribute, uncommitted_lines)
{
    run("git init -q .; printf '1\\n2\\n3\\n' > f; git add f; git commit -qm 1;"
        "printf '1\\nx\\n2\\n3\\n' > f; git add f; printf '1\\nx\\n2\\ny\\n3\\n' > f;"
        "echo 1 > untracked; echo 1 > added; git add added");
    struct gg_repo *repo = open_repo(".");
    expect_commit(ask(repo, "f", 1), "HEAD", "f", 1);
    cr_assert_eq(ask(repo, "f", 2).state, GG_BLAME_UNCOMMITTED);
    expect_commit(ask(repo, "f", 3), "HEAD", "f", 2);
    cr_assert_eq(ask(repo, "f", 4).state, GG_BLAME_UNCOMMITTED);
    expect_commit(ask(repo, "f", 5), "HEAD", "f", 3);
    expect_unknown(ask(repo, "f", 6), "f has 5 lines and no line 6");
    cr_assert_eq(ask(repo, "untracked", 1).state, GG_BLAME_UNCOMMITTED);
    cr_assert_eq(ask(repo, "added", 1).state, GG_BLAME_UNCOMMITTED);
    expect_unknown(ask(repo, "untracked", 2), "no line 2");
    expect_unknown(ask(repo, "f", 0), "no line 0");
}

Test(attribute, a_file_that_is_not_checked_out_is_head_s)
{
    run("git init -q .; echo 1 > gone; mkdir d; echo 1 > d/sparse; git add .; git commit -qm 1;"
        "rm gone; git update-index --skip-worktree d/sparse; rm -r d");
    struct gg_repo *repo = open_repo(".");
    expect_commit(ask(repo, "gone", 1), "HEAD", "gone", 1);
    expect_commit(ask(repo, "d/sparse", 1), "HEAD", "d/sparse", 1);
    expect_unknown(ask(repo, "gone", 2), "gone has 1 line and no line 2");
}

Test(attribute, a_staged_rename_is_followed)
{
    run("git init -q .; seq 20 > old; git add .; git commit -qm 1; git mv old new; echo x >> new");
    struct gg_repo *repo = open_repo(".");
    expect_commit(ask(repo, "new", 20), "HEAD", "old", 20);
    cr_assert_eq(ask(repo, "new", 21).state, GG_BLAME_UNCOMMITTED);
}

Test(attribute, nothing_committed_yet)
{
    run("git init -q .; echo 1 > f; git add f");
    expect_unknown(ask(open_repo("."), "f", 1), "nothing is committed");
}

Test(attribute, what_is_no_regular_file)
{
    run("git init -q .; mkdir -p d; echo 1 > d/f; ln -s d/f link; ln -s d dir; ln -s /etc etc;"
        "git add .; git commit -qm 1; mkfifo fifo; rm -f link2; ln -s no/where link2");
    struct gg_repo *repo = open_repo(".");
    static const char *const paths[] = {"link", "dir/f", "dir", "d", "fifo", "etc/passwd", "link2"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect_unknown(ask(repo, paths[i], 1), "is not a regular file");
    run("rm link");
    expect_unknown(ask(repo, "link", 1), "is not a regular file");
}

Test(attribute, paths_that_leave_the_repository)
{
    run("git init -q repo; echo 1 > secret; cd repo; echo 1 > f; git add f; git commit -qm 1");
    struct gg_repo *repo = open_repo("repo");
    static const char *const paths[] = {"../secret", "./f", "/etc/passwd", "a/../f", "a//f",
                                        "f/",        "",    ".",           "..",     "f/."};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect_unknown(ask(repo, paths[i], 1), "is no path inside the repository");
}

Test(attribute, a_shallow_clone_names_no_author_at_its_end)
{
    run("git init -q deep; cd deep; echo 1 > f; git add f; git commit -qm 1; echo 2 >> f;"
        "git commit -qam 2; echo 3 >> f; git commit -qam 3; cd ..;"
        "git clone -q --depth 2 file://$PWD/deep thin");
    struct gg_repo *repo = open_repo("thin");
    cr_assert(chdir("thin") == 0);
    expect_commit(ask(repo, "f", 3), "HEAD", "f", 3);
    for (uint32_t line = 1; line <= 2; line++) {
        struct gg_blame blame = ask(repo, "f", line);
        cr_assert_eq(blame.state, GG_BLAME_BOUNDARY);
        cr_assert_str_eq(blame.commit, output_of("git rev-parse HEAD~"));
        cr_assert_str_eq(blame.why, "older than this clone's history; run: git fetch --unshallow");
        cr_assert_null(blame.author_name);
        cr_assert_eq(blame.orig_line, line);
    }
    run("git fetch -q --unshallow");
    expect_commit(ask(open_repo("."), "f", 1), "HEAD~2", "f", 1);
}

/* A clone down to the root is not cut there, whatever .git/shallow says. */
Test(attribute, a_root_is_no_boundary)
{
    run("git init -q .; echo 1 > f; git add f; git commit -qm 1; git rev-parse HEAD > "
        ".git/shallow");
    expect_commit(ask(open_repo("."), "f", 1), "HEAD", "f", 1);
}

Test(attribute, a_missing_object_is_named_and_nobody_blamed)
{
    run("git init -q .; git config gc.auto 0; seq 30 > f; git add f; git commit -qm 1; echo x >> f;"
        "git commit -qam 2; old=$(git rev-parse HEAD~:f); echo $old > ../id;"
        "rm -f .git/objects/$(echo $old | cut -c1-2)/$(echo $old | cut -c3-)");
    struct gg_repo *repo = open_repo(".");
    struct gg_blame blame = ask(repo, "f", 31);
    expect_unknown(blame, "is missing from this clone");
    cr_assert(strstr(blame.why, output_of("cat ../id; rm ../id")));
    cr_assert(strstr(blame.why, "git fetch --refetch"));
}

Test(attribute, a_missing_or_damaged_commit_and_tree)
{
    run("git init -q .; git config gc.auto 0; echo 1 > f; git add f; git commit -qm 1; echo 2 > f;"
        "git commit -qam 2; echo 3 >> f; git commit -qam 3;"
        "p=$(git rev-parse HEAD~); rm -f .git/objects/$(echo $p | cut -c1-2)/$(echo $p | cut "
        "-c3-)");
    expect_unknown(ask(open_repo("."), "f", 1), "is missing from this clone");
    run("p=$(git hash-object -t commit --stdin -w --literally < /dev/null);"
        "c=$(printf 'tree %%s\\nparent %%s\\nauthor A <a> 1 +0000\\ncommitter A <a> 1 "
        "+0000\\n\\nx\\n' "
        "$(git rev-parse HEAD^{tree}) $p | git hash-object -t commit --stdin -w --literally);"
        "git update-ref --no-deref HEAD $c");
    expect_unknown(ask(open_repo("."), "f", 1), "is damaged; run git fsck");
    run("t=$(printf garbage | git hash-object -t tree --stdin -w --literally);"
        "c=$(printf 'tree %%s\\nauthor A <a> 1 +0000\\ncommitter A <a> 1 +0000\\n\\nx\\n' $t | "
        "git hash-object -t commit --stdin -w --literally); git update-ref --no-deref HEAD $c");
    expect_unknown(ask(open_repo("."), "f", 1), "is damaged; run git fsck");
    run("b=$(git hash-object -w f);"
        "c=$(printf 'tree %%s\\nauthor A <a> 1 +0000\\ncommitter A <a> 1 +0000\\n\\nx\\n' $b | "
        "git hash-object -t commit --stdin -w --literally); git update-ref --no-deref HEAD $c");
    expect_unknown(ask(open_repo("."), "f", 1), "is a blob where a tree belongs");
}

/* The same parent twice, and a parent that is its own grandparent: not made by git commit. */
Test(attribute, odd_parents)
{
    run("git init -q .; echo 1 > f; git add f; git commit -qm 1; echo 2 >> f; git commit -qam 2;"
        "p=$(git rev-parse HEAD); echo 3 >> f; git add f; "
        "c=$(printf 'tree %%s\\nparent %%s\\nparent %%s\\nauthor A <a> 1 +0000\\n"
        "committer A <a> 1 +0000\\n\\nx\\n' $(git write-tree) $p $p | "
        "git hash-object -t commit --stdin -w); git update-ref HEAD $c");
    struct gg_repo *repo = open_repo(".");
    expect_commit(ask(repo, "f", 1), "HEAD~2", "f", 1);
    expect_commit(ask(repo, "f", 2), "HEAD~", "f", 2);
    expect_commit(ask(repo, "f", 3), "HEAD", "f", 3);
}

Test(attribute, files_too_large_to_read)
{
    run("git init -q .; head -c 68000000 /dev/zero > big; git add big; git commit -qm 1;"
        "git rm -q --cached big; mv big big2; git commit -qm 2");
    struct gg_repo *repo = open_repo(".");
    expect_unknown(ask(repo, "big2", 1), "is larger than 67108864 bytes");
    run("rm big2; git checkout -q --detach HEAD~; rm big");
    expect_unknown(ask(open_repo("."), "big", 1), "has 68000000 bytes");
}

Test(attribute, a_deep_tree_is_no_trouble)
{
    run("git init -q -b main .; d=$(printf 'd/%%.0s' $(seq 3000)); "
        "{ printf 'commit refs/heads/main\\ncommitter A <a> 1 +0000\\ndata 1\\n1\\n';"
        "printf 'M 100644 inline %%sf\\ndata 4\\none\\n\\n' $d;"
        "printf 'commit refs/heads/main\\ncommitter A <a> 2 +0000\\ndata 1\\n2\\n';"
        "printf 'D d\\nM 100644 inline new\\ndata 8\\none\\ntwo\\n\\n'; } | git fast-import "
        "--quiet;"
        "git read-tree main");
    expect_unknown(ask(open_repo("."), "new", 2), "paths of more than 4096 bytes");
}

/* Ten directories, each ten times in the next: ten thousand million files in a few hundred bytes.
 */
Test(attribute, a_tree_of_endless_copies_is_given_up, .timeout = 600)
{
    run("git init -q -b main .; echo one > f; echo two > new; git add f; "
        "t=$(printf '100644 blob %%s\\tf\\n' $(git hash-object -w f) | git mktree); "
        "for level in 1 2 3 4 5 6 7 8 9 10; do "
        "t=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '040000 tree %%s\\t%%s\\n' $t $n; done | "
        "git mktree); done; "
        "c=$(git commit-tree -m 1 $t); git rm -q --cached f; git add new; "
        "git update-ref HEAD $(git commit-tree -p $c -m 2 $(git write-tree))");
    expect_unknown(ask(open_repo("."), "new", 1), "more files than are looked through");
}

Test(attribute, line_ends_of_the_work_tree_do_not_count)
{
    run("git init -q .; git config core.autocrlf true; git config core.safecrlf false; printf "
        "'1\\n2\\n' > f; git add f;"
        "git commit -qm 1; printf '1\\r\\nx\\r\\n2\\r\\n' > f");
    struct gg_repo *repo = open_repo(".");
    expect_commit(ask(repo, "f", 1), "HEAD", "f", 1);
    cr_assert_eq(ask(repo, "f", 2).state, GG_BLAME_UNCOMMITTED);
    expect_commit(ask(repo, "f", 3), "HEAD", "f", 2);
}

Test(attribute, filters_that_only_git_runs)
{
    run("git init -q .; echo '*.c filter=up' > .gitattributes; echo '*.u "
        "working-tree-encoding=UTF-16'"
        " >> .gitattributes; echo a > f.c; printf '\\377\\376a\\0\\n\\0' > f.u; git config "
        "filter.up.clean "
        "'tr a-z A-Z';"
        "git add .; git commit -qm 1");
    expect_unknown(ask(open_repo("."), "f.c", 1), "passes the filter 'up'");
    expect_unknown(ask(open_repo("."), "f.u", 1), "is converted from UTF-16");
    run("git config --unset filter.up.clean; echo A > f.c");
    expect_commit(ask(open_repo("."), "f.c", 1), "HEAD", "f.c", 1);
}

Test(attribute, the_mailmap)
{
    run("git init -q .; echo 1 > f; git add f; git commit -qm 1;"
        "echo 'Ada Lovelace <ada@new.example> <ada@example.org>' > .mailmap");
    struct gg_blame blame = ask(open_repo("."), "f", 1);
    cr_assert_str_eq(blame.author_name, "Ada Lovelace");
    cr_assert_str_eq(blame.author_email, "ada@new.example");
    run("mv .mailmap map; ln -s map .mailmap");
    cr_assert_str_eq(ask(open_repo("."), "f", 1).author_name, "Ada Example");
    run("git config mailmap.file $PWD/map");
    cr_assert_str_eq(ask(open_repo("."), "f", 1).author_name, "Ada Lovelace");
    run("echo 'A. L. <ada@example.org>' > blob; git config mailmap.blob $(git hash-object -w blob);"
        "git config --unset mailmap.file");
    cr_assert_str_eq(ask(open_repo("."), "f", 1).author_name, "A. L.");
}

Test(attribute, submodules)
{
    run("git init -q inner; cd inner; echo 1 > f; git add f; git commit -qm inner; cd ..;"
        "git init -q outer; cd outer; "
        "git -c protocol.file.allow=always submodule --quiet add ../inner sub/mod;"
        "echo 1 > f; git add .; git commit -qm outer; git clone -q . ../clone");
    struct gg_repo *repo = open_repo("outer");
    cr_assert_str_eq(ask(repo, "f", 1).summary, "outer");
    struct gg_blame blame = ask(repo, "sub/mod/f", 1);
    cr_assert_str_eq(blame.summary, "inner");
    cr_assert_str_eq(blame.orig_path, "f");
    expect_unknown(ask(repo, "sub/mod/none", 1), "none is neither");
    expect_unknown(ask(repo, "sub/mod/../mod/f", 1), "no path inside");
    expect_unknown(ask(repo, "sub/mod", 1), "sub/mod is a submodule, not a file");
    expect_unknown(ask(open_repo("clone"), "sub/mod/f", 1),
                   "is not checked out; run: git submodule update --init");
}

Test(attribute, commits_with_a_wrong_clock)
{
    run("git init -q .; for n in 5 1 9 2 7; do echo $n >> f; git add f;"
        "GIT_COMMITTER_DATE=\"@$n +0000\" git commit -qm $n; done");
    struct gg_repo *repo = open_repo(".");
    for (uint32_t line = 1; line <= 5; line++) {
        char revision[16];
        snprintf(revision, sizeof revision, "HEAD~%u", 5 - line);
        expect_commit(ask(repo, "f", line), revision, "f", line);
    }
}
