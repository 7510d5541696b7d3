#include "grindgate/model.h"

const char *gg_severity_name(enum gg_severity severity)
{
    static const char *const names[] = {
        [GG_NOTE] = "note", [GG_WARNING] = "warning", [GG_ERROR] = "error"};
    return names[severity];
}

const char *gg_zone_name(enum gg_zone zone)
{
    static const char *const names[] = {[GG_ZONE_UNKNOWN] = "unknown",
                                        [GG_ZONE_OWN] = "own",
                                        [GG_ZONE_THIRD_PARTY] = "third-party",
                                        [GG_ZONE_SYSTEM] = "system",
                                        [GG_ZONE_TOOL] = "tool"};
    return names[zone];
}

const char *gg_role_name(enum gg_role role)
{
    static const char *const names[] = {[GG_ROLE_ERROR] = "error",
                                        [GG_ROLE_ALLOCATED] = "allocated",
                                        [GG_ROLE_FREED] = "freed",
                                        [GG_ROLE_ORIGIN] = "origin",
                                        [GG_ROLE_OTHER] = "other"};
    return names[role];
}

const char *gg_end_name(enum gg_end end)
{
    /* A replaced image has no whole report of its own; detail tells it from a cut one. */
    static const char *const names[] = {[GG_END_FINISHED] = "finished",
                                        [GG_END_TRUNCATED] = "truncated",
                                        [GG_END_KILLED] = "killed",
                                        [GG_END_MISSING] = "missing",
                                        [GG_END_REPLACED] = "truncated"};
    return names[end];
}

const char *gg_test_state_name(enum gg_test_state state)
{
    static const char *const names[] = {[GG_TEST_PASSED] = "passed",
                                        [GG_TEST_FAILED] = "failed",
                                        [GG_TEST_NOT_RUN] = "not-run",
                                        [GG_TEST_SKIPPED] = "skipped",
                                        [GG_TEST_DISABLED] = "disabled"};
    return names[state];
}

const char *gg_via_name(enum gg_via via)
{
    static const char *const names[] = {[GG_VIA_ERROR] = "error",
                                        [GG_VIA_FREED] = "freed",
                                        [GG_VIA_ORIGIN] = "origin",
                                        [GG_VIA_ALLOCATED] = "allocated"};
    return names[via];
}

const char *gg_fate_name(enum gg_fate fate)
{
    static const char *const names[] = {[GG_OPEN] = "open",
                                        [GG_SUPPRESSED] = "suppressed",
                                        [GG_KNOWN] = "known",
                                        [GG_OUT_OF_SCOPE] = "out-of-scope",
                                        [GG_EXTERNAL] = "external"};
    return names[fate];
}

const char *gg_outcome_name(enum gg_outcome outcome)
{
    static const char *const names[] = {[GG_PASS] = "pass",
                                        [GG_FAIL] = "fail",
                                        [GG_INCOMPLETE] = "incomplete",
                                        [GG_PROGRAM_FAILED] = "program-failed"};
    return names[outcome];
}

const char *gg_rule_state_name(enum gg_rule_state state)
{
    static const char *const names[] = {[GG_RULE_UNUSED] = "unused",
                                        [GG_RULE_USED] = "used",
                                        [GG_RULE_EXPIRED] = "expired",
                                        [GG_RULE_SHADOWED] = "shadowed",
                                        [GG_RULE_MALFORMED] = "malformed"};
    return names[state];
}

const char *gg_action_name(enum gg_action action)
{
    static const char *const names[] = {[GG_ACTION_SUPPRESS] = "suppress",
                                        [GG_ACTION_DOWNGRADE] = "downgrade",
                                        [GG_ACTION_UPGRADE] = "upgrade",
                                        [GG_ACTION_FAIL] = "fail"};
    return names[action];
}
