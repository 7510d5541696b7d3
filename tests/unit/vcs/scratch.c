#include "gitrepo.h"
#include "vcs/scratch.h"

TestSuite(scratch, .init = scratch_begin, .fini = scratch_end);

Test(scratch, git_sees_one_tracked_file_that_is_as_it_was_added)
{
    run("mkdir new");
    cr_assert(gg_scratch_make("new", "canary.c", gg_str("int x;\r\nint y;\n"), &err), "%s",
              err.text);
    cr_expect_str_eq(output_of("git -C new ls-files --stage | cut -d' ' -f1"), "100644");
    cr_expect_str_eq(output_of("git -C new ls-files"), "canary.c");
    run("printf 'int x;\\r\\nint y;\\n' | cmp - new/canary.c; git -C new diff --exit-code");
}

/* git converts line ends on the way in when it is told to; a line is where it was all the same. */
Test(scratch, the_users_settings_do_not_come_into_it)
{
    run("mkdir new home; printf '[core]\\nautocrlf = true\\nsafecrlf = true\\n"
        "[init]\\ntemplateDir = /nowhere\\ndefaultBranch = trunk\\n' > home/.gitconfig");
    setenv("HOME", "home", 1);
    cr_assert(gg_scratch_make("new", "a.c", gg_str("1\n"), &err), "%s", err.text);
    run("test \"$(git -C new cat-file -p :a.c)\" = 1");
}

Test(scratch, inside_another_repository_it_is_its_own)
{
    run("git init -q .; mkdir in");
    cr_assert(gg_scratch_make("in", "a.c", gg_str("1\n"), &err), "%s", err.text);
    const char *real = gg_fs_real(&arena, "in");
    cr_expect_str_eq(gg_repo_root(open_repo("in")), real);
}

Test(scratch, no_directory)
{
    cr_expect_not(gg_scratch_make("none", "a.c", gg_str(""), &err));
    cr_expect(strstr(err.text, "none"));
}
