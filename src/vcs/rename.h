/*
 * Rename: which file of the parent a file is that the parent does not have under its name.
 *
 * git's rename detection with a single destination: the candidates are the files that the child
 * has no more, in the order of the parent's tree. An exact copy wins; then the one candidate with
 * the same file name, if it is three quarters the same; then the most similar one of all, if it
 * is half the same.
 */
#ifndef GG_VCS_RENAME_H
#define GG_VCS_RENAME_H

#include "base/arena.h"
#include "base/vec.h"
#include "vcs/similarity.h"
#include "vcs/tree.h"

struct gg_candidate {
    const char *path;
    git_oid id;
    uint32_t mode;
    size_t size;               /* SIZE_MAX: not asked yet */
    struct gg_candidate *next; /* the next one with the same id */
};

/* The candidates between one child and one parent, shared by all files of the child. First all
 * are added, then renames are found. */
struct gg_candidates {
    struct gg_arena arena;
    GG_VEC(struct gg_candidate) all;
    size_t path_bytes;
    struct gg_map by_id, by_name;
    bool indexed;
};

void gg_candidates_init(struct gg_candidates *candidates);
void gg_candidates_free(struct gg_candidates *candidates);

/* false when there are too many. */
bool gg_candidates_add(struct gg_candidates *candidates, const char *path, const git_oid *id,
                       uint32_t mode, struct gg_error *err);

/* Adds all files below the parent's tree that are not below the child's. */
bool gg_candidates_between(struct gg_candidates *candidates, struct gg_objects *objects,
                           const git_oid *child, const git_oid *parent, struct gg_error *err);

/* The candidate that became the blob `id` at `path`; *found is NULL when none did. */
bool gg_rename_find(struct gg_candidates *candidates, struct gg_objects *objects,
                    struct gg_similarity *similarity, const char *path, const git_oid *id,
                    const struct gg_candidate **found, struct gg_error *err);

#endif
