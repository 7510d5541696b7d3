/*
 * Pathmap: --path-map FROM=TO, where the build saw the code and where it is now.
 */
#ifndef GG_LOCATE_PATHMAP_H
#define GG_LOCATE_PATHMAP_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/error.h"

struct gg_pathmap {
    struct gg_str from; /* normalised; "." stands for every relative path */
    const char *to;     /* normalised, absolute or relative to the repository's root ("." is it) */
};

struct gg_pathmaps {
    struct gg_pathmap *maps;
    size_t count;
};

/* false for text without "=" or with nothing before it. `texts` ends with NULL or is NULL. */
bool gg_pathmaps_parse(struct gg_arena *arena, const char *const *texts, struct gg_pathmaps *maps,
                       struct gg_error *err);

/* Where the map with the longest FROM (of equals the last one) puts a normalised path, normalised;
 * NULL when none applies. FROM stands for whole components: /build does not apply to /builder. */
const char *gg_pathmaps_apply(struct gg_arena *arena, const struct gg_pathmaps *maps,
                              struct gg_str path);

#endif
