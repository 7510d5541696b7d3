#include "gate/decide.h"
#include "base/str.h"
#include "model/rule_story.h"

#include <string.h>

/* "Killed by SIGTERM": signals that are sent to a program (a test that stops its server), so they
 * are told but fail nothing. By any other signal a program ends through its own fault. */
static bool is_sent(const struct gg_finding *finding)
{
    static const char *const names[] = {"SIGTERM", "SIGINT",  "SIGHUP",  "SIGQUIT",   "SIGKILL",
                                        "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGUSR2",   "SIGPROF",
                                        "SIGIO",   "SIGPWR",  "SIGXCPU", "SIGVTALRM", "SIGXFSZ"};
    struct gg_str text = gg_str(finding->message);
    if (!gg_str_starts(text, "Killed by "))
        return false;
    text = gg_str_n(text.ptr + strlen("Killed by "),
                    strcspn(finding->message + strlen("Killed by "), ": "));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (gg_str_is(text, names[i]))
            return true;
    }
    return false;
}

static enum gg_severity severity_of(const struct gg_finding *finding)
{
    if (finding->kind == GG_KIND_FatalSignal && is_sent(finding))
        return GG_NOTE;
    return gg_kind_table[finding->kind].severity;
}

static bool is_external(const struct gg_options *options, const struct gg_finding *finding,
                        const char **why)
{
    if (!finding->has_site) {
        *why = "no frame is a line of this repository";
        return true;
    }
    if (finding->site.via != GG_VIA_ERROR && options->auxiliary == GG_AUXILIARY_EXTERNAL) {
        *why = "the error's own stack passes no line of this repository, and policy says that the "
               "other stacks do not count";
        return true;
    }
    return false;
}

/* --- rules ------------------------------------------------------------------------------ */

static const char *name_rule(struct gg_arena *arena, const struct gg_rule *rule)
{
    return rule->line ? gg_arena_printf(arena, "\"%s\" (%s:%u)", rule->id, rule->file,
                                        (unsigned)rule->line)
                      : gg_arena_printf(arena, "\"%s\" (%s)", rule->id, rule->file);
}

static bool makes_less(const struct gg_rule *rule)
{
    return rule->action == GG_ACTION_SUPPRESS || rule->action == GG_ACTION_DOWNGRADE;
}

/* The rule that acts; what a change allows itself does not count when rules are strict. */
static const struct gg_rule *acting_rule(const struct gg_options *options,
                                         const struct gg_finding *finding)
{
    const struct gg_rule *rule = finding->rule;
    return rule && finding->hidden_by_change && options->strict_rules && makes_less(rule) ? NULL
                                                                                          : rule;
}

static enum gg_severity changed_severity(enum gg_action action, enum gg_severity severity)
{
    if (action == GG_ACTION_DOWNGRADE)
        return severity == GG_ERROR ? GG_WARNING : GG_NOTE;
    if (action == GG_ACTION_UPGRADE)
        return severity == GG_NOTE ? GG_WARNING : GG_ERROR;
    return action == GG_ACTION_FAIL ? GG_ERROR : severity;
}

/* "a; b", either may be NULL. */
static const char *join(struct gg_arena *arena, const char *a, const char *b)
{
    return a && b ? gg_arena_printf(arena, "%s; %s", a, b) : a ? a : b;
}

/* What the rule did. */
static const char *explain_rule(struct gg_arena *arena, const struct gg_finding *finding,
                                enum gg_severity was)
{
    const struct gg_rule *rule = finding->rule;
    const char *name = name_rule(arena, rule), *now = gg_severity_name(finding->severity);
    const char *story = gg_rule_story(arena, rule);
    if (rule->action == GG_ACTION_SUPPRESS)
        return gg_arena_printf(arena, "suppressed by %s%s", name, story);
    if (rule->action == GG_ACTION_FAIL)
        return gg_arena_printf(arena, "%s makes it fail%s", name, story);
    if (finding->severity == was)
        return gg_arena_printf(arena, "%s %ss it, but %s is the %s severity%s", name,
                               gg_action_name(rule->action), now,
                               rule->action == GG_ACTION_UPGRADE ? "highest" : "lowest", story);
    return gg_arena_printf(arena, "%s %ss it from %s to %s%s", name, gg_action_name(rule->action),
                           gg_severity_name(was), now, story);
}

/* What is to be known of the rule beside what it did; NULL: nothing. */
static const char *explain_doubts(struct gg_arena *arena, const struct gg_options *options,
                                  const struct gg_finding *finding)
{
    const char *doubt = NULL;
    if (finding->approximate)
        doubt = "the match is approximate, because the report has demangled names only";
    if (finding->hidden_by_change && makes_less(finding->rule) && !options->strict_rules)
        doubt = join(arena, doubt,
                     gg_arena_printf(arena, "hidden only by this change's edits of %s",
                                     finding->rule->file));
    return doubt;
}

