#include "vcs/lineage.h"
#include "vcs/frontier.h"
#include "vcs/linemap.h"

#include <stdlib.h>

#define DELTA_SLOTS 32u
#define SAME_BLOB_LIMIT 16u
#define CANDIDATE_BUDGET ((size_t)10 * 1000 * 1000)

struct path {
    const char *text;
    size_t depth;           /* how many names it has */
    struct gg_origin *seen; /* in the commit being treated, if `round` is its round */
    uint64_t round;
};

/* A file in a commit, and the lines that are known to have been in it. */
struct gg_origin {
    struct path *path;
    struct gg_line *lines, *last;
    struct gg_origin *next;
    git_oid
        levels[]; /* the ids of the root tree, of each directory, of the blob; zeroes: unknown */
};

/* A parent of the commit being treated. */
struct parent {
    struct gg_node *node; /* NULL: not looked at yet */
    bool owned;           /* the first of the commit's parents that is this node */
    bool lacks;           /* has no file of that name */
    struct gg_origin *origin;
    bool compared; /* candidates are there */
    struct gg_candidates candidates;
};

struct gg_lineage {
    struct gg_arena *arena;
    struct gg_objects *objects;
    struct gg_top *top;
    struct gg_beat *beat;
    struct gg_node top_node;
    struct gg_frontier frontier;
    struct gg_map paths;
    uint64_t round;
    struct parent *parents;
    size_t parent_cap, candidate_count;
    struct gg_tree_delta deltas[DELTA_SLOTS];
    struct gg_linemap linemap;
    struct gg_similarity similarity;
};

struct gg_lineage *gg_lineage_new(struct gg_arena *arena, struct gg_objects *objects,
                                  const struct gg_map *shallow, struct gg_top *top,
                                  struct gg_beat *beat)
{
    struct gg_lineage *lineage = gg_alloc(sizeof *lineage);
    *lineage = (struct gg_lineage){.arena = arena, .objects = objects, .top = top, .beat = beat};
    lineage->top_node.commit =
        (struct gg_commit){.parents = top->parents, .parent_count = top->parent_count};
    gg_frontier_init(&lineage->frontier, objects, shallow);
    return lineage;
}

static struct path *intern(struct gg_lineage *lineage, const char *text)
{
    void **known = gg_map_find(&lineage->paths, text, strlen(text));
    if (known)
        return *known;
    struct path *path = gg_arena_alloc(lineage->arena, sizeof *path);
    *path = (struct path){.text = gg_arena_strdup(lineage->arena, text), .depth = 1};
    for (const char *at = text; (at = strchr(at, '/')); at++)
        path->depth++;
    *gg_map_put(&lineage->paths, path->text, strlen(path->text)) = path;
    return path;
}

static struct gg_origin *new_origin(struct path *path)
{
    struct gg_origin *origin = gg_alloc(sizeof *origin + (path->depth + 1) * GG_ID_SIZE);
    origin->path = path;
    return origin;
}

static const git_oid *blob_of(const struct gg_origin *origin)
{
    return &origin->levels[origin->path->depth];
}

static void append(struct gg_origin *origin, struct gg_line *first, struct gg_line *last)
{
    if (origin->lines)
        origin->last->next = first;
    else
        origin->lines = first;
    origin->last = last;
}

static void give_all(struct gg_origin *from, struct gg_origin *to)
{
    if (from->lines)
        append(to, from->lines, from->last);
    from->lines = from->last = NULL;
}

/* Where the lines stop: in this commit, or with an error. */
static void settle(struct gg_lineage *lineage, const struct gg_node *node,
                   const struct gg_origin *origin, const struct gg_error *err)
{
    const char *why = err->set ? gg_arena_strdup(lineage->arena, err->text) : NULL;
    for (struct gg_line *line = origin->lines; line; line = line->next) {
        line->state = err->set                     ? GG_BLAME_UNKNOWN
                      : node == &lineage->top_node ? GG_BLAME_UNCOMMITTED
                      : node->cut                  ? GG_BLAME_BOUNDARY
                                                   : GG_BLAME_COMMIT;
        line->commit = node->id;
        line->path = origin->path->text;
        line->why = why;
    }
}

/* The parent's entry of a name, given the trees on both sides of the step; `same` when it is the
 * child's. The top has no trees, so there the parent's is searched. */
static bool find_entry(struct gg_lineage *lineage, size_t slot, const git_oid *child,
                       const git_oid *parent, struct gg_str name, bool dir, bool *same,
                       struct gg_tree_entry *entry, struct gg_error *err)
{
    static const git_oid unknown;
    *same = false;
    if (gg_id_eq(child, &unknown))
        return gg_tree_find(lineage->objects, parent, name, dir, entry, err);
    struct gg_tree_delta *delta = &lineage->deltas[slot % DELTA_SLOTS];
    if (!gg_tree_delta_make(delta, lineage->objects, child, parent, err))
        return false;
    const struct gg_tree_change *change = gg_tree_delta_find(delta, name, dir);
    *same = !change;
    *entry = change ? change->parent : (struct gg_tree_entry){0};
    return true;
}

