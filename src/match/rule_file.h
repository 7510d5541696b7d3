/*
 * Rule file: rules in JSON (schemas/rules-1.schema.json; for people: docs/rules.md).
 *
 *     {"version": 1, "rules": [
 *       {"id": "libfoo-cache", "reason": "freed by nobody, once", "owner": "net-team",
 *        "expires": "2030-01-31", "action": "suppress",
 *        "match": {"kinds": ["leak"], "frames": [{"function": "^foo_cache_", "within": 5}]}}]}
 *
 * A file that is no such JSON is refused as a whole. A rule that says something which cannot be
 * understood (no reason, a regular expression that is none, an unknown key) is kept as malformed:
 * it decides nothing, and what of it is understood tells which findings it would have decided.
 */
#ifndef GG_MATCH_RULE_FILE_H
#define GG_MATCH_RULE_FILE_H

#include "base/vec.h"
#include "match/entry.h"

typedef GG_VEC(struct gg_entry *) gg_entry_list;

/* Appends the rules of the file. `name` is for messages, and must stay. */
bool gg_rule_file_parse(struct gg_arena *arena, const char *name, struct gg_str text,
                        gg_entry_list *entries, struct gg_error *err);

/* "2030-01-31" -> days since 1970-01-01. false when it is no day of the calendar. */
bool gg_rule_day(struct gg_str text, int64_t *day);

/* What the metadata of a suppression makes of its rule: fills rule and condition, or rule.fault. */
void gg_rule_describe(struct gg_arena *arena, const struct gg_supp *supp, struct gg_entry *entry);

/* Did one of its expressions reach the limits of matching? Then it may have missed a finding. */
bool gg_rule_gave_up(const struct gg_entry *entry);

#endif
