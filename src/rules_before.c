#include "rules_before.h"
#include "config_before.h"
#include "rulebook.h"

#include "base/fs.h"
#include "vcs/base.h"

#include <stdlib.h>
#include <string.h>

bool gg_rules_before_find(struct gg_session *session, struct gg_error *err)
{
    const char *revision = session->options.base;
    if (!revision && session->options.strict_rules) {
        gg_error_set(err, "--strict-rules: compares with a commit: name it with --base REV");
        return false;
    }
    return !revision || gg_base_find(session->repo, revision, session->report.repository.base, err);
}

static bool read_before(void *self, const char *path, const char *inside, bool *there,
                        struct gg_str *text, struct gg_error *err)
{
    struct gg_session *session = self;
    if (inside)
        return gg_base_file(session->repo, session->report.repository.base, inside, there, text,
                            err);
    struct gg_error gone = {0};
    *there = gg_fs_read(&session->arena, path, GG_RULEBOOK_LIMIT, text, &gone);
    return true;
}

static struct gg_rules *open_before(struct gg_session *session, struct gg_error *err)
{
    struct gg_options options = session->options;
    struct gg_rules_context context = gg_rulebook_context(&options, NULL);
    struct gg_rulebook_source source = {
        .self = session, .read = read_before, .root = gg_repo_root(session->repo)};
    if (!gg_config_before(session, &options, err))
        return NULL;
    struct gg_rules *rules = gg_rulebook_open(&session->arena, &options, &context, &source, err);
    return rules && gg_rulebook_add_packs(rules, &options, &session->report, err) ? rules : NULL;
}

/* How much a finding counts with a rule: nothing, less, as it is, more, in any case. */
static int weight_with(const struct gg_rule *rule)
{
    static const int weights[] = {[GG_ACTION_SUPPRESS] = -2,
                                  [GG_ACTION_DOWNGRADE] = -1,
                                  [GG_ACTION_UPGRADE] = 1,
                                  [GG_ACTION_FAIL] = 2};
    return rule ? weights[rule->action] : 0;
}

/* With strict rules those of the base decide where they are the harder ones. One that makes it
 * count less itself takes over without further ado. */
static void compare(const struct gg_options *options, struct gg_finding *now,
                    const struct gg_finding *before)
{
    int weight = weight_with(before->rule);
    now->hidden_by_change = weight_with(now->rule) < weight;
    if (!now->hidden_by_change || !options->strict_rules || weight == 0)
        return;
    now->rule = before->rule;
    now->hidden_by_change = weight > 0;
}

bool gg_rules_before_judge(struct gg_session *session, struct gg_error *err)
{
    struct gg_report *report = &session->report;
    if (!report->repository.base[0])
        return true;
    struct gg_rules *rules = open_before(session, err);
    if (!rules)
        return false;
    struct gg_report before = *report;
    before.findings = gg_alloc(report->finding_count * sizeof *before.findings);
    if (report->finding_count)
        memcpy(before.findings, report->findings, report->finding_count * sizeof *before.findings);
    for (size_t i = 0; i < before.finding_count; i++)
        before.findings[i].rule = NULL;
    gg_rules_apply(rules, &before);
    for (size_t i = 0; i < report->finding_count; i++)
        compare(&session->options, &report->findings[i], &before.findings[i]);
    free(before.findings);
    return true;
}
