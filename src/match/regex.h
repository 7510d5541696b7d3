/*
 * Regex: a regular expression of a rule (PCRE2), searched for in a name.
 *
 * Compiled with JIT where there is one. Matching has limits (steps, depth, heap), so that no
 * expression can hang the gate: one that reaches them does not match, and says so; what the
 * expression itself says of limits cannot lift them. Closed with the arena.
 */
#ifndef GG_MATCH_REGEX_H
#define GG_MATCH_REGEX_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/error.h"

struct gg_regex;

/* NULL with "at offset N: reason" when it is none. UTF-8 where the text is valid UTF-8, else bytes.
 */
struct gg_regex *gg_regex_new(struct gg_arena *arena, struct gg_str text, struct gg_error *err);

/* Is there a place in the text that it matches? */
bool gg_regex_match(struct gg_regex *regex, struct gg_str text);

/* The same, with the answers remembered: equal text is matched once. For texts of which there are
 * few: messages, tests, commands. */
bool gg_regex_match_once(struct gg_regex *regex, struct gg_str text);

/* Did a match reach the limits? Then what it was asked about may be wrong by a "no". */
bool gg_regex_gave_up(const struct gg_regex *regex);

/* How often it was matched, for tests and the bench. */
uint64_t gg_regex_runs(const struct gg_regex *regex);

/* The expression as it was written. */
struct gg_str gg_regex_text(const struct gg_regex *regex);

#endif