/* Finds the file of the same name in a parent: sets its origin, or lacks. Where the parent has
 * something that is no file there is neither, and no rename either. */
static bool find_same(struct gg_lineage *lineage, const struct gg_origin *child, size_t which,
                      struct gg_error *err)
{
    struct parent *parent = &lineage->parents[which];
    struct gg_origin *origin = new_origin(child->path);
    struct gg_str rest = gg_str(child->path->text), name;
    size_t depth = child->path->depth;
    bool same = false, ok = true;
    origin->levels[0] = parent->node->commit.tree;
    for (size_t level = 0; level < depth && ok; level++) {
        if (gg_id_eq(&origin->levels[level], &child->levels[level]))
            same = true;
        struct gg_tree_entry entry = {0};
        gg_str_cut(rest, '/', &name, &rest);
        if (!same)
            ok = find_entry(lineage, 2 * level + which % 2, &child->levels[level],
                            &origin->levels[level], name, level + 1 < depth, &same, &entry, err);
        if (same) {
            origin->levels[level + 1] = child->levels[level + 1];
        } else if (ok && entry.name && (level + 1 < depth || gg_tree_is_file(entry.mode))) {
            origin->levels[level + 1] = entry.id;
        } else {
            parent->lacks = ok && !entry.name;
            free(origin);
            return ok;
        }
    }
    parent->origin = origin;
    return true;
}

static bool compare_trees(struct gg_lineage *lineage, const struct gg_node *node,
                          struct parent *parent, struct gg_error *err)
{
    if (lineage->candidate_count > CANDIDATE_BUDGET) {
        gg_error_set(err,
                     "the history removes more files than are looked through for renamed ones");
        return false;
    }
    gg_candidates_init(&parent->candidates);
    parent->compared =
        node == &lineage->top_node
            ? gg_top_gone(lineage->top, &parent->node->commit.tree, &parent->candidates, err)
            : gg_candidates_between(&parent->candidates, lineage->objects, &node->commit.tree,
                                    &parent->node->commit.tree, err);
    lineage->candidate_count += parent->candidates.all.len;
    if (!parent->compared)
        gg_candidates_free(&parent->candidates);
    return parent->compared;
}

static bool find_renamed(struct gg_lineage *lineage, const struct gg_node *node,
                         const struct gg_origin *child, size_t which, struct gg_error *err)
{
    struct parent *parent = &lineage->parents[which];
    const struct gg_candidate *found = NULL;
    if ((!parent->compared && !compare_trees(lineage, node, parent, err)) ||
        !gg_rename_find(&parent->candidates, lineage->objects, &lineage->similarity,
                        child->path->text, blob_of(child), &found, err))
        return false;
    if (!found)
        return true;
    /* Under its old name the file is followed by its path from the parent's root tree. */
    struct gg_origin *origin = new_origin(intern(lineage, found->path));
    origin->levels[0] = parent->node->commit.tree;
    origin->levels[origin->path->depth] = found->id;
    parent->origin = origin;
    return true;
}

/* Gives a parent the lines that are the same in both. */
static bool give_unchanged(struct gg_lineage *lineage, struct gg_origin *child,
                           struct gg_origin *origin, struct gg_error *err)
{
    struct gg_object newer = {0}, older = {0};
    bool ok = gg_objects_read(lineage->objects, blob_of(child), GIT_OBJECT_BLOB, &newer, err) &&
              gg_objects_read(lineage->objects, blob_of(origin), GIT_OBJECT_BLOB, &older, err) &&
              gg_linemap_make(&lineage->linemap, older.text, newer.text, err);
    struct gg_line *line = ok ? child->lines : NULL;
    if (ok)
        child->lines = child->last = NULL;
    for (struct gg_line *next; line; line = next) {
        next = line->next;
        line->next = NULL;
        uint32_t number = gg_linemap_older(&lineage->linemap, line->line);
        if (number)
            line->line = number;
        append(number ? origin : child, line, line);
    }
    gg_object_release(&newer);
    gg_object_release(&older);
    return ok;
}

/* The same content in an earlier parent has taken all it could; comparing it again is idle. */
static bool was_compared(const struct gg_lineage *lineage, size_t which)
{
    const struct gg_origin *origin = lineage->parents[which].origin;
    for (size_t i = which > SAME_BLOB_LIMIT ? which - SAME_BLOB_LIMIT : 0; i < which; i++) {
        const struct gg_origin *earlier = lineage->parents[i].origin;
        if (earlier && gg_id_eq(blob_of(earlier), blob_of(origin)))
            return true;
    }
    return false;
}

