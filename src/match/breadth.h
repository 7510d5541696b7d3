/*
 * Breadth: does anything in a rule tie it to some code, or might it fit any error?
 *
 * A pattern ties it when it is a whole name without wildcards, or holds a word of three letters at
 * least that is not in every path ("lib", "usr"), and does not fit a function that most stacks pass
 * ("malloc", "main").
 */
#ifndef GG_MATCH_BREADTH_H
#define GG_MATCH_BREADTH_H

#include "match/entry.h"

enum gg_breadth {
    GG_BREADTH_TIED,
    GG_BREADTH_COMMON, /* it names only functions that most stacks pass */
    GG_BREADTH_ANY     /* it names nothing */
};

enum gg_breadth gg_breadth_of(const struct gg_entry *entry);

#endif