/* A malformed rule decides nothing, whatever it was meant to do. */
static const char *explain_malformed(struct gg_arena *arena, const struct gg_rule *rule)
{
    static const char *const would[] = {[GG_ACTION_SUPPRESS] = "would suppress it",
                                        [GG_ACTION_DOWNGRADE] = "would downgrade it",
                                        [GG_ACTION_UPGRADE] = "would upgrade it",
                                        [GG_ACTION_FAIL] = "would make it fail"};
    static const char *const may[] = {[GG_ACTION_SUPPRESS] = "may have hidden it",
                                      [GG_ACTION_DOWNGRADE] = "may have downgraded it",
                                      [GG_ACTION_UPGRADE] = "may have upgraded it",
                                      [GG_ACTION_FAIL] = "may have made it fail"};
    return gg_arena_printf(arena, "%s %s, but is malformed: %s", name_rule(arena, rule),
                           rule->unclear ? may[rule->action] : would[rule->action],
                           rule->fault ? rule->fault : "it cannot be understood");
}

/* The rule that would have decided it and does no longer; NULL: none. */
static const char *explain_lapsed(struct gg_arena *arena, const struct gg_finding *finding)
{
    static const char *const did[] = {[GG_ACTION_SUPPRESS] = "suppressed it",
                                      [GG_ACTION_DOWNGRADE] = "downgraded it",
                                      [GG_ACTION_UPGRADE] = "upgraded it",
                                      [GG_ACTION_FAIL] = "made it fail"};
    const struct gg_rule *rule = finding->lapsed;
    if (!rule)
        return NULL;
    if (rule->state == GG_RULE_MALFORMED)
        return explain_malformed(arena, rule);
    return gg_arena_printf(arena, "%s %s until %s, its last day", name_rule(arena, rule),
                           did[rule->action], rule->expires ? rule->expires : "a day that is over");
}

static const char *explain_strict(struct gg_arena *arena, const struct gg_options *options,
                                  const struct gg_finding *finding)
{
    if (!finding->rule || acting_rule(options, finding))
        return NULL;
    return gg_arena_printf(arena, "hidden only by this change's edits of %s", finding->rule->file);
}

/* --- all of it -------------------------------------------------------------------------- */

/* The fate without regard to rules that suppress; NULL where nothing is to be said of it. */
static const char *judge(struct gg_arena *arena, const struct gg_options *options,
                         struct gg_finding *finding, const struct gg_rule *rule)
{
    const char *why = NULL;
    bool external = is_external(options, finding, &why);
    bool must_fail = rule && rule->action == GG_ACTION_FAIL;
    finding->fate = GG_OPEN;
    if (external && !must_fail && options->external != GG_EXTERNAL_FAIL)
        finding->fate = GG_EXTERNAL;
    else if (external && !must_fail)
        why = gg_arena_printf(arena, "%s, and external findings count", why);
    return why;
}

static void decide(struct gg_arena *arena, const struct gg_options *options,
                   struct gg_finding *finding)
{
    const struct gg_rule *rule = acting_rule(options, finding);
    enum gg_severity was = severity_of(finding);
    finding->severity = rule ? changed_severity(rule->action, was) : was;
    const char *why = NULL;
    if (rule && rule->action == GG_ACTION_SUPPRESS)
        finding->fate = GG_SUPPRESSED;
    else
        why = join(arena, judge(arena, options, finding, rule), explain_lapsed(arena, finding));
    if (rule)
        why = join(arena, join(arena, why, explain_rule(arena, finding, was)),
                   explain_doubts(arena, options, finding));
    why = join(arena, why, explain_strict(arena, options, finding));
    finding->why = why ? why : "nothing sets it aside";
}

void gg_decide_fates(struct gg_arena *arena, const struct gg_options *options,
                     struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
        decide(arena, options, &report->findings[i]);
}

bool gg_decide_fails(const struct gg_options *options, const struct gg_finding *finding)
{
    static const enum gg_severity bars[] = {[GG_FAIL_ON_NOTE] = GG_NOTE,
                                            [GG_FAIL_ON_WARNING] = GG_WARNING,
                                            [GG_FAIL_ON_ERROR] = GG_ERROR};
    return finding->fate == GG_OPEN && options->fail_on != GG_FAIL_NEVER &&
           finding->severity >= bars[options->fail_on];
}
