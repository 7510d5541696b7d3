/*
 * Roots: where the repository lay on the machine that built the program, learned from the paths
 * that could be matched without doubt, for those that could not.
 *
 * When /build/src/parse.c can only be lib/src/parse.c, then /build/src/util.c is that of lib, too,
 * though the repository has other files that end in src/util.c, and /build/main.c is lib/main.c.
 */
#ifndef GG_LOCATE_ROOTS_H
#define GG_LOCATE_ROOTS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "locate/index.h"

struct gg_roots {
    struct gg_arena *arena;
    struct gg_map by_dir;  /* foreign directory -> the best of its votes */
    struct gg_map by_pair; /* foreign directory, NUL, own directory -> votes */
};

/* The absolute foreign path is this tracked file. */
void gg_roots_learn(struct gg_roots *roots, struct gg_str path, const struct gg_tail *tail);

/* The tracked file at the place of a foreign path, below the innermost learned directory that has
 * one: a directory lies where most of its votes put it, and nowhere when two places are even. NULL
 * when there is none. */
const char *gg_roots_find(const struct gg_roots *roots, struct gg_arena *arena,
                          const struct gg_index *index, struct gg_str path);

void gg_roots_free(struct gg_roots *roots);

#endif
