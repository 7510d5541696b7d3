#include "scene.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct scene scene;

static void close_scene(void)
{
    scene_close(&scene);
}

Test(source, below_the_root, .fini = close_scene)
{
    scene_open(&scene, TRACKED("lib/a.c", "src/b.h"));
    struct gg_frame *plain = scene_source(&scene, "@/lib", "a.c");
    struct gg_frame *up = scene_source(&scene, "@/build/../src/./sub/..", "b.h");
    struct gg_frame *dots = scene_source(&scene, "@/build/.", "../lib/./a.c");
    struct gg_frame *in_file = scene_source(&scene, "@", "src//b.h");
    struct gg_frame *absolute =
        scene_source(&scene, "/elsewhere", tree_path(&scene.arena, scene.root, "lib/a.c"));
    struct gg_frame *other = scene_source(&scene, "@2/lib", "a.c");
    scene_locate(&scene);
    expect_path(plain, "lib/a.c");
    expect_path(up, "src/b.h");
    expect_path(dots, "lib/a.c");
    expect_path(in_file, "src/b.h");
    expect_path(absolute, "lib/a.c");
    expect_path(other, "lib/a.c"); /* a sibling checkout: by its end, as on another machine */
    cr_expect(plain->line_in_file);
}

Test(source, through_symbolic_links, .fini = close_scene)
{
    scene_open(&scene, TRACKED("common/a.c", "src/a.c", "src/out.c"));
    unlink(tree_path(&scene.arena, scene.root, "src/a.c"));
    unlink(tree_path(&scene.arena, scene.root, "src/out.c"));
    tree_link(&scene.arena, scene.dir, "checkout", "link");
    tree_link(&scene.arena, scene.dir, "checkout/common", "deep");
    tree_link(&scene.arena, scene.root, "common", "alias");
    tree_link(&scene.arena, scene.root, "../common/a.c", "src/a.c");
    tree_link(&scene.arena, scene.root, "/etc/passwd", "src/out.c");
    struct gg_frame *checkout =
        scene_source(&scene, tree_path(&scene.arena, scene.dir, "link/common"), "a.c");
    struct gg_frame *below =
        scene_source(&scene, tree_path(&scene.arena, scene.dir, "deep"), "a.c");
    struct gg_frame *directory = scene_source(&scene, "@/alias", "a.c");
    struct gg_frame *file = scene_source(&scene, "@/src", "a.c");
    struct gg_frame *outside = scene_source(&scene, "@/src", "out.c");
    scene_locate(&scene);
    expect_path(checkout, "common/a.c");
    expect_path(below, "common/a.c");
    expect_path(directory, "common/a.c");
    expect_path(file, "common/a.c");
    expect_path(outside, "src/out.c");
    cr_expect_not(outside->line_in_file, "a link out of the repository was read");
}

Test(source, untracked_files_are_new_sources_or_the_builds, .fini = close_scene)
{
    scene_open(&scene, TRACKED("src/a.c", "!src/gone.c"));
    tree_lines(&scene.arena, scene.root, "src/new.c", 3);
    tree_lines(&scene.arena, scene.root, "build/src/gen.c", 3);
    tree_link(&scene.arena, scene.root, "/etc/passwd", "src/evil.c");
    struct gg_frame *new_source = scene_source(&scene, "@/src", "new.c");
    struct gg_frame *relative = scene_source(&scene, "./src", "new.c");
    struct gg_frame *generated = scene_source(&scene, "@/build/src", "gen.c");
    struct gg_frame *never = scene_source(&scene, "@/src", "never.c");
    struct gg_frame *evil = scene_source(&scene, "@/src", "evil.c");
    struct gg_frame *gone = scene_source(&scene, "@/src", "gone.c");
    scene_locate(&scene);
    expect_path(new_source, "src/new.c");
    cr_expect(new_source->line_in_file);
    expect_path(relative, "src/new.c");
    expect_path(generated, NULL);
    cr_expect_eq(generated->zone, GG_ZONE_THIRD_PARTY);
    expect_path(never, NULL);
    expect_path(evil, NULL);
    expect_path(gone, "src/gone.c");
    cr_expect_not(gone->line_in_file);
}

Test(source, paths_of_another_machine, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a/src/util.c", "b/src/util.c", "lib/list.c", "src/parse.c"));
    struct gg_frame *rpm = scene_source(&scene, "/builddir/build/BUILD/x-1.2/src", "parse.c");
    struct gg_frame *github = scene_source(&scene, "/__w/x/x/build/..", "lib/list.c");
    struct gg_frame *debug = scene_source(&scene, "/usr/src/debug/x-1.2", "lib/list.c");
    struct gg_frame *longest = scene_source(&scene, "/w/b/src", "util.c");
    struct gg_frame *ambiguous = scene_source(&scene, "/q/src", "util.c");
    struct gg_frame *basename = scene_source(&scene, "/w/other", "parse.c");
    struct gg_frame *partly = scene_source(&scene, "/w/xlib", "list.c");
    scene_locate(&scene);
    expect_path(rpm, "src/parse.c");
    expect_path(github, "lib/list.c");
    expect_path(debug, "lib/list.c");
    expect_path(longest, "b/src/util.c");
    expect_path(ambiguous, NULL);
    expect_path(basename, NULL);
    expect_path(partly, NULL);
    cr_expect_eq(basename->zone, GG_ZONE_THIRD_PARTY);
}

