/*
 * Likeness: all that a rule asks of findings, as bytes. Two rules with the same bytes fit the same
 * findings, whatever they are called.
 */
#ifndef GG_MATCH_LIKENESS_H
#define GG_MATCH_LIKENESS_H

#include "base/arena.h"
#include "match/entry.h"

struct gg_str gg_likeness(struct gg_arena *arena, const struct gg_entry *entry);

#endif
