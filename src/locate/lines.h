/*
 * Lines: how many lines the files of the work tree have.
 *
 * A file is read when its first line is asked about, and only when it is a regular file below the
 * real root: a link that leads out of the repository is never followed.
 */
#ifndef GG_LOCATE_LINES_H
#define GG_LOCATE_LINES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

struct gg_lines {
    struct gg_arena *arena;
    struct gg_str root;
    struct gg_map counts; /* path -> how many lines it has */
};

/* Does the file, named relative to the root, have this line? The first line is 1. */
bool gg_lines_has(struct gg_lines *lines, const char *path, uint32_t line);

void gg_lines_free(struct gg_lines *lines);

#endif
