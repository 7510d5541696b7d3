#include "locate/source.h"
#include "base/esc.h"
#include "base/fs.h"

#include <string.h>
#include <sys/stat.h>

/* Where a path below the root really is, relative to the root; NULL when nothing is there or a link
 * leads out of the repository. */
static const char *really(struct gg_sources *sources, const char *path)
{
    struct gg_str below;
    const char *full = gg_arena_printf(sources->arena, "%s/%s", sources->index->root.ptr, path);
    const char *real = gg_fs_real(sources->arena, full);
    return real && gg_zone_below(sources->index->root, gg_str(real), &below) ? below.ptr : NULL;
}

/* A tracked link to another tracked file: the lines, and who wrote them, are the other one's. */
static const char *follow(struct gg_sources *sources, const char *tracked)
{
    struct stat st;
    const char *full = gg_arena_printf(sources->arena, "%s/%s", sources->index->root.ptr, tracked);
    if (lstat(full, &st) != 0 || !S_ISLNK(st.st_mode))
        return tracked;
    const char *real = really(sources, tracked);
    const char *target = real ? gg_index_find(sources->index, gg_str(real)) : NULL;
    return target ? target : tracked;
}

/* An untracked file: a new source when it lies beside a tracked one, else something the build
 * made. */
static const char *untracked(struct gg_sources *sources, const char *name)
{
    struct stat st;
    const char *real = really(sources, name);
    if (!real)
        return NULL;
    const char *tracked = gg_index_find(sources->index, gg_str(real));
    if (tracked)
        return tracked;
    const char *full = gg_arena_printf(sources->arena, "%s/%s", sources->index->root.ptr, real);
    if (lstat(full, &st) != 0 || !S_ISREG(st.st_mode))
        return NULL;
    return gg_index_has_neighbour(sources->index, gg_str(real)) ? real : NULL;
}

/* A path that is known to be relative to the root. */
static const char *place(struct gg_sources *sources, struct gg_str name)
{
    const char *tracked = gg_index_find(sources->index, name);
    if (tracked)
        return follow(sources, tracked);
    return untracked(sources, name.ptr);
}

static void place_absolute(struct gg_sources *sources, struct gg_source *source, const char *path,
                           bool fixed)
{
    struct gg_str root = sources->index->root, below;
    const char *resolved = gg_links_resolve(&sources->links, path);
    if (gg_zone_below(root, gg_str(path), &below) ||
        gg_zone_below(root, gg_str(resolved), &below)) {
        sources->built_here = true;
        source->path = place(sources, below);
    } else if (!fixed && !source->runtime && !gg_zone_installed(gg_str(path))) {
        source->foreign = gg_str(path);
        *gg_vec_push(sources->arena, &sources->pending) = source;
    }
}

static void place_relative(struct gg_sources *sources, struct gg_source *source, const char *path)
{
    struct gg_str name = gg_str(path);
    bool from_root = !gg_str_starts(name, "../");
    const char *tracked = from_root ? gg_index_find(sources->index, name) : NULL;
    while (gg_str_starts(name, "../"))
        name = gg_str_n(name.ptr + 3, name.len - 3);
    struct gg_tail tail;
    if (tracked) {
        source->path = follow(sources, tracked);
    } else if (name.len && gg_index_tail(sources->index, name, &tail) && tail.unique &&
               (tail.components >= 2 || tail.shared == name.len)) {
        source->path = follow(sources, tail.path);
    } else if (from_root) {
        source->path = untracked(sources, path);
    }
}

static void resolve(struct gg_sources *sources, struct gg_source *source, const char *dir,
                    const char *file, enum gg_object object)
{
    const char *joined = gg_fs_join(sources->arena, dir ? dir : "", file);
    const char *path = gg_fs_normalise(sources->arena, gg_str(gg_esc_undo(sources->arena, joined)));
    source->runtime = gg_zone_runtime_source(path);
    source->installed = object == GG_OBJECT_INSTALLED;
    if (sources->index->root.len == 0)
        return;
    const char *mapped = gg_pathmaps_apply(sources->arena, &sources->maps, gg_str(path));
    if (mapped && mapped[0] != '/')
        source->path = place(sources, gg_str(mapped));
    else if (mapped || path[0] == '/')
        place_absolute(sources, source, mapped ? mapped : path,
                       mapped || object == GG_OBJECT_RUNTIME);
    else if (!source->runtime && object != GG_OBJECT_RUNTIME && object != GG_OBJECT_INSTALLED)
        place_relative(sources, source, path);
}

