#include "write/rule_json.h"

void gg_rule_json_put(struct gg_json *json, const char *key, const struct gg_rule *rule)
{
    gg_json_key(json, key);
    if (!rule) {
        gg_json_null(json);
        return;
    }
    gg_json_object(json);
    gg_json_put_string(json, "id", rule->id);
    gg_json_put_string(json, "file", rule->file);
    gg_json_put_uint(json, "line", rule->line);
    gg_json_put_string(json, "reason", rule->reason);
    gg_json_end_object(json);
}

static void put_runs(struct gg_json *json, const uint32_t *runs, size_t count)
{
    gg_json_key(json, "runs");
    gg_json_array_inline(json);
    for (size_t i = 0; i < count; i++)
        gg_json_uint(json, runs[i]);
    gg_json_end_array(json);
}

/* What another rule's entry says of this one. */
static void put_shadow(struct gg_json *json, const struct gg_rule *shadow)
{
    gg_json_key(json, "shadow");
    if (!shadow) {
        gg_json_null(json);
        return;
    }
    gg_json_object_inline(json);
    gg_json_put_string(json, "id", shadow->id);
    gg_json_put_string(json, "file", shadow->file);
    gg_json_put_uint(json, "line", shadow->line);
    gg_json_end_object(json);
}

static void put_concerns(struct gg_json *json, const char *const *kinds)
{
    gg_json_key(json, "concerns");
    gg_json_array_inline(json);
    for (; kinds && *kinds; kinds++)
        gg_json_string(json, *kinds);
    gg_json_end_array(json);
}

static void put_entry(struct gg_json *json, const struct gg_rule *rule)
{
    gg_json_object_inline(json);
    gg_json_put_string(json, "id", rule->id);
    gg_json_put_string(json, "file", rule->file);
    gg_json_put_uint(json, "line", rule->line);
    gg_json_put_uint(json, "hits", rule->hits);
    gg_json_put_string(json, "state", gg_rule_state_name(rule->state));
    gg_json_put_uint(json, "matches", rule->matches);
    gg_json_put_uint(json, "occurrences", rule->occurrences);
    put_runs(json, rule->runs, rule->run_count);
    gg_json_put_string(json, "action", gg_action_name(rule->action));
    gg_json_put_string(json, "reason", rule->reason);
    gg_json_put_string(json, "owner", rule->owner);
    gg_json_put_string(json, "ticket", rule->ticket);
    gg_json_put_string(json, "expires", rule->expires);
    gg_json_put_string(json, "fault", rule->fault);
    put_shadow(json, rule->shadow);
    put_concerns(json, rule->concerns);
    gg_json_end_object(json);
}

void gg_rule_json_put_ledger(struct gg_json *json, const struct gg_report *report)
{
    gg_json_key(json, "rules");
    gg_json_array(json);
    for (size_t i = 0; i < report->rule_count; i++)
        put_entry(json, report->rules[i]);
    gg_json_end_array(json);
}

void gg_rule_json_put_uses(struct gg_json *json, const struct gg_report *report)
{
    gg_json_key(json, "valgrind_suppressions");
    gg_json_array(json);
    for (size_t i = 0; i < report->supp_use_count; i++) {
        const struct gg_supp_use *use = &report->supp_uses[i];
        gg_json_object_inline(json);
        gg_json_put_string(json, "name", use->name);
        gg_json_put_uint(json, "count", use->count);
        put_runs(json, use->runs, use->run_count);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}
