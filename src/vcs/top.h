/*
 * Top: the work tree, seen as one more commit on top of HEAD.
 *
 * Its parents are HEAD and the commits being merged into it, its files those of the work tree as
 * git would commit them; which files it has no more, the index says.
 */
#ifndef GG_VCS_TOP_H
#define GG_VCS_TOP_H

#include "vcs/handle.h"
#include "vcs/rename.h"

struct gg_top {
    struct gg_arena *arena;
    struct gg_repo *repo;
    struct gg_objects *objects;
    git_index *index;
    git_oid head_tree;
    git_oid *parents;
    size_t parent_count, parent_cap; /* no parent: nothing is committed yet */
};

struct gg_top_file {
    struct gg_str text;
    git_oid id;   /* of the blob it would be */
    bool tracked; /* in HEAD or in the index */
    struct gg_object object;
};

bool gg_top_init(struct gg_top *top, struct gg_arena *arena, struct gg_repo *repo,
                 struct gg_objects *objects, struct gg_error *err);
void gg_top_free(struct gg_top *top);

/* The file at a path; HEAD's where the work tree has none (it is deleted, or left out of a sparse
 * checkout). The text lives in the arena or, until it is released, in file->object. */
bool gg_top_file(struct gg_top *top, struct gg_arena *arena, const char *path,
                 struct gg_top_file *file, struct gg_error *err);

/* Adds the files of a parent's tree that are not in the index: git rm, git mv. */
bool gg_top_gone(struct gg_top *top, const git_oid *tree, struct gg_candidates *candidates,
                 struct gg_error *err);

#endif
