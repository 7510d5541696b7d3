/*
 * Rule match: the "match" of a JSON rule, what it asks of a finding.
 */
#ifndef GG_MATCH_RULE_MATCH_H
#define GG_MATCH_RULE_MATCH_H

#include "match/entry.h"

struct json_t;

/* Fills steps and condition with what is understood; the first that is not sets the error, makes
 * the rule unclear, and may be anything: it asks for nothing. Where not even a key is known, the
 * entry fits no finding. */
void gg_rule_read_match(struct gg_arena *arena, struct json_t *match, struct gg_entry *entry,
                        struct gg_error *fault);

/* Is it one of these? If not, *near is the one that it may have been meant for, or NULL. */
bool gg_rule_is_key(const char *key, const char *const *keys, const char **near);

/* Unknown keys of an object are a fault. `place` is for the message: "" or "match: ". Returns the
 * key that the first of them may have been meant for, or NULL. */
const char *gg_rule_check_keys(struct json_t *object, const char *place, const char *const *keys,
                               struct gg_error *fault);

/* A list of globs, ended by an empty one; NULL when it is none, or one of them is none. */
const struct gg_str *gg_rule_read_globs(struct gg_arena *arena, const char *key,
                                        struct json_t *list, struct gg_error *fault);

/* The text of a string that is not empty; false, with a fault, when it is none. */
bool gg_rule_read_text(struct gg_arena *arena, const char *key, struct json_t *value,
                       struct gg_str *text, struct gg_error *fault);

#endif