struct gg_source *gg_sources_get(struct gg_sources *sources, const char *dir, const char *file,
                                 enum gg_object object)
{
    struct {
        const char *dir, *file;
        size_t object;
    } key = {dir, file, object};
    void **slot = gg_map_find(&sources->known, &key, sizeof key);
    if (slot)
        return *slot;
    void *kept = gg_arena_alloc(sources->arena, sizeof key);
    memcpy(kept, &key, sizeof key);
    struct gg_source *source = gg_arena_alloc(sources->arena, sizeof *source);
    *gg_map_put(&sources->known, kept, sizeof key) = source;
    resolve(sources, source, dir, file, object);
    return source;
}

/* /builddir/build/BUILD/x-1.2/src/parse.c: one component could be anybody's parse.c. */
static void place_by_tail(struct gg_sources *sources, struct gg_source *source)
{
    struct gg_tail tail;
    if (!gg_index_tail(sources->index, source->foreign, &tail) || tail.components < 2 ||
        !tail.unique)
        return;
    source->path = follow(sources, tail.path);
    gg_roots_learn(&sources->roots, source->foreign, &tail);
}

static bool may_be_own(const struct gg_sources *sources, const struct gg_source *source)
{
    return !source->path && !(source->installed && sources->built_here);
}

/* /builds/app/parse.c, where parse.c lies at the repository's root: all of its path is the end of
 * the foreign one, but one name is little, and any library may have it. */
static bool is_flat(const struct gg_sources *sources, const struct gg_source *source,
                    struct gg_tail *tail)
{
    return may_be_own(sources, source) && gg_index_tail(sources->index, source->foreign, tail) &&
           tail->unique && tail->components == 1 && tail->shared == strlen(tail->name);
}

static struct gg_str flat_directory(const struct gg_source *source, const struct gg_tail *tail)
{
    return gg_str_n(source->foreign.ptr, source->foreign.len - tail->shared);
}

/* The one directory most of these names lie in; empty when two have as many. */
static struct gg_str choose_flat(struct gg_sources *sources)
{
    struct gg_map votes = {0};
    struct gg_str best = {0};
    uintptr_t most = 0;
    for (size_t i = 0; i < sources->pending.len; i++) {
        struct gg_tail tail;
        if (!is_flat(sources, sources->pending.at[i], &tail))
            continue;
        struct gg_str dir = flat_directory(sources->pending.at[i], &tail);
        void **slot = gg_map_put(&votes, dir.ptr, dir.len);
        uintptr_t count = (uintptr_t)*slot + 1;
        *slot = (void *)count;
        if (count > most)
            best = dir;
        else if (count == most)
            best.len = 0;
        most = count > most ? count : most;
    }
    gg_map_free(&votes);
    return best;
}

/* No longer path shows where the repository lay: then it lay in one directory, or nowhere. */
static void place_flat(struct gg_sources *sources)
{
    struct gg_str dir = choose_flat(sources);
    for (size_t i = 0; i < sources->pending.len && dir.len; i++) {
        struct gg_tail tail;
        struct gg_source *source = sources->pending.at[i];
        if (is_flat(sources, source, &tail) && gg_str_eq(flat_directory(source, &tail), dir))
            source->path = follow(sources, tail.path);
    }
}

void gg_sources_settle(struct gg_sources *sources)
{
    for (size_t i = 0; i < sources->pending.len; i++) {
        if (may_be_own(sources, sources->pending.at[i]))
            place_by_tail(sources, sources->pending.at[i]);
    }
    if (sources->roots.by_dir.count == 0 && !sources->built_here)
        place_flat(sources);
    for (size_t i = 0; i < sources->pending.len; i++) {
        struct gg_source *source = sources->pending.at[i];
        if (!may_be_own(sources, source))
            continue;
        const char *tracked =
            gg_roots_find(&sources->roots, sources->arena, sources->index, source->foreign);
        if (tracked)
            source->path = follow(sources, tracked);
    }
}

void gg_sources_free(struct gg_sources *sources)
{
    gg_map_free(&sources->known);
    gg_links_free(&sources->links);
    gg_roots_free(&sources->roots);
}
