#include "locate/roots.h"

#include <string.h>

struct vote {
    struct gg_str own; /* the directory in the repository; empty is its root */
    size_t count;
};

struct ballot {
    const struct vote *best;
    bool tie;
};

static struct gg_str without_slash(struct gg_str dir)
{
    return dir.len && dir.ptr[dir.len - 1] == '/' ? gg_str_n(dir.ptr, dir.len - 1) : dir;
}

static struct vote *vote_for(struct gg_roots *roots, struct gg_str foreign, struct gg_str own)
{
    char *key = gg_arena_alloc(roots->arena, foreign.len + 1 + own.len + 1);
    memcpy(key, foreign.ptr, foreign.len);
    memcpy(key + foreign.len + 1, own.ptr, own.len);
    void **slot = gg_map_put(&roots->by_pair, key, foreign.len + 1 + own.len);
    if (!*slot) {
        struct vote *vote = gg_arena_alloc(roots->arena, sizeof *vote);
        vote->own = own;
        *slot = vote;
    }
    return *slot;
}

void gg_roots_learn(struct gg_roots *roots, struct gg_str path, const struct gg_tail *tail)
{
    /* The work tree's own directories may have matched as well; they are not part of the name. */
    size_t name = strlen(tail->name);
    size_t shared = tail->shared < name ? tail->shared : name;
    struct gg_str foreign = without_slash(gg_str_n(path.ptr, path.len - shared));
    struct gg_str own = without_slash(gg_str_n(tail->name, name - shared));
    struct vote *vote = vote_for(roots, foreign, own);
    vote->count++;
    void **slot = gg_map_put(&roots->by_dir, foreign.ptr, foreign.len);
    if (!*slot)
        *slot = gg_arena_alloc(roots->arena, sizeof(struct ballot));
    struct ballot *ballot = *slot;
    if (!ballot->best || vote->count > ballot->best->count) {
        ballot->best = vote;
        ballot->tie = false;
    } else if (vote == ballot->best) {
        ballot->tie = false;
    } else if (vote->count == ballot->best->count) {
        ballot->tie = true;
    }
}

static const char *place(struct gg_arena *arena, const struct gg_index *index, struct gg_str own,
                         struct gg_str rest)
{
    const char *name = gg_arena_printf(arena, "%.*s%s%.*s", (int)own.len, own.ptr,
                                       own.len ? "/" : "", (int)rest.len, rest.ptr);
    return gg_index_find(index, gg_str(name));
}

const char *gg_roots_find(const struct gg_roots *roots, struct gg_arena *arena,
                          const struct gg_index *index, struct gg_str path)
{
    size_t ends[64], count = 0; /* no checkout lies deeper */
    for (size_t i = 0; i < path.len && count < sizeof ends / sizeof *ends; i++) {
        if (path.ptr[i] == '/')
            ends[count++] = i;
    }
    while (count-- > 0) {
        size_t end = ends[count];
        void **slot = gg_map_find(&roots->by_dir, path.ptr, end);
        const struct ballot *ballot = slot ? *slot : NULL;
        if (!ballot || ballot->tie)
            continue;
        struct gg_str rest = gg_str_n(path.ptr + end + 1, path.len - end - 1);
        const char *tracked = place(arena, index, ballot->best->own, rest);
        if (tracked)
            return tracked;
    }
    return NULL;
}

void gg_roots_free(struct gg_roots *roots)
{
    gg_map_free(&roots->by_dir);
    gg_map_free(&roots->by_pair);
}
