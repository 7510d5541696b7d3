#include "locate/pathmap.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gg_arena arena;

static void open_arena(void)
{
    gg_arena_init(&arena);
}

static void close_arena(void)
{
    gg_arena_free(&arena);
}

TestSuite(pathmap, .init = open_arena, .fini = close_arena);

static const char *apply(const char *const *texts, const char *path)
{
    struct gg_pathmaps maps;
    struct gg_error err = {0};
    cr_assert(gg_pathmaps_parse(&arena, texts, &maps, &err), "%s", err.text);
    const char *result = gg_pathmaps_apply(&arena, &maps, gg_str(path));
    return result ? result : "(none)";
}

#define MAPS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(pathmap, replaces_whole_components)
{
    cr_expect_str_eq(apply(MAPS("/build=src"), "/build/a/x.c"), "src/a/x.c");
    cr_expect_str_eq(apply(MAPS("/build/=src/"), "/build/x.c"), "src/x.c");
    cr_expect_str_eq(apply(MAPS("/build=src"), "/builder/x.c"), "(none)");
    cr_expect_str_eq(apply(MAPS("/build=src"), "/other/build/x.c"), "(none)");
    cr_expect_str_eq(apply(MAPS("/b/x.c=src/y.c"), "/b/x.c"), "src/y.c");
    cr_expect_str_eq(apply(NULL, "/b/x.c"), "(none)");
}

Test(pathmap, goes_to_the_root_or_to_an_absolute_place)
{
    cr_expect_str_eq(apply(MAPS("/build="), "/build/x.c"), "x.c");
    cr_expect_str_eq(apply(MAPS("/build=."), "/build/a/x.c"), "a/x.c");
    cr_expect_str_eq(apply(MAPS("/build=/home/u/r"), "/build/x.c"), "/home/u/r/x.c");
    cr_expect_str_eq(apply(MAPS("/build=a=b"), "/build/x.c"), "a=b/x.c");
}

Test(pathmap, takes_the_longest_and_of_equals_the_last)
{
    const char *const *maps = MAPS("/b=one", "/b/lib=two", "/b=three");
    cr_expect_str_eq(apply(maps, "/b/lib/x.c"), "two/x.c");
    cr_expect_str_eq(apply(maps, "/b/main.c"), "three/main.c");
}

Test(pathmap, maps_relative_paths)
{
    cr_expect_str_eq(apply(MAPS("obj/../gen=src"), "gen/x.c"), "src/x.c");
    cr_expect_str_eq(apply(MAPS(".=src"), "a/x.c"), "src/a/x.c");
    cr_expect_str_eq(apply(MAPS(".=src"), "/a/x.c"), "(none)");
    cr_expect_str_eq(apply(MAPS("/=src"), "/a/x.c"), "src/a/x.c");
}

Test(pathmap, refuses_what_is_no_map)
{
    static const char *const bad[] = {"", "/build", "=src"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gg_pathmaps maps;
        struct gg_error err = {0};
        cr_expect_not(gg_pathmaps_parse(&arena, MAPS("/a=b", bad[i]), &maps, &err));
        const char *named = gg_arena_printf(&arena, "--path-map %s: ", bad[i]);
        cr_expect(strncmp(err.text, named, strlen(named)) == 0, "%s", err.text);
    }
}
