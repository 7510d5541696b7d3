/*
 * Suppress: valgrind suppression files applied to findings, offline.
 *
 * Semantics and their sources: docs/suppressions.md. Writes rule of findings, state and hits of
 * rules.
 */
#ifndef GG_MATCH_SUPPRESS_H
#define GG_MATCH_SUPPRESS_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/model.h"

struct gg_suppressions;

struct gg_suppressions *gg_suppressions_new(struct gg_arena *arena);

/* Reads one file; false with file:line when valgrind would refuse it. */
bool gg_suppressions_load(struct gg_suppressions *set, const char *path, struct gg_error *err);

/* Gives every finding that has no rule yet the first one, in reading order, that matches it. */
void gg_suppressions_apply(struct gg_suppressions *set, const struct gg_report *report);

/* The rules in file and line order; good as long as the arena. */
struct gg_rule **gg_suppressions_rules(struct gg_suppressions *set, size_t *count);

#endif