/* The parent's node, in memory until the commit is treated. */
static bool meet(struct gg_lineage *lineage, const struct gg_node *node, size_t which,
                 struct gg_error *err)
{
    struct parent *parent = &lineage->parents[which];
    if (parent->node)
        return true;
    parent->node = gg_frontier_get(&lineage->frontier, &node->commit.parents[which], err);
    if (!parent->node)
        return false;
    parent->owned = !parent->node->held;
    parent->node->held = true;
    return true;
}

/* Both passes over the parents: the same name first, in all of them, then renames. */
static bool find_in_parents(struct gg_lineage *lineage, const struct gg_node *node,
                            struct gg_origin *child, size_t count, struct gg_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            struct parent *parent = &lineage->parents[i];
            if (pass && !parent->lacks)
                continue;
            if (!meet(lineage, node, i, err) || !(pass ? find_renamed(lineage, node, child, i, err)
                                                       : find_same(lineage, child, i, err)))
                return false;
            if (parent->origin && gg_id_eq(blob_of(parent->origin), blob_of(child))) {
                give_all(child, parent->origin);
                return true;
            }
        }
    }
    for (size_t i = 0; i < count && child->lines; i++) {
        struct gg_origin *origin = lineage->parents[i].origin;
        if (origin && !was_compared(lineage, i) && !give_unchanged(lineage, child, origin, err))
            return false;
    }
    return true;
}

/* Follows one file's lines from a commit to its parents. */
static void pass_on(struct gg_lineage *lineage, const struct gg_node *node, struct gg_origin *child)
{
    struct gg_error err = {0};
    size_t count = node->cut ? 0 : node->commit.parent_count;
    find_in_parents(lineage, node, child, count, &err);
    for (size_t i = 0; i < count; i++) {
        struct parent *parent = &lineage->parents[i];
        struct gg_origin *origin = parent->origin;
        parent->origin = NULL;
        parent->lacks = false;
        if (origin && origin->lines) {
            origin->next = parent->node->origins;
            parent->node->origins = origin;
            gg_frontier_push(&lineage->frontier, parent->node);
        } else {
            free(origin);
        }
    }
    settle(lineage, node, child, &err);
    free(child);
}

/* One origin a path: what came from several children is joined. */
static struct gg_origin *join_same_paths(struct gg_lineage *lineage, struct gg_origin *origins)
{
    struct gg_origin *joined = NULL;
    lineage->round++;
    for (struct gg_origin *origin = origins, *next; origin; origin = next) {
        next = origin->next;
        struct path *path = origin->path;
        if (path->round == lineage->round) {
            give_all(origin, path->seen);
            free(origin);
            continue;
        }
        path->round = lineage->round;
        path->seen = origin;
        origin->next = joined;
        joined = origin;
    }
    return joined;
}

static void treat(struct gg_lineage *lineage, struct gg_node *node)
{
    size_t count = node->commit.parent_count;
    gg_beat(lineage->beat);
    if (count > lineage->parent_cap) {
        free(lineage->parents);
        lineage->parents = gg_alloc(count * sizeof *lineage->parents);
        lineage->parent_cap = count;
    }
    for (size_t i = 0; i < count; i++)
        lineage->parents[i] = (struct parent){0};
    struct gg_origin *origin = join_same_paths(lineage, node->origins);
    node->origins = NULL;
    for (struct gg_origin *next; origin; origin = next) {
        next = origin->next;
        pass_on(lineage, node, origin);
    }
    for (size_t i = 0; i < count; i++) {
        struct parent *parent = &lineage->parents[i];
        if (parent->compared)
            gg_candidates_free(&parent->candidates);
        if (!parent->owned)
            continue;
        parent->node->held = false;
        if (!parent->node->queued)
            gg_frontier_release(&lineage->frontier, parent->node);
    }
}

void gg_lineage_follow(struct gg_lineage *lineage, const char *path, const struct gg_top_file *file,
                       struct gg_line *lines)
{
    struct gg_origin *origin = new_origin(intern(lineage, path));
    origin->levels[origin->path->depth] = file->id;
    for (struct gg_line *line = lines, *next; line; line = next) {
        next = line->next;
        line->next = NULL;
        append(origin, line, line);
    }
    lineage->top_node.origins = origin;
    lineage->objects->pretended = file->id;
    lineage->objects->pretended_text = file->text;
    treat(lineage, &lineage->top_node);
    lineage->objects->pretended_text = gg_str_n(NULL, 0);
}

void gg_lineage_run(struct gg_lineage *lineage)
{
    for (struct gg_node *node; (node = gg_frontier_pop(&lineage->frontier));) {
        treat(lineage, node);
        gg_frontier_release(&lineage->frontier, node);
    }
}

void gg_lineage_free(struct gg_lineage *lineage)
{
    gg_frontier_free(&lineage->frontier);
    gg_map_free(&lineage->paths);
    for (size_t i = 0; i < DELTA_SLOTS; i++)
        gg_tree_delta_free(&lineage->deltas[i]);
    gg_linemap_free(&lineage->linemap);
    gg_similarity_free(&lineage->similarity);
    free(lineage->parents);
    free(lineage);
}
