/*
 * Block: the text of a suppression for findings that it is meant to fit, made of the frames that
 * they share.
 */
#ifndef GG_MATCH_BLOCK_H
#define GG_MATCH_BLOCK_H

#include "base/vec.h"
#include "match/kinds.h"
#include "match/trace.h"

typedef GG_VEC(const struct gg_finding *) gg_finding_list;

struct gg_block {
    const struct gg_supp_kind *kind; /* NULL: valgrind has none for them */
    struct gg_supp_subject subject;  /* what all have; `leak`: the kinds that were seen */
    gg_finding_list wanted;
    bool guesses;            /* some have demangled names only, and fit by those of the others */
    const char *name;        /* after the function at fault */
    const char *longer_name; /* with another of its functions, where there is one that tells more */
    const char *body;        /* the lines from the kind on; NULL: see why */
    const char *why;         /* there is none, a sentence */
};

/* Sets body and the names, or why. `trace` is scratch. */
void gg_block_write(struct gg_arena *arena, const struct gg_trace_setting *setting,
                    struct gg_trace *trace, struct gg_block *block);

/* The whole block. */
const char *gg_block_text(struct gg_arena *arena, const struct gg_block *block);

/* "# ID: MESSAGE" lines for people. */
const char *gg_block_comment(struct gg_arena *arena, const struct gg_block *block);

#endif
