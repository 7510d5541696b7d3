#include "rules_before.h"
#include "rulebook.h"

#include "base/fs.h"
#include "vcs/base.h"

#include <stdlib.h>
#include <string.h>

bool gg_rules_before_find(struct gg_session *session, struct gg_error *err)
{
    const char *revision = session->options.base;
    return !revision || gg_base_find(session->repo, revision, session->report.repository.base, err);
}

/* What is behind the root in the path; NULL when the path does not lead there. */
static const char *below(const char *root, const char *path)
{
    size_t len = strlen(root);
    if (!path || strncmp(path, root, len) != 0)
        return NULL;
    if (len == 1)
        return path + 1;
    return path[len] == '/' ? path + len + 1 : NULL;
}

/* Where in the work tree the file is, whatever links lead to it; NULL: it is no part of it. A link
 * of the work tree itself is what git has there, not where it leads. */
static const char *tracked_path(struct gg_arena *arena, const char *root, const char *path)
{
    size_t len = (size_t)(gg_fs_basename(path) - path);
    const char *dir = gg_fs_real(arena, len ? gg_arena_strndup(arena, path, len) : ".");
    const char *inside = dir ? below(root, gg_fs_join(arena, dir, gg_fs_basename(path))) : NULL;
    return inside ? inside : below(root, gg_fs_real(arena, path));
}

typedef bool add_file(struct gg_rules *rules, const char *name, struct gg_str text,
                      struct gg_error *err);

/* The file as the base has it. One that could not be used there had no rules. */
static bool add_before(struct gg_session *session, struct gg_rules *rules, const char *path,
                       add_file *add, struct gg_error *err)
{
    struct gg_arena *arena = &session->arena;
    struct gg_error refused = {0};
    struct gg_str text;
    bool there;
    const char *inside = tracked_path(arena, gg_repo_root(session->repo), path);
    if (!inside)
        return gg_fs_read(arena, path, GG_RULEBOOK_LIMIT, &text, err) &&
               add(rules, path, text, err);
    if (!gg_base_file(session->repo, session->report.repository.base, inside, &there, &text, err))
        return false;
    if (there)
        add(rules, path, text, &refused);
    return true;
}

static bool add_all(struct gg_session *session, struct gg_rules *rules, const char *const *paths,
                    add_file *add, struct gg_error *err)
{
    for (; paths && *paths; paths++) {
        if (!add_before(session, rules, *paths, add, err))
            return false;
    }
    return true;
}

static struct gg_rules *open_before(struct gg_session *session, struct gg_error *err)
{
    const struct gg_options *options = &session->options;
    struct gg_rules_context context = gg_rulebook_context(options, NULL);
    struct gg_rules *rules = gg_rules_new(&session->arena, &context);
    bool read = add_all(session, rules, options->rules, gg_rules_add_json, err) &&
                add_all(session, rules, options->suppressions, gg_rules_add_supp, err) &&
                gg_rulebook_add_packs(rules, options, &session->report, err);
    return read ? rules : NULL;
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

static void compare(const struct gg_options *options, struct gg_finding *now,
                    const struct gg_finding *before)
{
    now->hidden_by_change = weight_with(now->rule) < weight_with(before->rule);
    if (now->hidden_by_change && options->strict_rules && weight_with(before->rule) != 0)
        now->rule = before->rule;
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
