/*
 * Frontier: the commits a walk has reached and not yet treated, newest first.
 *
 * Only these are in memory; what is treated is forgotten. The order (the committer's time) does
 * not decide any answer, only how much of the walk is shared: a commit whose clock was wrong may
 * be met again and is then simply treated again.
 */
#ifndef GG_VCS_FRONTIER_H
#define GG_VCS_FRONTIER_H

#include "vcs/commit.h"

struct gg_origin; /* a file in a commit, with the lines to be followed; the walk's */

struct gg_node {
    git_oid id; /* zeroes: the work tree */
    struct gg_commit commit;
    bool cut; /* the clone holds no parents of it */
    struct gg_origin *origins;
    struct gg_node *chain;
    bool queued;
    bool held; /* a parent of the commit being treated */
};

struct gg_frontier {
    struct gg_objects *objects;
    const struct gg_map *shallow; /* ids of commits whose parents are not here */
    struct gg_node **buckets;
    size_t bucket_count, node_count;
    struct gg_node **heap;
    size_t len, cap;
};

void gg_frontier_init(struct gg_frontier *frontier, struct gg_objects *objects,
                      const struct gg_map *shallow);
void gg_frontier_free(struct gg_frontier *frontier);

/* The commit's node, read when it is new; NULL when it cannot be. */
struct gg_node *gg_frontier_get(struct gg_frontier *frontier, const git_oid *id,
                                struct gg_error *err);

/* To be treated in its turn. */
void gg_frontier_push(struct gg_frontier *frontier, struct gg_node *node);

/* The newest one, now the caller's to release; NULL when there is none. */
struct gg_node *gg_frontier_pop(struct gg_frontier *frontier);

/* Forgets a node that is not queued. */
void gg_frontier_release(struct gg_frontier *frontier, struct gg_node *node);

#endif
