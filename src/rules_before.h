/*
 * Rules before: what the rules of the base commit say of the findings.
 *
 * A change must not be judged by rules that it brings along. With a base the rule files of the
 * repository are read as they were there, too, and what only their edits set aside is told apart.
 * Files outside the repository and packs are no part of a change and count for both.
 */
#ifndef GG_RULES_BEFORE_H
#define GG_RULES_BEFORE_H

#include "session.h"

/* The commit that this change is compared with, into report.repository.base. false when options
 * name one and it cannot be told (exit status 2). */
bool gg_rules_before_find(struct gg_session *session, struct gg_error *err);

/* After the rules at hand were applied: sets hidden_by_change of findings, and with strict rules
 * lets those of the base decide where they are the harder ones. */
bool gg_rules_before_judge(struct gg_session *session, struct gg_error *err);

#endif
