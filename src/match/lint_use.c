#include "match/lint_use.h"
#include "base/map.h"

#include <inttypes.h>
#include <string.h>

/* Findings in own code that a rule decided. */
struct own {
    size_t count;
    const struct gg_finding *first;
    const struct gg_frame *frame;
};

struct use {
    struct gg_concerns *concerns;
    const struct gg_report *report;
    bool whole;           /* are the reports all there, and whole? */
    struct gg_map own;    /* by address of the rule */
    struct gg_map online; /* by name: a suppression that valgrind itself used */
};

/* --- own code --------------------------------------------------------------------------- */

/* The innermost frame that is somebody's: neither valgrind's malloc nor the C library. NULL: none.
 */
static const struct gg_frame *innermost(const struct gg_finding *finding)
{
    if (finding->stack_count == 0 || finding->stacks[0].role != GG_ROLE_ERROR)
        return NULL;
    for (size_t i = 0; i < finding->stacks[0].len; i++) {
        const struct gg_frame *frame = finding->stacks[0].frames[i];
        if (frame->zone != GG_ZONE_TOOL && frame->zone != GG_ZONE_SYSTEM)
            return frame;
    }
    return NULL;
}

static void note_own(struct use *use, const struct gg_finding *finding)
{
    const struct gg_frame *frame = finding->rule ? innermost(finding) : NULL;
    if (!frame || frame->zone != GG_ZONE_OWN)
        return;
    void **slot = gg_map_put(&use->own, &finding->rule, sizeof finding->rule);
    struct own *own = *slot;
    if (!own) {
        own = *slot = gg_arena_alloc(use->concerns->arena, sizeof *own);
        own->first = finding;
        own->frame = frame;
    }
    own->count++;
}

static void check_own(struct use *use, const struct gg_rule *rule)
{
    void **slot = gg_map_find(&use->own, &rule, sizeof rule);
    if (!slot || rule->reason || rule->action == GG_ACTION_UPGRADE ||
        rule->action == GG_ACTION_FAIL)
        return;
    const struct own *own = *slot;
    gg_concerns_advise(
        use->concerns, rule, "own-code",
        "it sets aside %zu finding%s that happened in own code, as in %s (%s:%" PRIu32
        "): mend that, or write down why it has to stay, as its reason",
        own->count, own->count == 1 ? "" : "s",
        own->frame->function ? own->frame->function : "an unnamed function",
        own->frame->path ? own->frame->path : "?", own->frame->line);
}

/* --- use -------------------------------------------------------------------------------- */

static void note_online(struct use *use)
{
    for (size_t i = 0; i < use->report->supp_use_count; i++) {
        const struct gg_supp_use *online = &use->report->supp_uses[i];
        *gg_map_put(&use->online, online->name, strlen(online->name)) = (void *)online;
    }
}

/* What a rule itself makes no secret of: that it is not for all runs. */
static bool is_scoped(const struct gg_condition *condition)
{
    return condition->tests || condition->test || condition->branches || condition->command;
}

/* " (a, b, ...)": the tests that need a rule; "" when the runs are of none. */
static const char *tests_of(struct use *use, const struct gg_rule *rule)
{
    enum { MOST = 3 };
    const char *list = "", *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < rule->run_count && count <= MOST; i++) {
        const char *test = use->report->runs[rule->runs[i]].test;
        if (!test || (last && strcmp(last, test) == 0))
            continue;
        list = gg_arena_printf(use->concerns->arena, "%s%s%s", list, count ? ", " : "",
                               count < MOST ? test : "...");
        last = test;
        count++;
    }
    return count ? gg_arena_printf(use->concerns->arena, " (%s)", list) : "";
}

static void check_unused(struct use *use, const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    if (entry->supp && gg_map_find(&use->online, rule->id, strlen(rule->id)))
        gg_concerns_advise(use->concerns, rule, "used-by-valgrind",
                           "valgrind itself used a suppression of this name, so what it would fit "
                           "is in no report: hand the file to one of the two");
    else if (entry->condition.branches)
        gg_concerns_advise(use->concerns, rule, "unused",
                           "no finding of these reports fits it, on the branch at hand");
    else if (entry->outsider)
        gg_concerns_fault(use->concerns, rule, "unused",
                          "its finding is also shown by %s%s, which the rule is not for: name that "
                          "test, too, or mend what it shows",
                          entry->outsider->test ? "test " : "",
                          entry->outsider->test ? entry->outsider->test : entry->outsider->source);
    else if (!use->whole)
        gg_concerns_fault(use->concerns, rule, "unused",
                          "no finding of these reports fits it, but they are not whole: look again "
                          "when they are");
    else
        gg_concerns_fault(use->concerns, rule, "unused",
                          "no finding of these reports fits it: remove it, unless other runs "
                          "need it");
}

/* Is it told already that the rule which decides in its place asks for the same? */
static bool is_twin(struct use *use, const struct gg_rule *rule)
{
    void **first = gg_map_find(&use->concerns->twins, &rule, sizeof rule);
    return first && *first == rule->shadow;
}

static void check_use(struct use *use, const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    if (entry->supp && entry->supp->never)
        return;
    if (rule->state == GG_RULE_UNUSED)
        check_unused(use, entry);
    else if (rule->state == GG_RULE_SHADOWED && !is_twin(use, rule))
        gg_concerns_fault(use->concerns, rule, "shadowed",
                          "it never decides: \"%s\" (%s:%" PRIu32 ") comes first for what it fits; "
                          "remove one of them, or narrow the first",
                          rule->shadow->id, rule->shadow->file, rule->shadow->line);
    else if (rule->state == GG_RULE_USED && !is_scoped(&entry->condition) &&
             rule->run_count < use->report->run_count)
        gg_concerns_advise(use->concerns, rule, "some-runs", "only %zu of %zu runs need%s it%s",
                           rule->run_count, use->report->run_count, rule->run_count == 1 ? "s" : "",
                           tests_of(use, rule));
}

void gg_lint_use(struct gg_concerns *concerns, struct gg_entry *const *entries, size_t count,
                 const struct gg_report *report)
{
    struct use use = {.concerns = concerns, .report = report, .whole = gg_report_is_whole(report)};
    note_online(&use);
    for (size_t i = 0; i < report->finding_count; i++)
        note_own(&use, &report->findings[i]);
    for (size_t i = 0; i < count; i++) {
        if (gg_rule_is_of_pack(&entries[i]->rule))
            continue;
        check_use(&use, entries[i]);
        check_own(&use, &entries[i]->rule);
    }
    gg_map_free(&use.own);
    gg_map_free(&use.online);
}
