/*
 * Rules reports: what the verbs share that apply rules to reports, and judge nothing.
 */
#ifndef GG_CLI_RULES_REPORTS_H
#define GG_CLI_RULES_REPORTS_H

#include "cli/opt.h"
#include "grindgate/grindgate.h"

/* Reads the settings and the reports and calls `tell`, whose exit status it returns. Only what was
 * found counts, whoever is to blame, and whatever else is asked of a run. */
int gg_rules_on_reports(struct gg_opts *opts, const char *const *reports,
                        int (*tell)(const struct gg_opts *opts, struct gg_session *session));

#endif
