/*
 * Handle: what an open repository holds; for this stage's own files.
 */
#ifndef GG_VCS_HANDLE_H
#define GG_VCS_HANDLE_H

#include "base/vec.h"
#include "vcs/objects.h"
#include "vcs/repo.h"

struct gg_submodule {
    const char *path;
    struct gg_repo *repo; /* NULL: not checked out */
};

struct gg_repo {
    struct gg_arena *arena;
    git_repository *git;
    git_odb *odb;
    struct gg_beat *beat;  /* NULL: nobody is told while lines are followed */
    const char *root;      /* of the work tree, real, without a slash at the end */
    struct gg_map shallow; /* ids of the commits whose parents this clone has not */
    bool listed;           /* submodules are */
    GG_VEC(struct gg_submodule) submodules; /* sorted by path */
};

/* HEAD's commit; *unborn when there is none yet. */
bool gg_repo_head(struct gg_repo *repo, git_oid *id, bool *unborn, struct gg_error *err);

/* The index, to be freed; NULL with an error when it is of a kind libgit2 does not know. */
git_index *gg_repo_index(struct gg_repo *repo, struct gg_error *err);

/* The repository whose work tree begins at this very directory; NULL when it cannot be opened. */
struct gg_repo *gg_repo_open_at(struct gg_arena *arena, const char *dir, struct gg_error *err);

/* Where a path stands on disk, if no symbolic link leads there or elsewhere; NULL otherwise. */
char *gg_repo_locate(struct gg_arena *arena, const struct gg_repo *repo, const char *path);

/* The submodule a path is or lies in, the path inside it in *inner ("" for itself); or NULL. */
const struct gg_submodule *gg_repo_submodule(struct gg_repo *repo, const char *path,
                                             const char **inner);

/* libgit2's last message. */
const char *gg_repo_cause(void);

#endif
