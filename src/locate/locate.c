#include "locate/locate.h"
#include "base/map.h"
#include "locate/index.h"
#include "locate/lines.h"
#include "locate/site.h"
#include "locate/source.h"
#include "locate/zone.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a frame's object, looked at once an object. */
static enum gg_object object_of(struct gg_map *objects, struct gg_str root, const char *const *name)
{
    void **known = gg_map_find(objects, name, sizeof *name);
    if (known)
        return (enum gg_object)(uintptr_t)*known;
    enum gg_object object = gg_zone_object(*name, root);
    *gg_map_put(objects, name, sizeof *name) = (void *)(uintptr_t)object;
    return object;
}

static enum gg_zone zone_of(const struct gg_frame *frame, enum gg_object object,
                            const struct gg_source *source)
{
    if (object == GG_OBJECT_TOOL)
        return GG_ZONE_TOOL;
    if (source && source->path)
        return GG_ZONE_OWN;
    if (object == GG_OBJECT_RUNTIME || (source && source->runtime) ||
        gg_zone_start(frame->function))
        return GG_ZONE_SYSTEM;
    /* Code of an own object without debug information can be anybody's, linked in. */
    bool elsewhere = object == GG_OBJECT_INSTALLED || object == GG_OBJECT_OTHER;
    return source || elsewhere ? GG_ZONE_THIRD_PARTY : GG_ZONE_UNKNOWN;
}

static bool has_source(const struct gg_frame *frame, enum gg_object object)
{
    /* valgrind writes ??? for an inlined call whose file it cannot name. */
    return object != GG_OBJECT_TOOL && frame->file && frame->file[0] &&
           strcmp(frame->file, "???") != 0;
}

static void locate_frames(struct gg_frames *frames, struct gg_sources *sources,
                          struct gg_lines *lines)
{
    struct gg_map objects = {0};
    size_t count = frames->all.len;
    struct gg_source **named = gg_alloc(count * sizeof(struct gg_source *));
    for (size_t i = 0; i < count; i++) {
        struct gg_frame *frame = frames->all.at[i];
        enum gg_object object = object_of(&objects, sources->index->root, &frame->object);
        if (has_source(frame, object))
            named[i] = gg_sources_get(sources, frame->dir, frame->file, object);
    }
    gg_sources_settle(sources);
    for (size_t i = 0; i < count; i++) {
        struct gg_frame *frame = frames->all.at[i];
        enum gg_object object = object_of(&objects, sources->index->root, &frame->object);
        frame->zone = zone_of(frame, object, named[i]);
        frame->path = named[i] ? named[i]->path : NULL;
        frame->line_in_file = frame->path && gg_lines_has(lines, frame->path, frame->line);
    }
    free(named);
    gg_map_free(&objects);
}

bool gg_locate(struct gg_arena *arena, const struct gg_worktree *worktree,
               const struct gg_locate_options *options, struct gg_frames *frames,
               struct gg_finding *findings, size_t count, struct gg_error *err)
{
    struct gg_index index;
    gg_index_init(arena, &index, worktree);
    struct gg_sources sources = {
        .arena = arena, .index = &index, .links = {.arena = arena}, .roots = {.arena = arena}};
    bool ok = gg_pathmaps_parse(arena, options->path_maps, &sources.maps, err);
    if (ok) {
        struct gg_lines lines = {.arena = arena, .root = index.root};
        locate_frames(frames, &sources, &lines);
        for (size_t i = 0; i < count; i++)
            gg_site_find(&findings[i], options->wrappers);
        gg_lines_free(&lines);
    }
    gg_sources_free(&sources);
    gg_index_free(&index);
    return ok;
}
