#include "locate/index.h"
#include "base/esc.h"

#include <stdlib.h>
#include <string.h>

struct gg_index_entry {
    const struct gg_index *index;
    const char *path;
    struct gg_str name;
};

/* The characters of root + "/" + name from the last to the first, then -1. */
static int entry_char(const struct gg_index_entry *entry, size_t at)
{
    if (at < entry->name.len)
        return (unsigned char)entry->name.ptr[entry->name.len - 1 - at];
    at -= entry->name.len;
    if (at == 0)
        return '/';
    struct gg_str root = entry->index->root;
    return at <= root.len ? (unsigned char)root.ptr[root.len - at] : -1;
}

/* The same for the path that is looked for; a relative one begins at some "/", too. */
static int path_char(struct gg_str path, size_t at)
{
    if (at < path.len)
        return (unsigned char)path.ptr[path.len - 1 - at];
    return at == path.len && path.ptr[0] != '/' ? '/' : -1;
}

static int by_tail(const void *a, const void *b)
{
    const struct gg_index_entry *left = *(struct gg_index_entry *const *)a;
    const struct gg_index_entry *right = *(struct gg_index_entry *const *)b;
    for (size_t at = 0;; at++) {
        int l = entry_char(left, at), r = entry_char(right, at);
        if (l != r)
            return l < r ? -1 : 1;
        if (l < 0)
            return 0;
    }
}

static struct gg_str directory(struct gg_str name)
{
    while (name.len && name.ptr[name.len - 1] != '/')
        name.len--;
    return name;
}

static void add(struct gg_arena *arena, struct gg_index *index, size_t at, const char *path)
{
    struct gg_index_entry *entry = &index->entries[at];
    entry->index = index;
    entry->path = path;
    entry->name = gg_str(gg_esc_undo(arena, path));
    index->by_tail[at] = entry;
    *gg_map_put(&index->by_name, entry->name.ptr, entry->name.len) = entry;
    struct gg_str dir = directory(entry->name);
    gg_map_put(&index->dirs, dir.ptr, dir.len);
}

void gg_index_init(struct gg_arena *arena, struct gg_index *index,
                   const struct gg_worktree *worktree)
{
    *index = (struct gg_index){.count = worktree->path_count};
    if (worktree->root && strcmp(worktree->root, "/") != 0)
        index->root = gg_str(worktree->root);
    index->entries = gg_arena_alloc(arena, index->count * sizeof *index->entries);
    index->by_tail = gg_arena_alloc(arena, index->count * sizeof(struct gg_index_entry *));
    for (size_t i = 0; i < index->count; i++)
        add(arena, index, i, worktree->paths[i]);
    qsort(index->by_tail, index->count, sizeof(struct gg_index_entry *), by_tail);
}

void gg_index_free(struct gg_index *index)
{
    gg_map_free(&index->by_name);
    gg_map_free(&index->dirs);
}

const char *gg_index_find(const struct gg_index *index, struct gg_str name)
{
    void **slot = gg_map_find(&index->by_name, name.ptr, name.len);
    return slot ? ((const struct gg_index_entry *)*slot)->path : NULL;
}

bool gg_index_has_neighbour(const struct gg_index *index, struct gg_str name)
{
    struct gg_str dir = directory(name);
    return gg_map_find(&index->dirs, dir.ptr, dir.len) != NULL;
}

static bool sorts_before(const struct gg_index_entry *entry, struct gg_str path)
{
    for (size_t at = 0;; at++) {
        int e = entry_char(entry, at), p = path_char(path, at);
        if (e != p)
            return e < p;
        if (e < 0)
            return false;
    }
}

/* How many components, counted from the end, the entry at this rank has in common with the path;
 * *shared gets their length. */
static size_t common(const struct gg_index *index, size_t rank, struct gg_str path, size_t *shared)
{
    size_t components = 0;
    if (rank >= index->count)
        return 0;
    const struct gg_index_entry *entry = index->by_tail[rank];
    for (size_t at = 0;; at++) {
        int c = entry_char(entry, at);
        if (c < 0 || c != path_char(path, at))
            return components;
        if (c == '/') {
            components++;
            *shared = at;
        }
    }
}

bool gg_index_tail(const struct gg_index *index, struct gg_str path, struct gg_tail *tail)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorts_before(index->by_tail[middle], path))
            low = middle + 1;
        else
            high = middle;
    }
    /* Those that share most stand around the path's own rank; low - 1 may wrap to no rank. */
    size_t before = 0, after = 0, other = 0;
    size_t components_before = common(index, low - 1, path, &before);
    size_t components_after = common(index, low, path, &after);
    bool is_after = components_after > components_before;
    size_t best = is_after ? components_after : components_before;
    if (best == 0)
        return false;
    const struct gg_index_entry *entry = index->by_tail[is_after ? low : low - 1];
    *tail = (struct gg_tail){.path = entry->path,
                             .name = entry->name.ptr,
                             .components = best,
                             .shared = is_after ? after : before};
    tail->unique = components_before != components_after &&
                   common(index, is_after ? low + 1 : low - 2, path, &other) < best;
    return true;
}