/* The container saw lib/ as /build: its other files tell which util.c and which main.c it means. */
Test(source, learns_where_the_repository_lay, .fini = close_scene)
{
    scene_open(&scene,
               TRACKED("lib/main.c", "lib/src/parse.c", "lib/src/util.c", "main.c", "src/util.c"));
    struct gg_frame *util = scene_source(&scene, "/build/src", "util.c");
    struct gg_frame *program = scene_source(&scene, "/build", "main.c");
    struct gg_frame *parse = scene_source(&scene, "/build/src", "parse.c");
    struct gg_frame *elsewhere = scene_source(&scene, "/zlib", "main.c");
    scene_locate(&scene);
    expect_path(parse, "lib/src/parse.c");
    expect_path(util, "lib/src/util.c");
    expect_path(program, "lib/main.c");
    expect_path(elsewhere, NULL);
}

/* Everything lies at the root, so one name is the whole path: it is taken when one directory can
 * have been the repository. */
Test(source, a_flat_repository_was_one_directory, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c", "b.c", "main.c"));
    struct gg_frame *a = scene_source(&scene, "/builds/app", "a.c");
    struct gg_frame *b = scene_source(&scene, "/builds/app", "b.c");
    struct gg_frame *library = scene_source(&scene, "/builds/zlib", "main.c");
    scene_locate(&scene);
    expect_path(a, "a.c");
    expect_path(b, "b.c");
    expect_path(library, NULL);
}

Test(source, a_flat_repository_in_two_directories_is_in_none, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c", "main.c"));
    struct gg_frame *a = scene_source(&scene, "/builds/app", "a.c");
    struct gg_frame *other = scene_source(&scene, "/builds/zlib", "main.c");
    scene_locate(&scene);
    expect_path(a, NULL);
    expect_path(other, NULL);
}

Test(source, one_name_says_nothing_beside_longer_paths, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c", "src/b.c"));
    struct gg_frame *a = scene_source(&scene, "/zlib", "a.c");
    struct gg_frame *b = scene_source(&scene, "/builds/app/src", "b.c");
    scene_locate(&scene);
    expect_path(a, NULL);
    expect_path(b, "src/b.c");
}

Test(source, learns_nothing_from_a_tie, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a/main.c", "a/src/one.c", "b/main.c", "b/src/two.c"));
    struct gg_frame *one = scene_source(&scene, "/build/src", "one.c");
    struct gg_frame *two = scene_source(&scene, "/build/src", "two.c");
    struct gg_frame *program = scene_source(&scene, "/build", "main.c");
    scene_locate(&scene);
    expect_path(one, "a/src/one.c");
    expect_path(two, "b/src/two.c");
    expect_path(program, NULL);
}

Test(source, relative_paths, .fini = close_scene)
{
    scene_open(&scene, TRACKED("proj/sub/inc.h", "proj/sub/x.c", "src/only.c", "sub/x.c",
                               "t/twin.c", "u/twin.c", "x.c"));
    struct gg_frame *from_root = scene_source(&scene, "./build/../sub", "x.c");
    struct gg_frame *top = scene_source(&scene, ".", "x.c");
    struct gg_frame *lost_dir = scene_source(&scene, "../sub", "inc.h");
    struct gg_frame *doubtful = scene_source(&scene, "../sub", "x.c");
    struct gg_frame *bare = scene_source(&scene, NULL, "only.c");
    struct gg_frame *up = scene_source(&scene, "../..", "only.c");
    struct gg_frame *contradicts = scene_source(&scene, "gen", "only.c");
    struct gg_frame *twin = scene_source(&scene, NULL, "twin.c");
    struct gg_frame *escape = scene_source(&scene, "../../../../etc", "passwd");
    scene_locate(&scene);
    expect_path(from_root, "sub/x.c");
    expect_path(top, "x.c");
    expect_path(lost_dir, "proj/sub/inc.h");
    expect_path(doubtful, NULL);
    expect_path(bare, "src/only.c");
    expect_path(up, "src/only.c");
    expect_path(contradicts, NULL);
    expect_path(twin, NULL);
    expect_path(escape, NULL);
}

