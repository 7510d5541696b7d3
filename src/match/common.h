/*
 * Common: the frames that several stacks share, in their order.
 *
 * Functions are the same when they differ in nothing but what a compiler or linker adds to a name;
 * where one stack has no name for a frame, the object must be the same but for its version. Where a
 * stack has a demangled name, the linker's, which the first must have, is taken.
 */
#ifndef GG_MATCH_COMMON_H
#define GG_MATCH_COMMON_H

#include "base/vec.h"
#include "match/trace.h"

typedef GG_VEC(struct gg_str) gg_name_list;

/* A frame that all stacks have. */
struct gg_shared {
    gg_name_list functions; /* its names, as seen; none: not all stacks know one */
    gg_name_list objects;   /* none: not all stacks know one */
    size_t first, last;     /* where in the stacks it stands, at least and at most */
    bool telling;           /* set by the caller: not every stack has it */
    bool gap;               /* in some stack a frame lies between the one before and this */
};

typedef GG_VEC(struct gg_shared) gg_shared_list;

/* The first `count` frames of a trace; one of which nothing is known is left out. Names are copied
 * to the arena. */
gg_shared_list gg_common_begin(struct gg_arena *arena, const struct gg_trace *trace, size_t count);

/* Keeps those that this trace has as well. */
gg_shared_list gg_common_with(struct gg_arena *arena, const gg_shared_list *common,
                              const struct gg_trace *trace, size_t count);

#endif
