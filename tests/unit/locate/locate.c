#include "scene.h"
#include "vgxml.h"

#include <criterion/criterion.h>

static struct scene scene;

static void close_scene(void)
{
    scene_close(&scene);
}

Test(locate, zones, .fini = close_scene)
{
    scene_open(&scene, TRACKED("src/a.c"));
    const char *preload = "/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so";
    const char *own = gg_arena_printf(&scene.arena, "%s/build/prog", scene.root);
    const struct {
        struct gg_frame *frame;
        enum gg_zone zone;
    } cases[] = {
        {scene_frame(&scene, preload, "malloc", NULL, NULL, 0), GG_ZONE_TOOL},
        {scene_frame(&scene, preload, "malloc", "@/src", "a.c", 3), GG_ZONE_TOOL},
        {scene_frame(&scene, own, "f", "@/src", "a.c", 3), GG_ZONE_OWN},
        {scene_frame(&scene, "/lib/libc.so.6", "g", "@/src", "a.c", 3), GG_ZONE_OWN},
        {scene_frame(&scene, own, "push", "/usr/include/c++/12/bits", "stl_vector.h", 9),
         GG_ZONE_SYSTEM},
        {scene_frame(&scene, own, "_start", NULL, NULL, 0), GG_ZONE_SYSTEM},
        {scene_frame(&scene, own, "(below main)", NULL, NULL, 0), GG_ZONE_SYSTEM},
        {scene_frame(&scene, "/lib/libc.so.6", "qsort", "./stdlib/./stdlib", "msort.c", 9),
         GG_ZONE_SYSTEM},
        {scene_frame(&scene, "/lib/libm.so.6", NULL, NULL, NULL, 0), GG_ZONE_SYSTEM},
        {scene_frame(&scene, "/lib/libz.so.1", "inflate", NULL, NULL, 0), GG_ZONE_THIRD_PARTY},
        {scene_frame(&scene, own, "vendored", "/deps/zlib", "inflate.c", 5), GG_ZONE_THIRD_PARTY},
        {scene_frame(&scene, own, "stripped", NULL, NULL, 0), GG_ZONE_UNKNOWN},
        {scene_frame(&scene, NULL, NULL, NULL, NULL, 0), GG_ZONE_UNKNOWN},
    };
    scene_locate(&scene);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(cases[i].frame->zone, cases[i].zone, "case %zu is %s", i,
                     gg_zone_name(cases[i].frame->zone));
    cr_expect_null(cases[1].frame->path);
}

Test(locate, refuses_a_bad_path_map, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c"));
    scene.options.path_maps = (const char *const[]){"/build", NULL};
    cr_expect_not(gg_locate(&scene.arena, &scene.worktree, &scene.options, &scene.frames, NULL, 0,
                            &scene.err));
    cr_expect(strstr(scene.err.text, "/build"), "%s", scene.err.text);
}

static const char program[] = "#include <stdlib.h>\n"
                              "#include \"inc.h\"\n"
                              "int main(void)\n"
                              "{\n"
                              "    char *p = grab(4);\n"
                              "    int found = p[4] == 0;\n"
                              "    free(p);\n"
                              "    return found > 1;\n"
                              "}\n";
static const char header[] = "static __attribute__((noinline)) void *grab(unsigned n)\n"
                             "{\n"
                             "    void *p = malloc(n);\n"
                             "    ((char *)malloc(7))[0] = 1;\n"
                             "    return p;\n"
                             "}\n";

/* A repository below the test's directory with the program in sub/ and a twin of its header. */
static void make_repository(void)
{
    scene_open(&scene, NULL);
    tree_write(&scene.arena, scene.root, "p/sub/x.c", program, sizeof program - 1);
    tree_write(&scene.arena, scene.root, "p/sub/inc.h", header, sizeof header - 1);
    tree_write(&scene.arena, scene.root, "q/inc.h", header, sizeof header - 1);
    tree_lines(&scene.arena, scene.root, "p/build/notes", 1);
}

static bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool shell(const char *format, ...)
{
    char command[4096];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return len > 0 && (size_t)len < sizeof command && system(command) == 0;
}

/* The tracked files as git lists them. */
static void ask_git(void)
{
    const char *list = tree_path(&scene.arena, scene.dir, "list");
    cr_assert(
        shell("cd %s && git init -q . && git add -A && git ls-files -z >%s", scene.root, list));
    struct gg_str rest, name;
    cr_assert(gg_fs_read(&scene.arena, list, 1 << 20, &rest, &scene.err));
    GG_VEC(const char *) paths = {0};
    while (rest.len) {
        gg_str_cut(rest, '\0', &name, &rest);
        *gg_vec_push(&scene.arena, &paths) = name.ptr;
    }
    scene.worktree.paths = paths.at;
    scene.worktree.path_count = paths.len;
}

/* Builds in DIR of the test's directory with this command line, runs it under valgrind and expects
 * the read past the end at x.c:6 and the leak at inc.h:4, where `grab` is no wrapper. */
static void expect_sites(const char *dir, const char *build)
{
    struct vgxml report;
    make_repository();
    ask_git();
    const char *xml = tree_path(&scene.arena, scene.dir, "out.xml");
    tree_link(&scene.arena, scene.dir, "checkout/p", "link");
    cr_assert(shell("cd %s/%s && %s -o %s/prog 2>/dev/null", scene.dir, dir, build, scene.dir),
              "%s", build);
    cr_assert(shell("cd / && valgrind -q --leak-check=full --xml=yes --xml-file=%s %s/prog "
                    "2>/dev/null",
                    xml, scene.dir));
    cr_assert(vgxml_read(&report, &scene.arena, &scene.frames, xml));
    cr_assert_eq(report.findings.len, 2, "%s", build);
    cr_assert(gg_locate(&scene.arena, &scene.worktree, &scene.options, &scene.frames,
                        report.findings.at, 2, &scene.err));
    for (size_t i = 0; i < 2; i++) {
        const struct gg_finding *finding = &report.findings.at[i];
        cr_assert(finding->has_site, "%s: %s", build, finding->kind_name);
        cr_expect_str_eq(finding->site.path, finding->is_leak ? "p/sub/inc.h" : "p/sub/x.c", "%s",
                         build);
        cr_expect_eq(finding->site.line, finding->is_leak ? 4 : 6, "%s", build);
    }
    scene_close(&scene);
}

Test(locate, real_programs_of_gcc)
{
    expect_sites("checkout/p/build", "gcc -g ../sub/x.c");
    expect_sites("checkout/p", "gcc -g -ffile-prefix-map=$PWD/..=. sub/x.c");
    expect_sites("checkout/p/build", "gcc -g -gdwarf-4 -fdebug-prefix-map=$PWD=. ../sub/x.c");
    expect_sites("link/build", "gcc -g $PWD/../sub/x.c");
    expect_sites("checkout/p/build", "gcc -g -ffile-prefix-map=$PWD/../..=/usr/src/debug/x-1.2 "
                                     "../sub/x.c");
}

Test(locate, real_programs_of_clang)
{
    if (!shell("clang --version >/dev/null 2>&1"))
        cr_skip_test("there is no clang");
    expect_sites("checkout/p/build", "clang -g ../sub/x.c");
    expect_sites("checkout/p/build", "clang -g $PWD/../sub/x.c");
    expect_sites("link/build", "clang -g -gdwarf-4 ../sub/x.c");
}
