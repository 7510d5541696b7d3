#include "locate/index.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct gg_arena arena;
static struct gg_index tracked;

static void open_index(const char *root, const char *const *paths)
{
    struct gg_worktree worktree = {.root = root, .paths = paths};
    while (paths[worktree.path_count])
        worktree.path_count++;
    gg_arena_init(&arena);
    gg_index_init(&arena, &tracked, &worktree);
}

static void close_index(void)
{
    gg_index_free(&tracked);
    gg_arena_free(&arena);
}

/* "PATH COMPONENTS", with "?" behind when others match as well; "" when nothing does. */
static const char *tail_of(const char *path)
{
    struct gg_tail tail;
    if (!gg_index_tail(&tracked, gg_str(path), &tail))
        return "";
    return gg_arena_printf(&arena, "%s %zu%s", tail.path, tail.components, tail.unique ? "" : "?");
}

Test(index, finds_by_name_and_by_neighbour, .fini = close_index)
{
    open_index("/r", (const char *const[]){"lib/a.c", "main.c", NULL});
    cr_expect_str_eq(gg_index_find(&tracked, gg_str("lib/a.c")), "lib/a.c");
    cr_expect_null(gg_index_find(&tracked, gg_str("a.c")));
    cr_expect_null(gg_index_find(&tracked, gg_str("lib")));
    cr_expect(gg_index_has_neighbour(&tracked, gg_str("lib/new.c")));
    cr_expect(gg_index_has_neighbour(&tracked, gg_str("new.c")));
    cr_expect_not(gg_index_has_neighbour(&tracked, gg_str("lib/sub/new.c")));
}

Test(index, finds_the_longest_common_end_at_whole_components, .fini = close_index)
{
    open_index("/home/u/proj",
               (const char *const[]){"a/lib/map.c", "a/src/util.c", "b/src/util.c", "lib/list.c",
                                     "main.c", "xlib/list.c", "z/lib/map.c", NULL});
    cr_expect_str_eq(tail_of("/build/lib/list.c"), "lib/list.c 2");
    cr_expect_str_eq(tail_of("/build/xlib/list.c"), "xlib/list.c 2");
    cr_expect_str_eq(tail_of("/build/ylib/zlist.c"), "");
    cr_expect_str_eq(tail_of("/build/b/src/util.c"), "b/src/util.c 3");
    cr_expect_str_eq(tail_of("b/src/util.c"), "b/src/util.c 3");
    cr_expect(strchr(tail_of("/build/src/util.c"), '?'));
    cr_expect(strchr(tail_of("/m/lib/map.c"), '?')); /* sorts between the two */
    cr_expect(strchr(tail_of("/build/list.c"), '?'));
    cr_expect_str_eq(tail_of("/"), "");
}

Test(index, counts_the_directories_of_the_work_tree_too, .fini = close_index)
{
    open_index("/home/u/proj", (const char *const[]){"main.c", "sub/main.c", NULL});
    cr_expect_str_eq(tail_of("/__w/proj/proj/main.c"), "main.c 2");
    cr_expect_str_eq(tail_of("/x/u/proj/main.c"), "main.c 3");
    cr_expect_str_eq(tail_of("/home/u/proj/main.c"), "main.c 4");
    cr_expect(strchr(tail_of("/build/other/main.c"), '?'));
}

Test(index, undoes_the_spelling_of_bytes_that_are_not_utf8, .fini = close_index)
{
    open_index("/r", (const char *const[]){"caf\xe9.c", "caf\xc3\xa9.c", "spelled\\xe9.c", NULL});
    cr_expect_str_eq(gg_index_find(&tracked, gg_str("caf\xe9.c")), "caf\xe9.c");
    cr_expect_str_eq(gg_index_find(&tracked, gg_str("caf\xc3\xa9.c")), "caf\xc3\xa9.c");
    cr_expect_str_eq(gg_index_find(&tracked, gg_str("spelled\xe9.c")), "spelled\\xe9.c");
    cr_expect_null(gg_index_find(&tracked, gg_str("caf\\xe9.c")));
}

/* Every tracked path is found as the end of its own foreign twin, whatever the sort makes of it:
 * checked against counting the common components of all pairs. */
Test(index, agrees_with_comparing_all_pairs, .fini = close_index)
{
    static const char *const parts[] = {"a", "b", "ab", "a.c", "b.c", "ba.c"};
    static char text[200][40];
    const char *paths[201] = {NULL};
    unsigned seed = 7, count = 0;
    for (unsigned i = 0; i < 200; i++) {
        char *at = text[count];
        for (unsigned depth = seed % 4 + 1; depth-- > 0; seed = seed * 1103515245u + 12345u)
            at += sprintf(at, "%s%s", at == text[count] ? "" : "/", parts[seed / 65536 % 6]);
        bool known = false;
        for (unsigned k = 0; k < count; k++)
            known = known || strcmp(text[k], text[count]) == 0;
        if (!known) {
            paths[count] = text[count];
            count++;
        }
    }
    open_index("/", paths);
    for (unsigned q = 0; q < count; q++) {
        const char *query = gg_arena_printf(&arena, "/z/%s", paths[q]);
        struct gg_tail tail;
        cr_assert(gg_index_tail(&tracked, gg_str(query), &tail));
        size_t whole = 1;
        for (const char *slash = strchr(paths[q], '/'); slash; slash = strchr(slash + 1, '/'))
            whole++;
        cr_expect_geq(tail.components, whole);
        unsigned sharing = 0;
        const char *end = query + strlen(query) - tail.shared;
        for (unsigned i = 0; i < count; i++) {
            size_t len = strlen(paths[i]);
            sharing += len >= tail.shared && strcmp(paths[i] + len - tail.shared, end) == 0 &&
                       (len == tail.shared || paths[i][len - tail.shared - 1] == '/');
        }
        cr_expect_eq(tail.unique, sharing == 1, "%s: %u files", query, sharing);
        cr_expect_geq(sharing, 1);
    }
}
