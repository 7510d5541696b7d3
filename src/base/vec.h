/*
 * Vec: a growing array in an arena.
 *
 *     GG_VEC(struct gg_run) runs = {0};
 *     struct gg_run *run = gg_vec_push(arena, &runs);   (zeroed)
 *
 * Growth copies to a doubled array and leaves the old one to the arena, so a pointer to an
 * element is only good until the next push; keep an index.
 */
#ifndef GG_BASE_VEC_H
#define GG_BASE_VEC_H

#include "base/arena.h"

#define GG_VEC(type)     \
    struct {             \
        type *at;        \
        size_t len, cap; \
    }

#define gg_vec_push(arena, vec)                                                               \
    ((vec)->at = gg_vec_room((arena), (vec)->at, &(vec)->cap, (vec)->len, sizeof *(vec)->at), \
     (vec)->at + (vec)->len++)

/* The array itself or a doubled copy of it, with room for one more element of `size` bytes. */
void *gg_vec_room(struct gg_arena *arena, void *at, size_t *cap, size_t len, size_t size);

#endif
