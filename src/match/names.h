/*
 * Names: the distinct names of a report's stacks, numbered, and which of them each frame has.
 *
 * Of a hundred thousand stacks with millions of frames some thousand names are distinct, so what
 * is to be known of a name is worked out once; and stacks are kept as numbers side by side, since
 * going to the frames of each would cost more than all the rest. Names are those of a trace
 * (trace.h). Number 0 is no name, and a frame without any.
 */
#ifndef GG_MATCH_NAMES_H
#define GG_MATCH_NAMES_H

#include "base/map.h"
#include "base/vec.h"
#include "match/trace.h"

struct gg_name {
    struct gg_str text;
    enum gg_place place;
    bool readable; /* a demangled name in place of a symbol */
    uint64_t uses; /* how many frames of the report have it */
};

/* What a frame is called; frames that are called the same share one. */
struct gg_named {
    uint32_t names[GG_PLACES]; /* numbers; 0 where nobody asks */
    uint32_t readable;         /* the symbol as a readable name */
    bool guess;                /* it looks like one, which then stands for the symbol */
    enum gg_trace_bottom bottom;
};

struct gg_names {
    struct gg_arena *arena;
    struct gg_trace_setting setting;
    bool wanted[GG_PLACES];
    GG_VEC(struct gg_name) all;
    GG_VEC(struct gg_named) named;
    const struct gg_finding *findings;
    size_t finding_count;
    size_t *starts;                     /* by finding: where its stack begins in `stacks` */
    uint32_t *stacks;                   /* positions in `named` */
    size_t longest;                     /* frames of the longest stack */
    unsigned callers;                   /* the fewest that count for a stack */
    uint32_t below_main, between, libc; /* symbols, and an object */
    uint32_t stray, stray_object;       /* a symbol, and an object */
    uint32_t program;                   /* an object */
    size_t below;                       /* so many frames call main */
};

/* Of the report's own stacks, in the places that are wanted. */
void gg_names_collect(struct gg_names *names, struct gg_arena *arena,
                      const struct gg_report *report, const bool wanted[GG_PLACES]);

/* From now on, names that are not live are 0. */
void gg_names_forget(struct gg_names *names, const bool *live);

/* The finding's stack, positions in `named`; NULL when it is not one of the report's. */
const uint32_t *gg_names_stack(const struct gg_names *names, const struct gg_finding *finding,
                               size_t *count);

#endif
