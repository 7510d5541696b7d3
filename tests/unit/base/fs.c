#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/out.h"

static struct gg_arena arena;

static void begin(void)
{
    gg_arena_init(&arena);
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(fs, .init = begin, .fini = end);

Test(fs, normalise_is_lexical)
{
    static const char *const cases[][2] = {
        {"/src/proj/build/../sub/x.c", "/src/proj/sub/x.c"},
        {"./nptl/./nptl", "nptl/nptl"},
        {"a/./b//../c", "a/c"},
        {"../x/../../y", "../../y"},
        {"../../y/..", "../.."},
        {"a/..", "."},
        {"", "."},
        {"/", "/"},
        {"/..", "/"},
        {"/../../etc", "/etc"},
        {"a/b/../../..", ".."},
        {"a/", "a"},
        {"./csu/../csu", "csu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(gg_fs_normalise(&arena, gg_str(cases[i][0])), cases[i][1], "%s gave %s",
                         cases[i][0], gg_fs_normalise(&arena, gg_str(cases[i][0])));
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(fs, read_obeys_its_limit_and_takes_files_only)
{
    struct gg_error err = {0};
    char *dir = gg_fs_temp_dir(&arena, &err);
    char *path = gg_fs_join(&arena, dir, "f");
    struct gg_str text;
    put(path, "hello");
    cr_assert(gg_fs_read(&arena, path, 5, &text, &err));
    cr_assert(gg_str_is(text, "hello"));
    cr_assert_not(gg_fs_read(&arena, path, 4, &text, &err));
    cr_assert(strstr(err.text, "larger than 4 bytes"));
    struct gg_error other = {0};
    cr_assert_not(gg_fs_read(&arena, dir, 100, &text, &other));
    struct gg_error missing = {0};
    cr_assert_not(gg_fs_read(&arena, "/nonexistent/x", 100, &text, &missing));
    cr_assert(strstr(missing.text, "No such file"));
    gg_fs_remove_tree(dir);
    cr_assert_neq(access(dir, F_OK), 0);
}

Test(fs, remove_tree_does_not_follow_links)
{
    struct gg_error err = {0};
    char *kept = gg_fs_temp_dir(&arena, &err);
    char *gone = gg_fs_temp_dir(&arena, &err);
    char *precious = gg_fs_join(&arena, kept, "precious");
    put(precious, "x");
    cr_assert_eq(symlink(kept, gg_fs_join(&arena, gone, "link")), 0);
    cr_assert(gg_fs_make_dirs(gg_fs_join(&arena, gone, "a/b/c"), &err));
    put(gg_fs_join(&arena, gone, "a/b/c/f"), "x");
    gg_fs_remove_tree(gone);
    cr_assert_neq(access(gone, F_OK), 0);
    cr_assert_eq(access(precious, F_OK), 0);
    gg_fs_remove_tree(kept);
}

Test(fs, list_is_sorted)
{
    struct gg_error err = {0};
    char *dir = gg_fs_temp_dir(&arena, &err);
    put(gg_fs_join(&arena, dir, "b"), "");
    put(gg_fs_join(&arena, dir, "a"), "");
    put(gg_fs_join(&arena, dir, "C"), "");
    size_t count = 0;
    char **names = gg_fs_list(&arena, dir, &count, &err);
    cr_assert_eq(count, 3);
    cr_assert(!strcmp(names[0], "C") && !strcmp(names[1], "a") && !strcmp(names[2], "b"));
    gg_fs_remove_tree(dir);
}

Test(fs, in_path_takes_the_first_file_that_can_be_run)
{
    struct gg_error err = {0};
    char *dir = gg_fs_temp_dir(&arena, &err), *a = gg_fs_join(&arena, dir, "a");
    char *b = gg_fs_join(&arena, dir, "b"), *c = gg_fs_join(&arena, dir, "c");
    char *plain = gg_fs_join(&arena, b, "tool"), *tool = gg_fs_join(&arena, c, "tool");
    cr_assert(gg_fs_make_dirs(gg_fs_join(&arena, a, "tool"), &err)); /* a directory */
    cr_assert(gg_fs_make_dirs(b, &err) && gg_fs_make_dirs(c, &err));
    put(plain, "");
    put(tool, "");
    cr_assert_eq(chmod(plain, 0644) || chmod(tool, 0755), 0);
    setenv("PATH", gg_arena_printf(&arena, "%s:/nonexistent:%s:%s", a, b, c), 1);
    cr_assert_str_eq(gg_fs_in_path(&arena, "tool"), tool);
    cr_assert_null(gg_fs_in_path(&arena, "no-tool"));
    gg_fs_remove_tree(dir);
}
