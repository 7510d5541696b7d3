/*
 * Spelling: the names of one function or object in several builds, and a wildcard for all of them.
 *
 * A compiler adds .isra.0, .part.1, .constprop.2, .cold to a function's name, a linker @@VERSION,
 * Rust a hash; a library's file ends in .so and its version.
 */
#ifndef GG_MATCH_SPELLING_H
#define GG_MATCH_SPELLING_H

#include "base/arena.h"
#include "base/str.h"

/* The name without what a compiler or linker added to it, Rust's hash excepted. */
struct gg_str gg_spelling_stem(struct gg_str name);

bool gg_spelling_same_function(struct gg_str a, struct gg_str b);

/* Whatever their directories. */
bool gg_spelling_same_object(struct gg_str a, struct gg_str b);

/* A wildcard for names that are the same. What changes with every build is a "*" even if there is
 * but one. A byte that a line of a suppression file cannot hold is a "?". */
const char *gg_spelling_function(struct gg_arena *arena, const struct gg_str *names, size_t count);
const char *gg_spelling_object(struct gg_arena *arena, const struct gg_str *names, size_t count);

#endif
