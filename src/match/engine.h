/*
 * Engine: which of many rules have steps that a stack meets, without trying every rule.
 *
 * The names of a report are far fewer than its frames, and most rules name something that the
 * report does not have. So: every pattern is tried once on the distinct names (wildcards through an
 * index of their literal pieces, regular expressions one by one); a rule whose rarest pattern fits
 * no name of a stack is not looked at; the others are run over the frames with one bit a step.
 * Results are the same as those of trying every rule with gg_sequence_match, which tests and the
 * bench check.
 */
#ifndef GG_MATCH_ENGINE_H
#define GG_MATCH_ENGINE_H

#include "base/arena.h"
#include "grindgate/model.h"
#include "match/entry.h"

struct gg_engine;

/* For these entries and the stacks of this report; both stay as they are while it lives. Closed
 * with the arena. */
struct gg_engine *gg_engine_new(struct gg_arena *arena, struct gg_entry *const *entries,
                                size_t entry_count, const struct gg_report *report);

/* Indexes of the entries whose kind, extra line and steps the finding meets (of conditions only the
 * kinds are looked at), ascending; good until the next call. A finding that is none of the report's
 * is matched as well, by trying every entry. */
const uint32_t *gg_engine_match(struct gg_engine *engine, const struct gg_finding *finding,
                                size_t *count);

/* Was the last result of this entry reached only because a demangled name was taken for the
 * linker's (the report has no other)? Such a match is approximate. */
bool gg_engine_approximate(const struct gg_engine *engine, uint32_t entry);

#endif
