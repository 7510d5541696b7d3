#include "vcs/rename.h"
#include "base/fs.h"

#define CANDIDATE_LIMIT 1000000u /* git gives up there too */
#define PATH_BYTES_LIMIT ((size_t)256 * 1024 * 1024)
#define PATH_LIMIT 4096u /* bounds the depth of directories as well */
#define EXACT_LIMIT 100u
#define SCORE_SAME_NAME 45000u
#define SCORE_ANY_NAME 30000u

/* Stands in by_name for a name that several candidates have. */
static struct gg_candidate several;

void gg_candidates_init(struct gg_candidates *candidates)
{
    *candidates = (struct gg_candidates){0};
    gg_arena_init(&candidates->arena);
}

void gg_candidates_free(struct gg_candidates *candidates)
{
    gg_map_free(&candidates->by_id);
    gg_map_free(&candidates->by_name);
    gg_arena_free(&candidates->arena);
}

static bool too_many(struct gg_error *err)
{
    gg_error_set(err, "a commit removes more files than are looked through for a renamed one");
    return false;
}

bool gg_candidates_add(struct gg_candidates *candidates, const char *path, const git_oid *id,
                       uint32_t mode, struct gg_error *err)
{
    if (candidates->all.len == CANDIDATE_LIMIT)
        return too_many(err);
    *gg_vec_push(&candidates->arena, &candidates->all) =
        (struct gg_candidate){.path = gg_arena_strdup(&candidates->arena, path),
                              .id = *id,
                              .mode = mode,
                              .size = SIZE_MAX};
    return true;
}

struct descent {
    struct gg_candidates *candidates;
    struct gg_objects *objects;
    struct gg_error *err;
};

/* "dir/" and the entry's name; a directory's ends in '/'. */
static const char *below(struct descent *descent, const char *dir,
                         const struct gg_tree_entry *entry)
{
    if (strlen(dir) + entry->len > PATH_LIMIT) {
        gg_error_set(descent->err, "a commit has paths of more than %u bytes", PATH_LIMIT);
        return NULL;
    }
    descent->candidates->path_bytes += strlen(dir) + entry->len;
    if (descent->candidates->path_bytes > PATH_BYTES_LIMIT) {
        too_many(descent->err);
        return NULL;
    }
    return gg_arena_printf(&descent->candidates->arena, "%s%.*s%s", dir, (int)entry->len,
                           entry->name, gg_tree_is_dir(entry->mode) ? "/" : "");
}

/* A file that is gone, or everything below a directory that is. */
static bool add(struct descent *descent, const char *dir, const struct gg_tree_entry *gone)
{
    const char *path = below(descent, dir, gone);
    if (!path)
        return false;
    if (!gg_tree_is_dir(gone->mode))
        return gg_candidates_add(descent->candidates, path, &gone->id, gone->mode, descent->err);
    struct gg_object object;
    if (!gg_objects_read(descent->objects, &gone->id, GIT_OBJECT_TREE, &object, descent->err))
        return false;
    struct gg_str rest = object.text;
    struct gg_tree_entry entry;
    bool ok = true;
    while (ok && gg_tree_next(&rest, &entry))
        ok = add(descent, path, &entry);
    gg_object_release(&object);
    return ok;
}

static bool compare(struct descent *descent, const char *dir, const git_oid *child,
                    const git_oid *parent)
{
    struct gg_tree_delta delta = {0};
    bool ok = gg_tree_delta_make(&delta, descent->objects, child, parent, descent->err);
    for (size_t i = 0; i < delta.count && ok; i++) {
        const struct gg_tree_entry *now = &delta.changes[i].child, *was = &delta.changes[i].parent;
        if (was->name && !now->name) {
            ok = add(descent, dir, was);
        } else if (was->name && gg_tree_is_dir(was->mode)) {
            const char *inner = below(descent, dir, was);
            ok = inner && compare(descent, inner, &now->id, &was->id);
        }
    }
    gg_tree_delta_free(&delta);
    return ok;
}

bool gg_candidates_between(struct gg_candidates *candidates, struct gg_objects *objects,
                           const git_oid *child, const git_oid *parent, struct gg_error *err)
{
    struct descent descent = {.candidates = candidates, .objects = objects, .err = err};
    return gg_id_eq(child, parent) || compare(&descent, "", child, parent);
}

