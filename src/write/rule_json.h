/*
 * Rule JSON: rules, and what they did, in grindgate JSON.
 */
#ifndef GG_WRITE_RULE_JSON_H
#define GG_WRITE_RULE_JSON_H

#include "base/jsonio.h"
#include "grindgate/model.h"

/* A finding's rule; null when there is none. */
void gg_rule_json_put(struct gg_json *json, const char *key, const struct gg_rule *rule);

/* "rules": [...] */
void gg_rule_json_put_ledger(struct gg_json *json, const struct gg_report *report);

/* "valgrind_suppressions": [...] */
void gg_rule_json_put_uses(struct gg_json *json, const struct gg_report *report);

#endif
