#include "write/rule_text.h"
#include "model/rule_story.h"

#include <inttypes.h>
#include <string.h>

enum { STATES = GG_RULE_MALFORMED + 1 };

bool gg_rule_text_is_spare(const struct gg_rule *rule)
{
    bool idle = rule->state == GG_RULE_UNUSED || rule->state == GG_RULE_SHADOWED;
    return idle && gg_rule_is_of_pack(rule);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *gg_rule_text_summary(struct gg_arena *arena, const struct gg_report *report)
{
    /* What needs a look first. */
    static const enum gg_rule_state order[] = {GG_RULE_MALFORMED, GG_RULE_EXPIRED, GG_RULE_SHADOWED,
                                               GG_RULE_UNUSED};
    size_t counts[STATES] = {0}, total = 0;
    const char *list = NULL;
    for (size_t i = 0; i < report->rule_count; i++) {
        const struct gg_rule *rule = report->rules[i];
        bool counted = !gg_rule_text_is_spare(rule);
        counts[rule->state] += counted;
        total += counted;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (counts[order[i]])
            list = gg_arena_printf(arena, "%s%s%zu %s", list ? list : "", list ? ", " : "",
                                   counts[order[i]], gg_rule_state_name(order[i]));
    }
    if (list)
        return gg_arena_printf(arena, "%zu, of which %s; grindgate rules test says more", total,
                               list);
    return total ? gg_arena_printf(arena, "%zu, %sused", total, total == 1 ? "" : "all ") : NULL;
}

/* " [broad, some-runs]"; what the state says already is left out; "" when there are none. */
static const char *concerns_of(struct gg_arena *arena, const struct gg_rule *rule)
{
    const char *list = NULL;
    for (const char *const *kind = rule->concerns; kind && *kind; kind++) {
        if (strcmp(*kind, gg_rule_state_name(rule->state)) != 0)
            list = gg_arena_printf(arena, "%s%s%s", list ? list : "", list ? ", " : "", *kind);
    }
    return list ? gg_arena_printf(arena, " [%s]", list) : "";
}

/* What it did, beside its state. */
static const char *deeds_of(struct gg_arena *arena, const struct gg_rule *rule)
{
    if (rule->shadow)
        return gg_arena_printf(arena, ": behind %s (%s:%" PRIu32 ")", rule->shadow->id,
                               rule->shadow->file, rule->shadow->line);
    if (rule->hits == 0)
        return "";
    return gg_arena_printf(arena, ": %" PRIu64 " finding%s, seen %" PRIu64 " time%s in %zu run%s",
                           rule->hits, plural(rule->hits), rule->occurrences,
                           plural(rule->occurrences), rule->run_count, plural(rule->run_count));
}

const char *gg_rule_text_row(struct gg_arena *arena, const struct gg_rule *rule)
{
    const char *head =
        gg_arena_printf(arena, "%s: %s (%s:%" PRIu32 ")", gg_rule_state_name(rule->state), rule->id,
                        rule->file, rule->line);
    return gg_arena_printf(arena, "%s%s%s", head, deeds_of(arena, rule), concerns_of(arena, rule));
}

static const char *place_of(struct gg_arena *arena, const struct gg_finding *finding)
{
    const struct gg_site *site = &finding->site;
    if (!finding->has_site)
        return finding->kind_name;
    return gg_arena_printf(arena, "%s:%" PRIu32 "%s%s", site->path, site->line,
                           site->function ? " in " : "", site->function ? site->function : "");
}

const char *gg_rule_text_hidden(struct gg_arena *arena, const struct gg_finding *finding)
{
    const struct gg_rule *rule = finding->rule;
    const char *what = gg_arena_printf(arena, "%s: %s [%s]", place_of(arena, finding),
                                       finding->message, finding->id);
    if (!rule)
        return gg_arena_printf(arena, "%s, by a rule that is gone", what);
    return gg_arena_printf(arena, "%s, by \"%s\" (%s:%" PRIu32 ")%s", what, rule->id, rule->file,
                           rule->line, gg_rule_story(arena, rule));
}

const char *gg_rule_text_use(struct gg_arena *arena, const struct gg_supp_use *use)
{
    return gg_arena_printf(arena, "%s: %" PRIu64 " time%s in %zu run%s", use->name, use->count,
                           plural(use->count), use->run_count, plural(use->run_count));
}
