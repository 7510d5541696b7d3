/*
 * Repo: the git repository around the code, read only, through libgit2.
 */
#ifndef GG_VCS_REPO_H
#define GG_VCS_REPO_H

#include "base/arena.h"
#include "base/beat.h"
#include "grindgate/error.h"
#include "grindgate/model.h"
#include "grindgate/seams.h"
#include "model/checkout.h"
#include "model/worktree.h"

struct gg_repo;

/* The repository around `start`; without a `start` the one git itself would use in the current
 * directory, so GIT_DIR and its like count. NULL with an error that says what to do when there is
 * none, or it cannot be read. Closed with the arena. */
struct gg_repo *gg_repo_open(struct gg_arena *arena, const char *start, struct gg_error *err);

/* The work tree's root: absolute, links resolved, good as long as the arena. */
const char *gg_repo_root(const struct gg_repo *repo);

/* Root, HEAD, shallow, dirty (a tracked file is not as HEAD has it). */
void gg_repo_describe(struct gg_repo *repo, struct gg_repository *repository);

/* Where the work tree is, and at which commit; good as long as the arena. */
void gg_repo_checkout(struct gg_repo *repo, struct gg_checkout *checkout);

/* Has this repository come to another commit since, one that holds other files? What is not known
 * says nothing, nor does a commit that is not here, unless it was of a work tree at this place: it
 * may be another repository's. */
bool gg_repo_moved(struct gg_repo *repo, const struct gg_checkout *then,
                   const struct gg_checkout *now);

/* The tracked files, those of submodules included. */
bool gg_repo_worktree(struct gg_repo *repo, struct gg_worktree *worktree, struct gg_error *err);

/* The engine that answers whose line it is (vcs/lineage), as git blame would. A BOUNDARY names its
 * commit and no author. Lines of a submodule have commit and original path of its repository. */
struct gg_attributor gg_repo_attributor(struct gg_repo *repo);

/* Who is told while the attributor is busy; NULL: nobody. Lives as long as it is set. */
void gg_repo_beat(struct gg_repo *repo, struct gg_beat *beat);

#endif
