#include "vcs/handle.h"
#include "base/fs.h"

#include <limits.h>
#include <stdlib.h>

char *gg_repo_locate(struct gg_arena *arena, const struct gg_repo *repo, const char *path)
{
    char *full = gg_arena_printf(arena, "%s/%s", repo->root[1] ? repo->root : "", path);
    char *real = gg_fs_real(arena, full);
    return real && strcmp(real, full) == 0 ? full : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct gg_submodule *)a)->path, ((const struct gg_submodule *)b)->path);
}

static bool is_submodule(const git_index_entry *entry)
{
    return entry->mode == GIT_FILEMODE_COMMIT;
}

/* The repository of a checked-out submodule; one that lies elsewhere, by a symbolic link or by its
 * configuration, is none of ours. */
static struct gg_repo *open_submodule(struct gg_repo *repo, const char *path)
{
    struct gg_error ignored = {0};
    const char *dir = gg_repo_locate(repo->arena, repo, path);
    struct gg_repo *inner = dir ? gg_repo_open_at(repo->arena, dir, &ignored) : NULL;
    return inner && strcmp(inner->root, dir) == 0 ? inner : NULL;
}

static void list_submodules(struct gg_repo *repo)
{
    struct gg_error ignored = {0};
    git_index *index = gg_repo_index(repo, &ignored);
    repo->listed = true;
    for (size_t i = 0; index && i < git_index_entrycount(index); i++) {
        const git_index_entry *entry = git_index_get_byindex(index, i);
        if (!is_submodule(entry))
            continue;
        *gg_vec_push(repo->arena, &repo->submodules) =
            (struct gg_submodule){.path = gg_arena_strdup(repo->arena, entry->path),
                                  .repo = open_submodule(repo, entry->path)};
    }
    git_index_free(index);
    if (repo->submodules.len)
        qsort(repo->submodules.at, repo->submodules.len, sizeof *repo->submodules.at, by_path);
}

const struct gg_submodule *gg_repo_submodule(struct gg_repo *repo, const char *path,
                                             const char **inner)
{
    if (!repo->listed)
        list_submodules(repo);
    const struct gg_submodule *found = NULL;
    size_t len = strlen(path);
    char *prefix = memcpy(gg_alloc(len + 1), path, len + 1);
    for (size_t end = 0; end < len && repo->submodules.len && !found; end++) {
        end += strcspn(path + end, "/");
        prefix[end] = '\0';
        struct gg_submodule key = {.path = prefix};
        found = bsearch(&key, repo->submodules.at, repo->submodules.len, sizeof key, by_path);
        prefix[end] = path[end];
        *inner = path + end + (path[end] == '/');
    }
    free(prefix);
    return found;
}

struct listing {
    GG_VEC(const char *) paths, submodules;
};

static const char *inside(struct gg_arena *arena, const char *prefix, const char *path)
{
    return prefix[0] ? gg_arena_printf(arena, "%s/%s", prefix, path) : gg_arena_strdup(arena, path);
}

#define COMMITTED_MAX 2000000u /* trees that repeat each other have no end */

struct head_listing {
    size_t seen;
    struct gg_repo *repo;
    const char *prefix;
    struct listing *listing;
};

/* Greater than zero: nothing below this entry. */
static int add_committed(const char *dir, const git_tree_entry *entry, void *payload)
{
    struct head_listing *head = payload;
    if (head->seen++ == COMMITTED_MAX)
        return -1;
    if (strlen(dir) >= PATH_MAX)
        return 1;
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
        return 0;
    struct gg_arena *arena = head->repo->arena;
    const char *path = gg_arena_printf(arena, "%s%s", dir, git_tree_entry_name(entry));
    *gg_vec_push(arena, &head->listing->paths) = inside(arena, head->prefix, path);
    return 0;
}

/* A clone without a checkout, or a lost index: what HEAD has is tracked all the same. */
static void list_committed(struct gg_repo *repo, const char *prefix, struct listing *listing)
{
    git_object *tree = NULL;
    struct head_listing head = {0, repo, prefix, listing};
    if (git_revparse_single(&tree, repo->git, "HEAD^{tree}") == 0)
        git_tree_walk((git_tree *)tree, GIT_TREEWALK_PRE, add_committed, &head);
    git_object_free(tree);
}

static bool list_tracked(struct gg_repo *repo, const char *prefix, struct listing *listing,
                         struct gg_error *err)
{
    git_index *index = gg_repo_index(repo, err);
    if (!index)
        return false;
    for (size_t i = 0; i < git_index_entrycount(index); i++) {
        const git_index_entry *entry = git_index_get_byindex(index, i);
        if (!is_submodule(entry))
            *gg_vec_push(repo->arena, &listing->paths) = inside(repo->arena, prefix, entry->path);
    }
    if (git_index_entrycount(index) == 0)
        list_committed(repo, prefix, listing);
    git_index_free(index);
    if (!repo->listed)
        list_submodules(repo);
    bool ok = true;
    for (size_t i = 0; i < repo->submodules.len && ok; i++) {
        const struct gg_submodule *submodule = &repo->submodules.at[i];
        const char *path = inside(repo->arena, prefix, submodule->path);
        *gg_vec_push(repo->arena, &listing->submodules) = path;
        ok = !submodule->repo || list_tracked(submodule->repo, path, listing, err);
    }
    return ok;
}

bool gg_repo_worktree(struct gg_repo *repo, struct gg_worktree *worktree, struct gg_error *err)
{
    struct listing listing = {0};
    if (!list_tracked(repo, "", &listing, err))
        return false;
    if (listing.paths.len)
        qsort(listing.paths.at, listing.paths.len, sizeof(char *), by_text);
    if (listing.submodules.len)
        qsort(listing.submodules.at, listing.submodules.len, sizeof(char *), by_text);
    /* A path in conflict is in the index up to three times. */
    size_t count = 0;
    for (size_t i = 0; i < listing.paths.len; i++) {
        if (count == 0 || strcmp(listing.paths.at[count - 1], listing.paths.at[i]) != 0)
            listing.paths.at[count++] = listing.paths.at[i];
    }
    *gg_vec_push(repo->arena, &listing.submodules) = NULL;
    *worktree = (struct gg_worktree){.root = repo->root,
                                     .paths = listing.paths.at,
                                     .path_count = count,
                                     .submodules = listing.submodules.at};
    return true;
}
