#include "vcs/base.h"
#include "vcs/handle.h"

/* How to get what a clone does not have. */
static const char *more_history(const struct gg_repo *repo)
{
    return repo->shallow.count ? "this clone is shallow: run git fetch --unshallow (in GitHub "
                                 "Actions: actions/checkout with fetch-depth: 0)"
                               : "run git fetch origin, and name the branch as origin/main";
}

bool gg_base_find(struct gg_repo *repo, const char *revision, char hex[65], struct gg_error *err)
{
    git_oid head, base;
    bool unborn;
    git_object *object = NULL, *commit = NULL;
    if (!gg_repo_head(repo, &head, &unborn, err))
        return false;
    if (unborn) {
        gg_error_set(err, "--base %s: nothing is committed yet that could be compared", revision);
        return false;
    }
    bool found = git_revparse_single(&object, repo->git, revision) == 0 &&
                 git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0;
    if (!found)
        gg_error_set(err, "--base %s: is no commit of this repository; %s", revision,
                     more_history(repo));
    else if (git_merge_base(&base, repo->git, &head, git_object_id(commit)) != 0) {
        gg_error_set(err, "--base %s: shares no history with HEAD here; %s", revision,
                     more_history(repo));
        found = false;
    }
    if (found)
        git_oid_tostr(hex, 65, &base);
    git_object_free(commit);
    git_object_free(object);
    return found;
}

static bool read_blob(struct gg_repo *repo, const git_oid *id, struct gg_str *text,
                      struct gg_error *err)
{
    struct gg_objects objects;
    struct gg_object blob;
    gg_objects_init(&objects, repo->odb);
    bool read = gg_objects_read(&objects, id, GIT_OBJECT_BLOB, &blob, err);
    if (read) {
        *text =
            gg_str_n(gg_arena_strndup(repo->arena, blob.text.ptr, blob.text.len), blob.text.len);
        gg_object_release(&blob);
    }
    gg_objects_free(&objects);
    return read;
}

/* What stands at a path of a commit; NULL when nothing does. To be freed. */
static git_tree_entry *entry_at(struct gg_repo *repo, const char *hex, const char *path)
{
    git_oid id;
    git_commit *commit = NULL;
    git_tree *tree = NULL;
    git_tree_entry *entry = NULL;
    if (git_oid_fromstr(&id, hex) == 0 && git_commit_lookup(&commit, repo->git, &id) == 0 &&
        git_commit_tree(&tree, commit) == 0 && git_tree_entry_bypath(&entry, tree, path) != 0)
        entry = NULL;
    git_tree_free(tree);
    git_commit_free(commit);
    return entry;
}

static bool is_plain_file(const git_tree_entry *entry)
{
    git_filemode_t mode = git_tree_entry_filemode(entry);
    return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

bool gg_base_file(struct gg_repo *repo, const char *hex, const char *path, bool *there,
                  struct gg_str *text, struct gg_error *err)
{
    const char *inner;
    const struct gg_submodule *submodule = gg_repo_submodule(repo, path, &inner);
    git_tree_entry *entry = entry_at(repo, hex, submodule ? submodule->path : path);
    bool read = true;
    *there = false;
    if (entry && submodule && submodule->repo &&
        git_tree_entry_filemode(entry) == GIT_FILEMODE_COMMIT) {
        char commit[65];
        git_oid_tostr(commit, sizeof commit, git_tree_entry_id(entry));
        read = gg_base_file(submodule->repo, commit, inner, there, text, err);
    } else if (entry && !submodule && is_plain_file(entry)) {
        *there = true;
        read = read_blob(repo, git_tree_entry_id(entry), text, err);
    }
    git_tree_entry_free(entry);
    return read;
}
