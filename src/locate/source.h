/*
 * Source: what file of this repository the debug information means.
 *
 * Frames name a source by directory and file as the compiler saw them; joined, normalised by text
 * and put through the path maps they are looked for in this order:
 *   below the root, as it is written or with symbolic links resolved: a tracked file; an untracked
 *     one beside a tracked one (a new source); nothing else (what the build made);
 *   another absolute path: the tracked file that shares most trailing components, two at least,
 *     the root's own directories counted; when none or several do, where its neighbours were found
 *     (roots.h). Never for installed software's directories and the runtime's objects, and for an
 *     installed object only when nothing was built in this work tree;
 *   a relative path: from the root, then by its end, where all components it has or two of them
 *     must match one tracked file only. Never for an installed object: distributions build with
 *     relative paths.
 * A path that a map has changed is never guessed at. Each distinct name is looked at once.
 */
#ifndef GG_LOCATE_SOURCE_H
#define GG_LOCATE_SOURCE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "locate/index.h"
#include "locate/links.h"
#include "locate/pathmap.h"
#include "locate/roots.h"
#include "locate/zone.h"

struct gg_source {
    const char *path;      /* relative to the root, as git has it; NULL: not of this repository */
    bool runtime;          /* of the C library or the compiler */
    bool installed;        /* its object is */
    struct gg_str foreign; /* pending: the absolute path, not below the root */
};

struct gg_sources {
    struct gg_arena *arena;
    const struct gg_index *index;
    struct gg_pathmaps maps;
    struct gg_links links;
    struct gg_roots roots;
    struct gg_map known;
    GG_VEC(struct gg_source *) pending;
    bool built_here; /* an absolute path was below the root */
};

/* The source that a frame of such an object names; `dir` may be NULL. Never NULL; its path may
 * only be known after gg_sources_settle. */
struct gg_source *gg_sources_get(struct gg_sources *sources, const char *dir, const char *file,
                                 enum gg_object object);

/* Places the paths of other machines, after the last gg_sources_get. */
void gg_sources_settle(struct gg_sources *sources);

void gg_sources_free(struct gg_sources *sources);

#endif
