#include "vcs/top.h"
#include "vcs/commit.h"
#include "vcs/content.h"

#include <stdlib.h>

static int add_parent(const git_oid *id, void *payload)
{
    struct gg_top *top = payload;
    top->parents =
        gg_vec_room(top->arena, top->parents, &top->parent_cap, top->parent_count, sizeof *id);
    top->parents[top->parent_count++] = *id;
    return 0;
}

static bool read_tree_id(struct gg_top *top, const git_oid *head, struct gg_error *err)
{
    struct gg_object object;
    struct gg_commit commit;
    if (!gg_objects_read(top->objects, head, GIT_OBJECT_COMMIT, &object, err))
        return false;
    bool ok = gg_commit_parse(object.text, &commit);
    if (!ok)
        gg_error_set(err, "%s: HEAD's commit is damaged; run git fsck", top->repo->root);
    top->head_tree = commit.tree;
    free(commit.parents);
    gg_object_release(&object);
    return ok;
}

bool gg_top_init(struct gg_top *top, struct gg_arena *arena, struct gg_repo *repo,
                 struct gg_objects *objects, struct gg_error *err)
{
    git_oid head;
    bool unborn = false;
    *top = (struct gg_top){.arena = arena, .repo = repo, .objects = objects};
    if (!gg_repo_head(repo, &head, &unborn, err))
        return false;
    top->index = gg_repo_index(repo, err);
    if (!top->index)
        return false;
    if (unborn)
        return true;
    add_parent(&head, top);
    git_repository_mergehead_foreach(repo->git, add_parent, top);
    return read_tree_id(top, &head, err);
}

void gg_top_free(struct gg_top *top)
{
    git_index_free(top->index);
    top->index = NULL;
}

/* "a/b.c", and not "/a", "a//b", "./a", "a/../b". */
static bool is_inside(const char *path)
{
    struct gg_str rest = gg_str(path), name;
    bool more = true, ok = true;
    while (more && ok) {
        more = gg_str_cut(rest, '/', &name, &rest);
        ok = name.len && !gg_str_is(name, ".") && !gg_str_is(name, "..");
    }
    return ok;
}

bool gg_top_file(struct gg_top *top, struct gg_arena *arena, const char *path,
                 struct gg_top_file *file, struct gg_error *err)
{
    struct gg_tree_entry head = {0};
    struct gg_content content = {0};
    *file = (struct gg_top_file){0};
    if (!is_inside(path)) {
        gg_error_set(err, "%s is no path inside the repository", path);
        return false;
    }
    if (!gg_tree_lookup(top->objects, &top->head_tree, path, &head, err) ||
        !gg_content_read(arena, top->repo, path, &content, err))
        return false;
    file->text = content.text;
    file->id = content.id;
    file->tracked = head.name || git_index_find(NULL, top->index, path) == 0;
    if (content.kind == GG_CONTENT_FILE)
        return true;
    if (content.kind == GG_CONTENT_OTHER || (head.name && !gg_tree_is_file(head.mode))) {
        gg_error_set(err, "%s is not a regular file", path);
        return false;
    }
    if (!head.name) {
        gg_error_set(err, "%s is neither in the work tree nor in HEAD", path);
        return false;
    }
    file->id = head.id;
    if (!gg_objects_read(top->objects, &head.id, GIT_OBJECT_BLOB, &file->object, err))
        return false;
    file->text = file->object.text;
    return true;
}

bool gg_top_gone(struct gg_top *top, const git_oid *tree_id, struct gg_candidates *candidates,
                 struct gg_error *err)
{
    git_tree *tree = NULL;
    git_diff *diff = NULL;
    bool ok = git_tree_lookup(&tree, top->repo->git, tree_id) == 0 &&
              git_diff_tree_to_index(&diff, top->repo->git, tree, top->index, NULL) == 0;
    if (!ok)
        gg_error_set(err, "HEAD and the index cannot be compared: %s", gg_repo_cause());
    for (size_t i = 0; ok && i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *delta = git_diff_get_delta(diff, i);
        if (delta->status == GIT_DELTA_DELETED)
            ok = gg_candidates_add(candidates, delta->old_file.path, &delta->old_file.id,
                                   delta->old_file.mode, err);
    }
    git_diff_free(diff);
    git_tree_free(tree);
    return ok;
}
