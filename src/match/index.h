/*
 * Index: which names of a report each pattern fits. Each pattern is tried once, however many rules
 * have it and however many frames have the names.
 */
#ifndef GG_MATCH_INDEX_H
#define GG_MATCH_INDEX_H

#include "match/grams.h"
#include "match/names.h"

/* The names that one pattern fits, ascending. Line numbers of src: are not looked at. */
struct gg_fits {
    const uint32_t *names;
    size_t count;
    uint64_t uses;       /* of those names */
    const uint64_t *set; /* the same names as bits, where they are many; else NULL */
};

struct gg_name_index {
    struct gg_arena *arena;
    GG_VEC(struct gg_pattern) patterns;  /* distinct ones */
    struct gg_map by_text[GG_PLACES][2]; /* wildcards, globs -> position + 1 */
    struct gg_map by_regex;
    struct gg_fits *fits; /* by position */
};

void gg_name_index_init(struct gg_name_index *index, struct gg_arena *arena);
void gg_name_index_free(struct gg_name_index *index);

/* The number of the pattern; of equal ones the same. */
uint32_t gg_name_index_add(struct gg_name_index *index, const struct gg_pattern *pattern);

/* Fills `fits`, after the last was added. */
void gg_name_index_solve(struct gg_name_index *index, const struct gg_names *names);

#endif
