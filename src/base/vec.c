#include "base/vec.h"

#include <string.h>

void *gg_vec_room(struct gg_arena *arena, void *at, size_t *cap, size_t len, size_t size)
{
    if (len < *cap)
        return at;
    *cap = *cap ? *cap * 2 : 8;
    void *grown = gg_arena_alloc(arena, *cap * size);
    if (len)
        memcpy(grown, at, len * size);
    return grown;
}
