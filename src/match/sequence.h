/*
 * Sequence: do the frames of a trace meet the steps of one entry? The plain matcher: it defines
 * what the engine must find, tells near misses how far a rule got, and proves suggestions.
 */
#ifndef GG_MATCH_SEQUENCE_H
#define GG_MATCH_SEQUENCE_H

#include "match/entry.h"
#include "match/trace.h"

enum gg_fit {
    GG_FIT_NONE,
    GG_FIT_APPROXIMATE, /* only if demangled names are taken for the linker's */
    GG_FIT_EXACT
};

/* How far the attempt came that met most steps; of several the first, at the innermost frames. */
struct gg_reach {
    size_t met;   /* steps */
    size_t count; /* of the steps that count; SIZE_MAX: see gg_entry_steps */
    size_t frame; /* where the first unmet step failed: the frame, or how many there are when the
                     stack ended before it; good while met < count */
};

/* The steps alone: neither the kind of error nor other conditions. `reach` may be NULL. */
enum gg_fit gg_sequence_match(const struct gg_entry *entry, const struct gg_trace *trace,
                              struct gg_reach *reach);

/* Does the frame pass one test of a step? */
enum gg_fit gg_sequence_fit(const struct gg_pattern *pattern, const struct gg_trace *trace,
                            size_t frame);

#endif
