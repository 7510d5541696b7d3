/*
 * Tree: raw tree objects, and what differs between two of them.
 *
 * An entry is "MODE NAME\0" and the raw id; entries are sorted by name, a directory's name as if
 * it ended in '/'. So a file "x" and a directory "x" are two different keys.
 */
#ifndef GG_VCS_TREE_H
#define GG_VCS_TREE_H

#include "vcs/objects.h"

struct gg_tree_entry {
    const char *name; /* in the raw object; NULL: there is no such entry */
    size_t len;
    uint32_t mode;
    git_oid id;
};

static inline bool gg_tree_is_dir(uint32_t mode)
{
    return (mode & 0170000) == 0040000;
}

static inline bool gg_tree_is_file(uint32_t mode)
{
    return (mode & 0170000) == 0100000;
}

/* Takes the next entry off *rest. false at the end, and with bytes left in *rest when they are no
 * entry. */
bool gg_tree_next(struct gg_str *rest, struct gg_tree_entry *entry);

/* The entry of that name, a directory or not as asked; without a name when there is none. */
bool gg_tree_find(struct gg_objects *objects, const git_oid *tree, struct gg_str name, bool dir,
                  struct gg_tree_entry *entry, struct gg_error *err);

/* The entry of a path below a tree, a file's before a directory's. */
bool gg_tree_lookup(struct gg_objects *objects, const git_oid *tree, const char *path,
                    struct gg_tree_entry *entry, struct gg_error *err);

/* One key whose entry is not the same in the child's and the parent's tree. */
struct gg_tree_change {
    struct gg_tree_entry child, parent;
};

/* All changes between two trees, in tree order. Zeroed before the first use; reusable. */
struct gg_tree_delta {
    git_oid child, parent;
    struct gg_object child_object, parent_object; /* the names stand in them */
    struct gg_tree_change *changes;
    size_t count, cap;
};

/* Makes it the delta of these trees; does nothing when it is already. */
bool gg_tree_delta_make(struct gg_tree_delta *delta, struct gg_objects *objects,
                        const git_oid *child, const git_oid *parent, struct gg_error *err);

const struct gg_tree_change *gg_tree_delta_find(const struct gg_tree_delta *delta,
                                                struct gg_str name, bool dir);

void gg_tree_delta_free(struct gg_tree_delta *delta);

#endif
