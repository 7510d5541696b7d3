/*
 * Links: where directories really are, so that a checkout built through a symbolic link is found.
 */
#ifndef GG_LOCATE_LINKS_H
#define GG_LOCATE_LINKS_H

#include "base/arena.h"
#include "base/map.h"

struct gg_links {
    struct gg_arena *arena;
    struct gg_map real; /* directory -> its real path, NULL when it does not exist */
};

/* The path of a file with the links of its longest existing directory resolved; `path` is
 * absolute and normalised. Every directory is asked about once. */
const char *gg_links_resolve(struct gg_links *links, const char *path);

void gg_links_free(struct gg_links *links);

#endif
