#include "locate/pathmap.h"
#include "base/esc.h"
#include "base/fs.h"

bool gg_pathmaps_parse(struct gg_arena *arena, const char *const *texts, struct gg_pathmaps *maps,
                       struct gg_error *err)
{
    size_t count = 0;
    while (texts && texts[count])
        count++;
    maps->maps = gg_arena_alloc(arena, count * sizeof *maps->maps);
    maps->count = count;
    for (size_t i = 0; i < count; i++) {
        struct gg_str from, to;
        if (!gg_str_cut(gg_str(gg_esc_undo(arena, texts[i])), '=', &from, &to) || !from.len) {
            gg_error_set(err,
                         "--path-map %s: is not FROM=TO: give the directory the build saw, \"=\", "
                         "and where it is in this repository",
                         texts[i]);
            return false;
        }
        maps->maps[i].from = gg_str(gg_fs_normalise(arena, from));
        maps->maps[i].to = gg_fs_normalise(arena, to);
    }
    return true;
}

/* *rest gets what follows FROM, without a leading "/". */
static bool applies(struct gg_str from, struct gg_str path, struct gg_str *rest)
{
    if (gg_str_is(from, ".")) {
        *rest = path;
        return path.ptr[0] != '/';
    }
    if (path.len < from.len || !gg_str_eq(from, gg_str_n(path.ptr, from.len)))
        return false;
    *rest = gg_str_n(path.ptr + from.len, path.len - from.len);
    if (rest->len && rest->ptr[0] == '/')
        *rest = gg_str_n(rest->ptr + 1, rest->len - 1);
    else if (rest->len && !gg_str_is(from, "/"))
        return false;
    return true;
}

const char *gg_pathmaps_apply(struct gg_arena *arena, const struct gg_pathmaps *maps,
                              struct gg_str path)
{
    const struct gg_pathmap *best = NULL;
    struct gg_str best_rest = {0};
    for (size_t i = 0; i < maps->count; i++) {
        const struct gg_pathmap *map = &maps->maps[i];
        struct gg_str rest;
        if (applies(map->from, path, &rest) && (!best || map->from.len >= best->from.len)) {
            best = map;
            best_rest = rest;
        }
    }
    if (!best)
        return NULL;
    const char *joined =
        gg_arena_printf(arena, "%s/%.*s", best->to, (int)best_rest.len, best_rest.ptr);
    return gg_fs_normalise(arena, gg_str(joined));
}
