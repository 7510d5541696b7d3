/*
 * Ledger: what each rule did to the findings of a report, counted while they are decided.
 *
 * Writes hits, matches, occurrences, runs, shadow and state of the rules.
 */
#ifndef GG_MATCH_LEDGER_H
#define GG_MATCH_LEDGER_H

#include "base/arena.h"
#include "match/entry.h"

struct gg_ledger;

/* Everything it gives lives in the arena. */
struct gg_ledger *gg_ledger_new(struct gg_arena *arena, struct gg_entry *const *entries,
                                size_t count);

/* The finding fits the entry of this index. finding->rule is the rule that decides it, which may
 * be this one, or NULL when none did so far. */
void gg_ledger_enter(struct gg_ledger *ledger, uint32_t entry, const struct gg_finding *finding);

/* After the last finding. */
void gg_ledger_close(struct gg_ledger *ledger);

#endif
