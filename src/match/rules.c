#include "match/rules.h"
#include "match/engine.h"
#include "match/ledger.h"
#include "match/rule_file.h"

struct gg_rules {
    struct gg_arena *arena;
    struct gg_rules_context context;
    gg_entry_list entries;
    GG_VEC(struct gg_rule *) list; /* the rules of the entries */
};

struct gg_rules *gg_rules_new(struct gg_arena *arena, const struct gg_rules_context *context)
{
    struct gg_rules *rules = gg_arena_alloc(arena, sizeof *rules);
    rules->arena = arena;
    rules->context = *context;
    return rules;
}

/* The last day still counts. */
static bool is_over(const struct gg_rule *rule, int64_t today)
{
    int64_t last;
    return rule->expires && gg_rule_day(gg_str(rule->expires), &last) && last < today;
}

/* Lists what was added behind the entry `first`. */
static void enlist(struct gg_rules *rules, size_t first)
{
    for (size_t i = first; i < rules->entries.len; i++) {
        struct gg_rule *rule = &rules->entries.at[i]->rule;
        rule->state = rule->fault                           ? GG_RULE_MALFORMED
                      : is_over(rule, rules->context.today) ? GG_RULE_EXPIRED
                                                            : GG_RULE_UNUSED;
        *gg_vec_push(rules->arena, &rules->list) = rule;
    }
}

bool gg_rules_add_json(struct gg_rules *rules, const char *name, struct gg_str text,
                       struct gg_error *err)
{
    size_t first = rules->entries.len;
    if (!gg_rule_file_parse(rules->arena, gg_arena_strdup(rules->arena, name), text,
                            &rules->entries, err)) {
        rules->entries.len = first;
        return false;
    }
    enlist(rules, first);
    return true;
}

/* Parses up to the end, or to what makes valgrind refuse the file. */
static bool add_blocks(struct gg_rules *rules, struct gg_supp_parser *parser, struct gg_error *err)
{
    struct gg_supp *supp;
    while ((supp = gg_supp_parse(parser, err))) {
        struct gg_entry *entry = gg_entry_of_supp(rules->arena, supp);
        gg_rule_describe(rules->arena, supp, entry);
        *gg_vec_push(rules->arena, &rules->entries) = entry;
    }
    return !err->set;
}

bool gg_rules_add_supp(struct gg_rules *rules, const char *name, struct gg_str text,
                       struct gg_error *err)
{
    size_t first = rules->entries.len;
    struct gg_error refused = {0};
    name = gg_arena_strdup(rules->arena, name);
    if (!add_blocks(rules, gg_supp_parser_new(rules->arena, name, text), &refused)) {
        rules->entries.len = first;
        gg_error_set(err, "%s", refused.text);
        return false;
    }
    enlist(rules, first);
    return true;
}

const struct gg_supp_fault *gg_rules_salvage_supp(struct gg_rules *rules, const char *name,
                                                  struct gg_str text, size_t *fault_count)
{
    size_t first = rules->entries.len;
    GG_VEC(struct gg_supp_fault) faults = {0};
    name = gg_arena_strdup(rules->arena, name);
    struct gg_supp_parser *parser = gg_supp_parser_new(rules->arena, name, text);
    for (struct gg_error err = {0}; !add_blocks(rules, parser, &err); err.set = false)
        *gg_vec_push(rules->arena, &faults) = gg_supp_recover(parser);
    enlist(rules, first);
    *fault_count = faults.len;
    return faults.at;
}

/* --- deciding --------------------------------------------------------------------------- */

struct decision {
    struct gg_rules *rules;
    struct gg_engine *engine;
    struct gg_ledger *ledger;
    struct gg_condition_context context;
};

static bool is_live(const struct gg_rule *rule)
{
    return rule->state != GG_RULE_EXPIRED && rule->state != GG_RULE_MALFORMED;
}

/* The first live rule decides. One before it that is live no more would have. An unclear one is
 * only a guess, so it is no entry of the ledger, and anything that is known goes before it. */
static void offer(struct decision *decision, struct gg_finding *finding, uint32_t index)
{
    struct gg_rule *rule = &decision->rules->entries.at[index]->rule;
    if (!finding->rule && is_live(rule)) {
        finding->rule = rule;
        finding->approximate = gg_engine_approximate(decision->engine, index);
        if (finding->lapsed && finding->lapsed->unclear)
            finding->lapsed = NULL;
    } else if (!finding->rule &&
               (!finding->lapsed || (finding->lapsed->unclear && !rule->unclear))) {
        finding->lapsed = rule;
    }
    if (!rule->unclear)
        gg_ledger_enter(decision->ledger, index, finding);
}

static void decide(struct decision *decision, struct gg_finding *finding)
{
    size_t count;
    const uint32_t *fits = gg_engine_match(decision->engine, finding, &count);
    finding->rule = finding->lapsed = NULL;
    finding->approximate = false;
    for (size_t i = 0; i < count; i++) {
        struct gg_entry *entry = decision->rules->entries.at[fits[i]];
        if (gg_condition_holds(&entry->condition, finding, &decision->context,
                               decision->rules->arena, NULL))
            offer(decision, finding, fits[i]);
        else if (!entry->outsider)
            entry->outsider = gg_condition_outsider(&entry->condition, finding, &decision->context);
    }
}

void gg_rules_apply(struct gg_rules *rules, const struct gg_report *report)
{
    if (rules->entries.len == 0)
        return;
    struct decision decision = {.rules = rules, .context = {.report = report}};
    if (rules->context.branch)
        decision.context.branch = gg_str(rules->context.branch);
    decision.engine = gg_engine_new(rules->arena, rules->entries.at, rules->entries.len, report);
    decision.ledger = gg_ledger_new(rules->arena, rules->entries.at, rules->entries.len);
    for (size_t i = 0; i < report->finding_count; i++)
        decide(&decision, &report->findings[i]);
    gg_ledger_close(decision.ledger);
    for (size_t i = 0; i < rules->entries.len; i++)
        rules->entries.at[i]->rule.gave_up = gg_rule_gave_up(rules->entries.at[i]);
}

struct gg_entry **gg_rules_entries(struct gg_rules *rules, size_t *count)
{
    *count = rules->entries.len;
    return rules->entries.at;
}

struct gg_rule **gg_rules_list(struct gg_rules *rules, size_t *count)
{
    *count = rules->list.len;
    return rules->list.at;
}
