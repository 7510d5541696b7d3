/*
 * Story: everything that is known of one finding, in the order in which it became known, for
 * people.
 */
#ifndef GG_WRITE_STORY_H
#define GG_WRITE_STORY_H

#include "base/out.h"
#include "grindgate/model.h"

struct gg_story {
    const struct gg_report *report;
    const struct gg_verdict *verdict;
    const struct gg_finding *finding;
    const struct gg_rule *near; /* the rule that came closest, when none decides it; or NULL */
    const char *near_why;       /* why it does not decide it */
    bool fails;                 /* it is one of those that fail the gate */
    const char *bar;            /* the least severity that fails the gate, "error", "never" */
};

void gg_story_put(struct gg_out *out, const struct gg_story *story);

#endif
