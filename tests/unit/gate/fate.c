/* What each rule makes of a finding, and the sentence that says so. */
#include <criterion/criterion.h>
#include <string.h>

#include "gate/decide.h"

static struct gg_arena arena;
static struct gg_options options;
static struct gg_report report;
static struct gg_finding finding;
static struct gg_rule rule;

static void begin(void)
{
    gg_arena_init(&arena);
    gg_options_default(&options);
    report = (struct gg_report){.findings = &finding, .finding_count = 1};
    finding = (struct gg_finding){
        .kind = GG_KIND_InvalidRead, .message = "Invalid read of size 1", .has_site = true};
    rule = (struct gg_rule){.id = "foo", .file = "r.json", .line = 3, .state = GG_RULE_USED};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(fate, .init = begin, .fini = end);

static void expect(enum gg_fate fate, enum gg_severity severity, const char *why)
{
    gg_decide_fates(&arena, &options, &report);
    cr_expect_eq(finding.fate, fate, "%s", finding.why);
    cr_expect_eq(finding.severity, severity, "%s", finding.why);
    cr_expect_str_eq(finding.why, why);
}

static void decided_by(enum gg_action action)
{
    rule.action = action;
    finding.rule = &rule;
}

Test(fate, without_a_rule)
{
    expect(GG_OPEN, GG_ERROR, "nothing sets it aside");
    finding.has_site = false;
    expect(GG_EXTERNAL, GG_ERROR, "no frame is a line of this repository");
    options.external = GG_EXTERNAL_FAIL;
    expect(GG_OPEN, GG_ERROR, "no frame is a line of this repository, and external findings count");
}

Test(fate, suppress)
{
    decided_by(GG_ACTION_SUPPRESS);
    expect(GG_SUPPRESSED, GG_ERROR, "suppressed by \"foo\" (r.json:3)");
    finding.has_site = false;
    expect(GG_SUPPRESSED, GG_ERROR, "suppressed by \"foo\" (r.json:3)");
}

Test(fate, downgrade_takes_one_step)
{
    decided_by(GG_ACTION_DOWNGRADE);
    expect(GG_OPEN, GG_WARNING, "\"foo\" (r.json:3) downgrades it from error to warning");
    cr_expect_not(gg_decide_fails(&options, &finding));
    finding.kind = GG_KIND_Leak_PossiblyLost;
    expect(GG_OPEN, GG_NOTE, "\"foo\" (r.json:3) downgrades it from warning to note");
    finding.kind = GG_KIND_Leak_StillReachable;
    expect(GG_OPEN, GG_NOTE, "\"foo\" (r.json:3) downgrades it, but note is the lowest severity");
    finding.has_site = false;
    expect(GG_EXTERNAL, GG_NOTE,
           "no frame is a line of this repository; \"foo\" (r.json:3) downgrades it, but note is "
           "the lowest severity");
}

Test(fate, upgrade_takes_one_step)
{
    decided_by(GG_ACTION_UPGRADE);
    finding.kind = GG_KIND_Leak_StillReachable;
    expect(GG_OPEN, GG_WARNING, "\"foo\" (r.json:3) upgrades it from note to warning");
    finding.kind = GG_KIND_Leak_PossiblyLost;
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) upgrades it from warning to error");
    cr_expect(gg_decide_fails(&options, &finding));
    finding.kind = GG_KIND_InvalidRead;
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) upgrades it, but error is the highest severity");
    finding.has_site = false;
    gg_decide_fates(&arena, &options, &report);
    cr_expect_eq(finding.fate, GG_EXTERNAL, "an upgraded external finding stays external");
}

Test(fate, fail_counts_also_where_it_is_external)
{
    decided_by(GG_ACTION_FAIL);
    finding.kind = GG_KIND_Leak_StillReachable;
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) makes it fail");
    cr_expect(gg_decide_fails(&options, &finding));
    finding.has_site = false;
    options.external = GG_EXTERNAL_IGNORE;
    expect(GG_OPEN, GG_ERROR,
           "no frame is a line of this repository; \"foo\" (r.json:3) makes it fail");
    cr_expect(gg_decide_fails(&options, &finding));
}

Test(fate, a_lapsed_rule_is_named)
{
    finding.lapsed = &rule;
    rule.state = GG_RULE_EXPIRED;
    rule.expires = "2026-01-31";
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) suppressed it until 2026-01-31, its last day");
    rule.action = GG_ACTION_DOWNGRADE;
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) downgraded it until 2026-01-31, its last day");
    rule.action = GG_ACTION_FAIL;
    finding.has_site = false;
    expect(GG_EXTERNAL, GG_ERROR,
           "no frame is a line of this repository; \"foo\" (r.json:3) made it fail until "
           "2026-01-31, its last day");
    rule.state = GG_RULE_MALFORMED;
    rule.fault = "\"soon\" is no day";
    expect(GG_EXTERNAL, GG_ERROR,
           "no frame is a line of this repository; \"foo\" (r.json:3) would make it fail, but is "
           "malformed: \"soon\" is no day");
    finding.has_site = true;
    rule.action = GG_ACTION_SUPPRESS;
    expect(GG_OPEN, GG_ERROR,
           "\"foo\" (r.json:3) would suppress it, but is malformed: \"soon\" is no day");
    rule.unclear = true;
    expect(GG_OPEN, GG_ERROR,
           "\"foo\" (r.json:3) may have hidden it, but is malformed: \"soon\" is no day");
}

