#include "vcs/frontier.h"

#include <stdlib.h>

void gg_frontier_init(struct gg_frontier *frontier, struct gg_objects *objects,
                      const struct gg_map *shallow)
{
    *frontier = (struct gg_frontier){.objects = objects, .shallow = shallow, .bucket_count = 256};
    frontier->buckets = gg_alloc(frontier->bucket_count * sizeof *frontier->buckets);
}

static struct gg_node **bucket_of(const struct gg_frontier *frontier, const git_oid *id)
{
    return &frontier->buckets[gg_hash(id, GG_ID_SIZE) & (frontier->bucket_count - 1)];
}

static void grow(struct gg_frontier *frontier)
{
    struct gg_frontier bigger = {.bucket_count = 2 * frontier->bucket_count};
    bigger.buckets = gg_alloc(bigger.bucket_count * sizeof *bigger.buckets);
    for (size_t i = 0; i < frontier->bucket_count; i++) {
        for (struct gg_node *node = frontier->buckets[i], *next; node; node = next) {
            struct gg_node **bucket = bucket_of(&bigger, &node->id);
            next = node->chain;
            node->chain = *bucket;
            *bucket = node;
        }
    }
    free(frontier->buckets);
    frontier->buckets = bigger.buckets;
    frontier->bucket_count = bigger.bucket_count;
}

static bool read_commit(struct gg_frontier *frontier, const git_oid *id, struct gg_commit *commit,
                        struct gg_error *err)
{
    struct gg_object object;
    if (!gg_objects_read(frontier->objects, id, GIT_OBJECT_COMMIT, &object, err))
        return false;
    bool ok = gg_commit_parse(object.text, commit);
    gg_object_release(&object);
    if (!ok) {
        char hex[48];
        gg_error_set(err, "commit %s is damaged; run git fsck", git_oid_tostr(hex, sizeof hex, id));
    }
    return ok;
}

struct gg_node *gg_frontier_get(struct gg_frontier *frontier, const git_oid *id,
                                struct gg_error *err)
{
    for (struct gg_node *node = *bucket_of(frontier, id); node; node = node->chain) {
        if (gg_id_eq(&node->id, id))
            return node;
    }
    struct gg_commit commit;
    if (!read_commit(frontier, id, &commit, err))
        return NULL;
    if (++frontier->node_count > frontier->bucket_count)
        grow(frontier);
    struct gg_node **bucket = bucket_of(frontier, id), *node = gg_alloc(sizeof *node);
    *node = (struct gg_node){.id = *id, .commit = commit, .chain = *bucket};
    node->cut = commit.parent_count && gg_map_find(frontier->shallow, id, GG_ID_SIZE);
    *bucket = node;
    return node;
}

static bool is_newer(const struct gg_node *a, const struct gg_node *b)
{
    return a->commit.time > b->commit.time;
}

void gg_frontier_push(struct gg_frontier *frontier, struct gg_node *node)
{
    if (node->queued)
        return;
    node->queued = true;
    if (frontier->len == frontier->cap) {
        frontier->cap = frontier->cap ? frontier->cap * 2 : 64;
        frontier->heap = gg_realloc(frontier->heap, frontier->cap * sizeof *frontier->heap);
    }
    size_t at = frontier->len++;
    for (size_t up; at > 0 && is_newer(node, frontier->heap[up = (at - 1) / 2]); at = up)
        frontier->heap[at] = frontier->heap[up];
    frontier->heap[at] = node;
}

struct gg_node *gg_frontier_pop(struct gg_frontier *frontier)
{
    if (frontier->len == 0)
        return NULL;
    struct gg_node *newest = frontier->heap[0], *last = frontier->heap[--frontier->len];
    size_t at = 0;
    for (size_t down; (down = 2 * at + 1) < frontier->len; at = down) {
        if (down + 1 < frontier->len && is_newer(frontier->heap[down + 1], frontier->heap[down]))
            down++;
        if (!is_newer(frontier->heap[down], last))
            break;
        frontier->heap[at] = frontier->heap[down];
    }
    frontier->heap[at] = last;
    newest->queued = false;
    return newest;
}

void gg_frontier_release(struct gg_frontier *frontier, struct gg_node *node)
{
    struct gg_node **link = bucket_of(frontier, &node->id);
    while (*link != node)
        link = &(*link)->chain;
    *link = node->chain;
    frontier->node_count--;
    free(node->commit.parents);
    free(node);
}

void gg_frontier_free(struct gg_frontier *frontier)
{
    while (frontier->len)
        gg_frontier_release(frontier, gg_frontier_pop(frontier));
    free(frontier->heap);
    free(frontier->buckets);
    *frontier = (struct gg_frontier){0};
}
