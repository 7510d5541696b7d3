/*
 * Locate: from frames to files of this repository, and from findings to their site.
 *
 * Writes zone, path and line_in_file of frames, has_site and site of findings. Knows the work tree
 * only as data (model/worktree.h). Reads files below the work tree's root only, to count their
 * lines; elsewhere it asks the file system for nothing but where links lead. How a file is found:
 * locate/source.h; whose code a frame is: locate/zone.h; which frame is the site: locate/site.h.
 */
#ifndef GG_LOCATE_LOCATE_H
#define GG_LOCATE_LOCATE_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/model.h"
#include "model/frames.h"
#include "model/worktree.h"

struct gg_locate_options {
    const char *const *path_maps; /* "FROM=TO", NULL-terminated, or NULL */
    const char *const *wrappers;  /* allocation functions to pass over, or NULL */
};

/* false for a malformed path map. */
bool gg_locate(struct gg_arena *arena, const struct gg_worktree *worktree,
               const struct gg_locate_options *options, struct gg_frames *frames,
               struct gg_finding *findings, size_t count, struct gg_error *err);

#endif
