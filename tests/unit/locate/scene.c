#include "scene.h"

#include <criterion/criterion.h>

void scene_open(struct scene *scene, const char *const *tracked)
{
    *scene = (struct scene){0};
    gg_arena_init(&scene->arena);
    gg_atoms_init(&scene->atoms, &scene->arena);
    gg_frames_init(&scene->frames, &scene->arena, &scene->atoms);
    scene->dir = tree_new(&scene->arena);
    scene->root = tree_path(&scene->arena, scene->dir, "checkout");
    cr_assert(gg_fs_make_dirs(scene->root, &scene->err));
    GG_VEC(const char *) paths = {0};
    for (; tracked && *tracked; tracked++) {
        bool missing = (*tracked)[0] == '!';
        *gg_vec_push(&scene->arena, &paths) = *tracked + missing;
        if (!missing)
            tree_lines(&scene->arena, scene->root, *tracked, 10);
    }
    scene->worktree =
        (struct gg_worktree){.root = scene->root, .paths = paths.at, .path_count = paths.len};
}

void scene_close(struct scene *scene)
{
    gg_fs_remove_tree(scene->dir);
    gg_frames_close(&scene->frames);
    gg_atoms_free(&scene->atoms);
    gg_arena_free(&scene->arena);
}

static const char *field(struct scene *scene, int tag, const char *text)
{
    return text ? gg_arena_printf(&scene->arena, "%c%s", tag, text) : "";
}

struct gg_frame *scene_frame(struct scene *scene, const char *object, const char *function,
                             const char *dir, const char *file, unsigned line)
{
    if (dir && dir[0] == '@')
        dir = gg_arena_printf(&scene->arena, "%s%s", scene->root, dir + 1);
    const char *blob =
        gg_arena_printf(&scene->arena,
                        "\1"
                        "0x%zX%s%s%s%s\6%u",
                        scene->frames.all.len + 1, field(scene, GG_FRAME_OBJ, object),
                        field(scene, GG_FRAME_FN, function), field(scene, GG_FRAME_DIR, dir),
                        field(scene, GG_FRAME_FILE, file), line);
    return gg_frames_intern(&scene->frames, blob, strlen(blob));
}

struct gg_frame *scene_source(struct scene *scene, const char *dir, const char *file)
{
    return scene_frame(scene, "/tmp/prog", "f", dir, file, 1);
}

void scene_locate(struct scene *scene)
{
    bool ok = gg_locate(&scene->arena, &scene->worktree, &scene->options, &scene->frames, NULL, 0,
                        &scene->err);
    cr_assert(ok, "%s", scene->err.text);
}