/* Backwards, so that each chain is in the candidates' order. */
static void make_index(struct gg_candidates *candidates)
{
    for (size_t i = candidates->all.len; i-- > 0;) {
        struct gg_candidate *candidate = &candidates->all.at[i];
        void **first = gg_map_put(&candidates->by_id, &candidate->id, GG_ID_SIZE);
        candidate->next = *first;
        *first = candidate;
        const char *name = gg_fs_basename(candidate->path);
        void **only = gg_map_put(&candidates->by_name, name, strlen(name));
        *only = *only ? &several : candidate;
    }
    candidates->indexed = true;
}

static bool same_name(const struct gg_candidate *candidate, const char *path)
{
    return strcmp(gg_fs_basename(candidate->path), gg_fs_basename(path)) == 0;
}

static const struct gg_candidate *exact_copy(const struct gg_candidates *candidates,
                                             const char *path, const git_oid *id)
{
    void **first = gg_map_find(&candidates->by_id, id, GG_ID_SIZE);
    const struct gg_candidate *best = NULL;
    unsigned seen = 0;
    for (const struct gg_candidate *at = first ? *first : NULL; at && seen < EXACT_LIMIT;
         at = at->next) {
        if (!gg_tree_is_file(at->mode))
            continue;
        if (same_name(at, path))
            return at;
        if (!best)
            best = at;
        seen++;
    }
    return best;
}

/* How similar a candidate is to the target; 0 when that is less than `least`, or cannot be. */
static bool estimate(struct gg_objects *objects, struct gg_similarity *similarity,
                     struct gg_candidate *candidate, uint32_t least, uint32_t *score,
                     struct gg_error *err)
{
    *score = 0;
    if (!gg_tree_is_file(candidate->mode))
        return true;
    if (candidate->size == SIZE_MAX &&
        !gg_objects_size(objects, &candidate->id, &candidate->size, err))
        return false;
    if (!gg_similarity_possible(similarity, candidate->size, least))
        return true;
    struct gg_object object;
    if (!gg_objects_read(objects, &candidate->id, GIT_OBJECT_BLOB, &object, err))
        return false;
    *score = gg_similarity_score(similarity, object.text);
    gg_object_release(&object);
    return true;
}

struct rank {
    const struct gg_candidate *candidate; /* NULL: a free place */
    uint32_t score;
    bool same_name;
};

static bool is_worse(const struct rank *a, const struct rank *b)
{
    if (!a->candidate || !b->candidate)
        return !a->candidate && b->candidate;
    return a->score == b->score ? b->same_name && !a->same_name : b->score > a->score;
}

/* git keeps the four best, each new one in the place of the worst; among equals the place
 * decides, so this has to be done in the same way. */
static bool most_similar(struct gg_candidates *candidates, struct gg_objects *objects,
                         struct gg_similarity *similarity, const char *path,
                         const struct gg_candidate **found, struct gg_error *err)
{
    struct rank best[4] = {0};
    for (size_t i = 0; i < candidates->all.len; i++) {
        struct gg_candidate *candidate = &candidates->all.at[i];
        struct rank rank = {.candidate = candidate, .same_name = same_name(candidate, path)};
        if (!estimate(objects, similarity, candidate, SCORE_ANY_NAME, &rank.score, err))
            return false;
        struct rank *worst = &best[0];
        for (size_t place = 1; place < 4; place++)
            worst = is_worse(&best[place], worst) ? &best[place] : worst;
        if (is_worse(worst, &rank))
            *worst = rank;
    }
    struct rank *first = &best[0];
    for (size_t place = 1; place < 4; place++)
        first = is_worse(first, &best[place]) ? &best[place] : first;
    *found = first->score >= SCORE_ANY_NAME ? first->candidate : NULL;
    return true;
}

bool gg_rename_find(struct gg_candidates *candidates, struct gg_objects *objects,
                    struct gg_similarity *similarity, const char *path, const git_oid *id,
                    const struct gg_candidate **found, struct gg_error *err)
{
    if (!candidates->indexed)
        make_index(candidates);
    *found = exact_copy(candidates, path, id);
    if (*found || candidates->all.len == 0)
        return true;
    struct gg_object object;
    if (!gg_objects_read(objects, id, GIT_OBJECT_BLOB, &object, err))
        return false;
    gg_similarity_target(similarity, object.text);
    gg_object_release(&object);
    const char *name = gg_fs_basename(path);
    void **only = gg_map_find(&candidates->by_name, name, strlen(name));
    uint32_t score = 0;
    if (only && *only != &several) {
        if (!estimate(objects, similarity, *only, SCORE_SAME_NAME, &score, err))
            return false;
        if (score >= SCORE_SAME_NAME)
            *found = *only;
    }
    return *found || most_similar(candidates, objects, similarity, path, found, err);
}