Test(fate, what_a_rule_says_of_itself_is_told)
{
    decided_by(GG_ACTION_SUPPRESS);
    rule.reason = "freed by nobody. ";
    expect(GG_SUPPRESSED, GG_ERROR, "suppressed by \"foo\" (r.json:3): freed by nobody");
    rule.owner = "net-team";
    finding.approximate = true;
    expect(GG_SUPPRESSED, GG_ERROR,
           "suppressed by \"foo\" (r.json:3): freed by nobody (net-team); the match is "
           "approximate, because the report has demangled names only");
    finding.approximate = false;
    rule.ticket = "NET-12";
    decided_by(GG_ACTION_DOWNGRADE);
    expect(GG_OPEN, GG_WARNING,
           "\"foo\" (r.json:3) downgrades it from error to warning: freed by nobody (net-team, "
           "NET-12)");
    rule.reason = rule.owner = NULL;
    decided_by(GG_ACTION_FAIL);
    expect(GG_OPEN, GG_ERROR, "\"foo\" (r.json:3) makes it fail (NET-12)");
}

Test(fate, a_lapsed_rule_is_no_matter_once_another_suppresses)
{
    struct gg_rule old = {.id = "old", .file = "o.json", .line = 1, .state = GG_RULE_EXPIRED};
    old.expires = "2026-01-31";
    finding.lapsed = &old;
    decided_by(GG_ACTION_SUPPRESS);
    expect(GG_SUPPRESSED, GG_ERROR, "suppressed by \"foo\" (r.json:3)");
    decided_by(GG_ACTION_DOWNGRADE);
    expect(GG_OPEN, GG_WARNING,
           "\"old\" (o.json:1) suppressed it until 2026-01-31, its last day; \"foo\" (r.json:3) "
           "downgrades it from error to warning");
}

Test(fate, an_approximate_match_is_said)
{
    decided_by(GG_ACTION_SUPPRESS);
    finding.approximate = true;
    expect(GG_SUPPRESSED, GG_ERROR,
           "suppressed by \"foo\" (r.json:3); the match is approximate, because the report has "
           "demangled names only");
}

Test(fate, what_a_change_hides_itself_is_said_or_counts)
{
    decided_by(GG_ACTION_SUPPRESS);
    finding.hidden_by_change = true;
    expect(GG_SUPPRESSED, GG_ERROR,
           "suppressed by \"foo\" (r.json:3); hidden only by this change's edits of r.json");
    options.strict_rules = true;
    expect(GG_OPEN, GG_ERROR, "hidden only by this change's edits of r.json");
    cr_expect(gg_decide_fails(&options, &finding));
    decided_by(GG_ACTION_DOWNGRADE);
    expect(GG_OPEN, GG_ERROR, "hidden only by this change's edits of r.json");
    finding.has_site = false;
    expect(GG_EXTERNAL, GG_ERROR,
           "no frame is a line of this repository; hidden only by this change's edits of r.json");
    /* What makes more of a finding may stand. */
    decided_by(GG_ACTION_FAIL);
    gg_decide_fates(&arena, &options, &report);
    cr_expect_eq(finding.fate, GG_OPEN);
    options.strict_rules = false;
    decided_by(GG_ACTION_DOWNGRADE);
    finding.has_site = true;
    expect(GG_OPEN, GG_WARNING,
           "\"foo\" (r.json:3) downgrades it from error to warning; hidden only by this change's "
           "edits of r.json");
}

Test(fate, a_rule_that_was_given_up_is_noted)
{
    struct gg_rule *rules[] = {&rule};
    struct gg_worktree worktree = {.root = "/repo"};
    report.rules = rules;
    report.rule_count = 1;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_expect_eq(report.note_count, 0);
    rule.gave_up = true;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect_str_eq(report.notes[0].kind, "rule-costly");
    cr_expect_str_eq(report.notes[0].where, "r.json:3");
    cr_expect(strstr(report.notes[0].text, "\"foo\""));
    cr_expect_not(report.notes[0].incomplete, "it may only have hidden less");
    report.note_count = 0;
    rule.action = GG_ACTION_FAIL;
    gg_decide_evidence(&arena, &worktree, &report);
    cr_assert_eq(report.note_count, 1);
    cr_expect(report.notes[0].incomplete, "it may have missed what fails");
}
