#include "locate/lines.h"
#include "tree.h"

#include <criterion/criterion.h>
#include <sys/stat.h>

static struct gg_arena arena;
static struct gg_lines lines;
static char *dir;

static void open_tree(void)
{
    gg_arena_init(&arena);
    dir = tree_new(&arena);
    lines = (struct gg_lines){.arena = &arena, .root = gg_str(tree_path(&arena, dir, "root"))};
    tree_lines(&arena, dir, "root/ten", 10);
    tree_lines(&arena, dir, "outside", 10);
}

static void close_tree(void)
{
    gg_lines_free(&lines);
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(lines, .init = open_tree, .fini = close_tree);

Test(lines, counts_lines_with_and_without_a_last_line_break)
{
    tree_write(&arena, dir, "root/open", "a\nb", 3);
    tree_write(&arena, dir, "root/empty", "", 0);
    cr_expect(gg_lines_has(&lines, "ten", 1));
    cr_expect(gg_lines_has(&lines, "ten", 10));
    cr_expect_not(gg_lines_has(&lines, "ten", 11));
    cr_expect_not(gg_lines_has(&lines, "ten", 0));
    cr_expect(gg_lines_has(&lines, "open", 2));
    cr_expect_not(gg_lines_has(&lines, "open", 3));
    cr_expect_not(gg_lines_has(&lines, "empty", 1));
    cr_expect_not(gg_lines_has(&lines, "missing", 1));
}

Test(lines, counts_a_file_larger_than_its_buffer)
{
    tree_lines(&arena, dir, "root/large", 100000);
    cr_expect(gg_lines_has(&lines, "large", 100000));
    cr_expect_not(gg_lines_has(&lines, "large", 100001));
}

Test(lines, reads_only_regular_files_below_the_root)
{
    tree_link(&arena, dir, "../outside", "root/out");
    tree_link(&arena, dir, "ten", "root/in");
    tree_link(&arena, dir, "..", "root/up");
    cr_assert_eq(mkfifo(tree_path(&arena, dir, "root/pipe"), 0600), 0);
    cr_expect_not(gg_lines_has(&lines, "out", 1));
    cr_expect_not(gg_lines_has(&lines, "up/outside", 1));
    cr_expect_not(gg_lines_has(&lines, "../outside", 1));
    cr_expect_not(gg_lines_has(&lines, "pipe", 1));
    cr_expect_not(gg_lines_has(&lines, ".", 1));
    cr_expect(gg_lines_has(&lines, "in", 10));
}

Test(lines, reads_a_file_once)
{
    cr_expect(gg_lines_has(&lines, "ten", 10));
    unlink(tree_path(&arena, dir, "root/ten"));
    cr_expect(gg_lines_has(&lines, "ten", 9));
}
