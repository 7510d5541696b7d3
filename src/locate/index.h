/*
 * Index: the tracked files, found by path, by directory and by the end of a path.
 *
 * Report text spells bytes that are not UTF-8 as \xNN, so files are compared by their name: the
 * path with such spellings undone (gg_esc_undo). What is handed out is the path as git has it.
 */
#ifndef GG_LOCATE_INDEX_H
#define GG_LOCATE_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "model/worktree.h"

struct gg_index_entry;

struct gg_index {
    struct gg_str root; /* empty: no repository, or the file system's root */
    struct gg_index_entry *entries;
    size_t count;
    struct gg_index_entry **by_tail; /* sorted by the absolute path read backwards */
    struct gg_map by_name;
    struct gg_map dirs; /* directories that hold a tracked file themselves; "" is the root */
};

/* The tracked file that shares most trailing components with a path. */
struct gg_tail {
    const char *path; /* as git has it */
    const char *name;
    size_t components; /* how many both end in; the work tree's own directories count as well */
    size_t shared;     /* bytes of them, separators between them included */
    bool unique;       /* no other tracked file shares as many */
};

void gg_index_init(struct gg_arena *arena, struct gg_index *index,
                   const struct gg_worktree *worktree);
void gg_index_free(struct gg_index *index);

/* The tracked path of this name; NULL when it is not tracked. */
const char *gg_index_find(const struct gg_index *index, struct gg_str name);

/* Does a tracked file live in the directory of this name? */
bool gg_index_has_neighbour(const struct gg_index *index, struct gg_str name);

/* The best match for the end of a normalised path, absolute or relative; false when not even the
 * last component is that of a tracked file. */
bool gg_index_tail(const struct gg_index *index, struct gg_str path, struct gg_tail *tail);

#endif