Test(source, installed_software_is_not_own, .fini = close_scene)
{
    scene_open(&scene, TRACKED("nptl/pthread_create.c", "src/parse.c", "src/util.h", "x/util.h"));
    const char *libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
    const char *installed = "/usr/lib/x86_64-linux-gnu/libparse.so.1";
    struct gg_frame *header = scene_source(&scene, "/usr/include/x", "util.h");
    struct gg_frame *local = scene_source(&scene, "/usr/local/include/x", "util.h");
    struct gg_frame *opt = scene_source(&scene, "/opt/x/src", "util.h");
    struct gg_frame *glibc = scene_frame(&scene, libc, "f", "./nptl/./nptl", "pthread_create.c", 1);
    struct gg_frame *foreign_libc =
        scene_frame(&scene, libc, "f", "/builddir/glibc/nptl", "pthread_create.c", 1);
    struct gg_frame *distribution =
        scene_frame(&scene, installed, "f", "./src/./src", "parse.c", 1);
    struct gg_frame *package = scene_frame(&scene, installed, "f", "/build/p/src", "parse.c", 1);
    scene_locate(&scene);
    expect_path(header, NULL);
    expect_path(local, NULL);
    expect_path(opt, NULL);
    expect_path(glibc, NULL);
    cr_expect_eq(glibc->zone, GG_ZONE_SYSTEM);
    expect_path(foreign_libc, NULL);
    expect_path(distribution, NULL);
    expect_path(package, "src/parse.c"); /* nothing says that it is not this one, installed */
}

Test(source, an_installed_library_is_somebody_elses_when_the_program_was_built_here,
     .fini = close_scene)
{
    scene_open(&scene, TRACKED("src/main.c", "src/util.c"));
    struct gg_frame *library =
        scene_frame(&scene, "/usr/lib64/libz.so.1", "f", "/usr/src/debug/zlib-1/src", "util.c", 1);
    struct gg_frame *own = scene_source(&scene, "@/src", "main.c");
    scene_locate(&scene);
    expect_path(own, "src/main.c");
    expect_path(library, NULL);
    cr_expect_eq(library->zone, GG_ZONE_THIRD_PARTY);
}

Test(source, links_from_installed_directories_lead_home, .fini = close_scene)
{
    scene_open(&scene, TRACKED("include/x/util.h"));
    tree_lines(&scene.arena, scene.dir, "node_modules/other/a.h", 1);
    tree_link(&scene.arena, scene.dir, "../checkout/include/x", "node_modules/x");
    struct gg_frame *link =
        scene_source(&scene, tree_path(&scene.arena, scene.dir, "node_modules/x"), "util.h");
    scene_locate(&scene);
    expect_path(link, "include/x/util.h");
}

Test(source, path_maps_come_first_and_are_not_guessed_at, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a/src/x.c", "b/src/x.c", "src/y.c"));
    scene.options.path_maps = (const char *const[]){
        "/q=a",          gg_arena_printf(&scene.arena, "/abs=%s/b", scene.root),
        "/out=/nowhere", "/up=../..",
        "nptl=src",      NULL};
    struct gg_frame *relative = scene_source(&scene, "/q/src", "x.c");
    struct gg_frame *absolute = scene_source(&scene, "/abs/src", "x.c");
    struct gg_frame *outside = scene_source(&scene, "/out/src", "y.c");
    struct gg_frame *escape = scene_source(&scene, "/up/etc", "passwd");
    struct gg_frame *not_there = scene_source(&scene, "/q/lost/src", "y.c");
    struct gg_frame *libc = scene_frame(&scene, "/lib/libc.so.6", "f", "./nptl", "y.c", 1);
    scene_locate(&scene);
    expect_path(relative, "a/src/x.c");
    expect_path(absolute, "b/src/x.c");
    expect_path(outside, NULL);
    expect_path(escape, NULL);
    expect_path(not_there, NULL);
    expect_path(libc, "src/y.c");
}

Test(source, bytes_that_are_not_utf8, .fini = close_scene)
{
    scene_open(&scene, TRACKED("b\xe9/caf\xe9.c"));
    struct gg_frame *below = scene_source(&scene, "@/b\\xe9", "caf\\xe9.c");
    struct gg_frame *foreign = scene_source(&scene, "/w/b\\xe9", "caf\\xe9.c");
    scene_locate(&scene);
    expect_path(below, "b\xe9/caf\xe9.c");
    cr_expect(below->line_in_file);
    expect_path(foreign, "b\xe9/caf\xe9.c");
}

Test(source, odd_names_do_no_harm, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c"));
    char *deep = gg_arena_alloc(&scene.arena, 200001);
    for (size_t i = 0; i < 100000; i++)
        memcpy(deep + i * 2, "/a", 2);
    tree_lines(&scene.arena, scene.root, "sub/b.c", 1);
    struct gg_frame *frames[] = {scene_source(&scene, "@", ""),
                                 scene_source(&scene, "", "/"),
                                 scene_source(&scene, "@", "..//."),
                                 scene_source(&scene, "..", ".."),
                                 scene_source(&scene, deep, "a.c"),
                                 scene_source(&scene, "@", "???"),
                                 scene_source(&scene, "@", NULL),
                                 scene_source(&scene, "@", "sub"),
                                 scene_source(&scene, "/proc/self/fd", "0")};
    scene_locate(&scene);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        expect_path(frames[i], NULL);
}

Test(source, without_a_repository, .fini = close_scene)
{
    scene_open(&scene, TRACKED("a.c"));
    scene.worktree = (struct gg_worktree){0};
    struct gg_frame *frame = scene_source(&scene, "@", "a.c");
    scene_locate(&scene);
    expect_path(frame, NULL);
    cr_expect_eq(frame->zone, GG_ZONE_THIRD_PARTY);
}
