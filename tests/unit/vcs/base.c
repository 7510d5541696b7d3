#include "gitrepo.h"
#include "vcs/base.h"

TestSuite(base, .init = scratch_begin, .fini = scratch_end);

static const char *base_of(const char *revision)
{
    char *hex = gg_arena_alloc(&arena, 65);
    cr_assert(gg_base_find(open_repo("."), revision, hex, &err), "%s", err.text);
    return hex;
}

static const char *refusal(const char *revision)
{
    char hex[65];
    err = (struct gg_error){0};
    cr_assert_not(gg_base_find(open_repo("."), revision, hex, &err));
    return err.text;
}

/* The text at the base; NULL when there was no such file. */
static const char *text_at(const char *revision, const char *path)
{
    bool there;
    struct gg_str text;
    struct gg_repo *repo = open_repo(".");
    cr_assert(gg_base_file(repo, output_of(gg_arena_printf(&arena, "git rev-parse %s", revision)),
                           path, &there, &text, &err),
              "%s", err.text);
    return there ? gg_arena_strndup(&arena, text.ptr, text.len) : NULL;
}

Test(base, is_where_the_histories_part)
{
    run("git init -q -b main .; echo 1 > f; git add f; git commit -qm 1; git branch topic;"
        "echo 2 > f; git commit -qam 2; git checkout -q topic; echo 3 > g; git add g;"
        "git commit -qm 3");
    cr_assert_str_eq(base_of("main"), output_of("git merge-base HEAD main"));
    cr_assert_str_eq(base_of("main~1"), output_of("git rev-parse main~1"));
    cr_assert_str_eq(base_of("HEAD"), output_of("git rev-parse HEAD"));
}

Test(base, an_annotated_tag_stands_for_its_commit)
{
    run("git init -q .; echo 1 > f; git add f; git commit -qm 1; git tag -a -m one one");
    cr_assert_str_eq(base_of("one"), output_of("git rev-parse HEAD"));
}

Test(base, what_is_not_there_is_refused_with_what_to_do)
{
    run("git init -q -b main .; echo 1 > f; git add f; git commit -qm 1;"
        "git checkout -q --orphan other; git commit -qm 2");
    cr_assert(strstr(refusal("nowhere"), "--base nowhere: is no commit of this repository; "
                                         "run git fetch origin"));
    cr_assert(strstr(refusal("HEAD:f"), "is no commit"));
    cr_assert(strstr(refusal("main"), "--base main: shares no history with HEAD here"));
}

Test(base, a_shallow_clone_is_told_how_to_get_deeper)
{
    run("git init -q -b main full; cd full; echo 1 > f; git add f; git commit -qm 1;"
        "git branch old; echo 2 > f; git commit -qam 2; cd ..;"
        "git clone -q --depth 1 file://$PWD/full shallow");
    cr_assert(chdir("shallow") == 0);
    cr_assert(strstr(refusal("origin/old"), "git fetch --unshallow"));
}

Test(base, nothing_committed)
{
    run("git init -q .");
    cr_assert(strstr(refusal("main"), "nothing is committed yet"));
}

Test(base, files_are_as_they_were)
{
    run("git init -q .; mkdir d; printf old > d/f; ln -s d/f link; git add .; git commit -qm 1;"
        "printf new > d/f; printf new > g; git add .; git commit -qm 2; printf newest > d/f");
    cr_assert_str_eq(text_at("HEAD~1", "d/f"), "old");
    cr_assert_str_eq(text_at("HEAD", "d/f"), "new");
    cr_assert_null(text_at("HEAD~1", "g"));
    cr_assert_null(text_at("HEAD~1", "d"), "a directory");
    cr_assert_null(text_at("HEAD~1", "link"), "a symbolic link");
}

Test(base, a_file_of_a_submodule_is_as_its_commit_had_it)
{
    run("git init -q lib; printf old > lib/f; git -C lib add f; git -C lib commit -qm 1;"
        "git init -q top; cd top; git -c protocol.file.allow=always submodule -q add ../lib lib;"
        "git commit -qm 1; cd lib; printf new > f; git commit -qam 2; cd ..; git add lib;"
        "git commit -qm 2");
    cr_assert(chdir("top") == 0);
    cr_assert_str_eq(text_at("HEAD~1", "lib/f"), "old");
    cr_assert_str_eq(text_at("HEAD", "lib/f"), "new");
    cr_assert_null(text_at("HEAD", "lib/g"));
}
