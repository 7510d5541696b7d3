/*
 * Suggest: suppressions that fit findings, and nothing else in their report.
 *
 * A block holds the frames that all sightings share, down to main: "..." stands for what differs
 * between them, a wildcard for what another build or release changes. No two have one name. What is
 * suggested is proved: the matcher has found all that is wanted, and none of the others.
 */
#ifndef GG_MATCH_SUGGEST_H
#define GG_MATCH_SUGGEST_H

#include "base/arena.h"
#include "grindgate/model.h"

/* Suggestions for the findings that are wanted, each with those it cannot be told from (the same
 * fingerprint and kind). `one`: all are sightings of one thing, which takes a block for each kind
 * line of a suppression; else each is a thing of its own. In the arena. */
struct gg_suggestion *gg_suggest_blocks(struct gg_arena *arena, const struct gg_report *report,
                                        const struct gg_finding *const *wanted, size_t wanted_count,
                                        bool one, size_t *count);

#endif
