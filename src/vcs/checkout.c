/* Which commit the work tree is at, and was at when something was made of it. */
#include "vcs/handle.h"

#include <string.h>

void gg_repo_checkout(struct gg_repo *repo, struct gg_checkout *checkout)
{
    git_oid head;
    bool unborn = true;
    struct gg_error ignored = {0};
    *checkout = (struct gg_checkout){.root = repo->root};
    if (!gg_repo_head(repo, &head, &unborn, &ignored) || unborn)
        return;
    char *hex = gg_arena_alloc(repo->arena, 2 * GG_ID_SIZE + 1);
    checkout->head = git_oid_tostr(hex, 2 * GG_ID_SIZE + 1, &head);
}

/* false: there is no such commit here. */
static bool find_tree(struct gg_repo *repo, const char *hex, git_oid *tree)
{
    git_oid id;
    git_commit *commit = NULL;
    bool found = git_oid_fromstr(&id, hex) == 0 && git_commit_lookup(&commit, repo->git, &id) == 0;
    if (found)
        git_oid_cpy(tree, git_commit_tree_id(commit));
    git_commit_free(commit);
    return found;
}

bool gg_repo_moved(struct gg_repo *repo, const struct gg_checkout *then,
                   const struct gg_checkout *now)
{
    git_oid tree_then, tree_now;
    if (!then->head || !now->head || strcmp(then->head, now->head) == 0)
        return false;
    if (!find_tree(repo, then->head, &tree_then))
        return then->root && strcmp(then->root, now->root) == 0;
    return !find_tree(repo, now->head, &tree_now) || !git_oid_equal(&tree_then, &tree_now);
}
