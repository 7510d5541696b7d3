/*
 * Rule value: what JSON rules and "# gg:" comments both can say. Each function takes the text of a
 * value and, when it is none, sets an error that names the key and says what to write.
 */
#ifndef GG_MATCH_RULE_VALUE_H
#define GG_MATCH_RULE_VALUE_H

#include "match/entry.h"

/* Also sets which sightings count. Of an action that is none the nearest is taken, or else "fail",
 * for it may have been one that makes findings count. */
void gg_rule_set_action(struct gg_entry *entry, struct gg_str text, struct gg_error *err);

/* Something was said of the action, and nobody can tell what: it counts as "fail" as well. */
void gg_rule_set_unclear_action(struct gg_entry *entry);

/* The text of a day in the rule; NULL stays when it is none. */
void gg_rule_set_expires(struct gg_arena *arena, struct gg_rule *rule, struct gg_str text,
                         struct gg_error *err);

/* Is this key about the rule itself, and asks nothing of findings? NULL: no. */
bool gg_rule_is_story(const char *key);

/* A glob for `key`; false when it is none. */
bool gg_rule_check_glob(const char *key, struct gg_str glob, struct gg_error *err);

#endif
