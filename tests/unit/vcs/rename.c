#include "gitrepo.h"

/* Which file a line came from; wherever it matters git blame --porcelain gives the same. */
TestSuite(rename, .init = scratch_begin, .fini = scratch_end);

static const char *origin_of(const char *path)
{
    char command[256];
    struct gg_blame blame = ask(open_repo("."), path, 1);
    cr_assert_eq(blame.state, GG_BLAME_COMMIT, "%s", blame.why ? blame.why : "");
    snprintf(command, sizeof command,
             "git blame --porcelain -L1,1 -- %s | sed -n 's/^filename //p'", path);
    cr_assert_str_eq(output_of(command), blame.orig_path);
    return blame.orig_path;
}

Test(rename, an_exact_copy_prefers_its_own_name)
{
    run("git init -q .; mkdir a b; seq 9 > a/x; seq 9 > b/f; git add .; git commit -qm 1;"
        "git rm -q --cached a/x b/f; seq 9 > f; git add f; git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "b/f");
}

Test(rename, else_the_first_in_the_tree)
{
    run("git init -q .; mkdir a b; seq 9 > b/x; seq 9 > a/y; git add .; git commit -qm 1;"
        "git rm -q --cached a/y b/x; seq 9 > f; git add f; git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "a/y");
}

/* 80 of 100 lines are in a/f, 90 in a/g: the name decides. */
Test(rename, a_good_match_of_the_same_name_beats_a_better_one)
{
    run("git init -q .; mkdir a; { seq 100 180; seq 220 240; } > a/f; { seq 100 190; seq 230 240; "
        "} > a/g;"
        "git add .; git commit -qm 1; git rm -q --cached a/f a/g; seq 100 200 > f; git add f;"
        "git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "a/f");
}

/* 70 of 100 lines are not enough for the name to decide. */
Test(rename, a_poor_match_of_the_same_name_does_not)
{
    run("git init -q .; mkdir a; { seq 100 170; seq 210 240; } > a/f; { seq 100 190; seq 230 240; "
        "} > a/g;"
        "git add .; git commit -qm 1; git rm -q --cached a/f a/g; seq 100 200 > f; git add f;"
        "git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "a/g");
}

Test(rename, less_than_half_is_no_rename)
{
    run("git init -q .; { seq 100 145; seq 300 355; } > old; git add .; git commit -qm 1;"
        "git rm -q --cached old; seq 100 200 > new; git add new; git commit -qm 2");
    cr_assert_str_eq(origin_of("new"), "new");
}

Test(rename, a_file_that_is_still_there_is_no_source)
{
    run("git init -q .; seq 100 > old; git add .; git commit -qm 1; cp old new; git add new;"
        "git commit -qm 2");
    cr_assert_str_eq(origin_of("new"), "new");
}

Test(rename, a_link_is_no_source)
{
    run("git init -q .; ln -s target link; git add .; git commit -qm 1; git rm -q --cached link;"
        "rm link; printf target > file; git add file; git commit -qm 2");
    cr_assert_str_eq(origin_of("file"), "file");
}

/* A link became a file of the same name: no rename is looked for. */
Test(rename, a_changed_type_ends_the_search)
{
    run("git init -q .; ln -s x f; seq 50 > old; git add .; git commit -qm 1; git rm -q old; rm f;"
        "seq 50 > f; git add f; git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "f");
}

Test(rename, a_directory_became_a_file)
{
    run("git init -q .; mkdir f; seq 50 > f/inner; git add .; git commit -qm 1; git rm -qr f;"
        "seq 50 > f; git add f; git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "f/inner");
}

Test(rename, swapped_names_are_changes)
{
    run("git init -q .; seq 50 > a; seq 100 150 > b; git add .; git commit -qm 1; mv a t; mv b a;"
        "mv t b; git add .; git commit -qm 2");
    cr_assert_str_eq(origin_of("a"), "a");
}

/* libgit2's own blame lays these lines to the commit that deleted g. */
Test(rename, onto_a_name_that_was_in_use)
{
    run("git init -q .; seq 30 > f; seq 100 130 > g; git add .; git commit -qm 1; git rm -q g;"
        "git commit -qm 2; git mv f g; git commit -qm 3");
    cr_assert_str_eq(origin_of("g"), "f");
}

/* b/f is as similar as a/x; that c/f has the name too keeps the name from deciding alone. */
Test(rename, among_equals_the_name_decides)
{
    run("git init -q .; mkdir a b c; { seq 100 190; echo aaa; } > a/x; { seq 100 190; echo bbb; } "
        "> b/f;"
        "{ seq 100 160; seq 500 540; } > c/f; git add .; git commit -qm 1; git rm -qr a b c;"
        "{ seq 100 190; echo new; } > f; git add f; git commit -qm 2");
    cr_assert_str_eq(origin_of("f"), "b/f");
}

/* Five candidates of one score: which is taken depends on git's four places. */
Test(rename, ties)
{
    run("git init -q .; for n in a b c d e; do { seq 100 190; echo $n$n$n; } > $n; done; git add .;"
        "git commit -qm 1; git rm -q a b c d e; { seq 100 190; echo new; } > new; git add "
        "new;"
        "git commit -qm 2");
    origin_of("new");
    run("git checkout -q --detach HEAD~; git mv c ccc; { seq 100 180; echo x; echo y; } > b;"
        "git commit -qam 2; git rm -q a b ccc d e; { seq 100 190; echo new; } > n; git add n;"
        "git commit -qm 3");
    origin_of("n");
}

Test(rename, in_the_second_parent_only)
{
    run("git init -q -b main .; echo x > x; git add x; git commit -qm 1; git checkout -q --orphan "
        "side;"
        "git rm -q --cached x; rm x; seq 50 > old; git add old; git commit -qm 2; "
        "git checkout -q main; git merge -q --allow-unrelated-histories --no-commit side "
        ">/dev/null 2>&1;"
        "git mv old new; git commit -qm merge");
    cr_assert_str_eq(origin_of("new"), "old");
}
