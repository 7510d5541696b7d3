#include "cli/settings.h"

#include <stdlib.h>

#define DEFAULT_REPORT_SIZE ((uint64_t)1 << 30)

enum { DEFAULT_TIMEOUT_FACTOR = 10 };

/* Nobody else said anything, so the settings file decides, be it by naming nothing. */
static bool is_configured(const struct gg_opts *opts, enum gg_opt_id id)
{
    return opts->values[id].source <= GG_OPT_FROM_CONFIG;
}

static void fill_capture(const struct gg_opts *opts, struct gg_options *options)
{
    if (gg_opt_text(opts, GG_OPT_VALGRIND))
        options->valgrind = gg_opt_text(opts, GG_OPT_VALGRIND);
    options->valgrind_args = gg_opt_list(opts, GG_OPT_VALGRIND_ARG);
    options->timeout = (unsigned)gg_opt_number(opts, GG_OPT_TIMEOUT, 0);
    options->max_report_size = gg_opt_number(opts, GG_OPT_MAX_REPORT_SIZE, DEFAULT_REPORT_SIZE);
    options->keep = gg_opt_text(opts, GG_OPT_KEEP);
    options->test = gg_opt_text(opts, GG_OPT_TEST);
    options->ctest = gg_opt_text(opts, GG_OPT_CTEST);
    options->jobs = (unsigned)gg_opt_number(opts, GG_OPT_JOBS, 0);
    options->timeout_factor =
        (unsigned)gg_opt_number(opts, GG_OPT_TIMEOUT_FACTOR, DEFAULT_TIMEOUT_FACTOR);
    options->selftest = !gg_opt_flag(opts, GG_OPT_NO_SELFTEST);
}

/* A CI system checks out a commit and says elsewhere of which branch; of a merge request it is the
 * one that is to be merged. NULL: no CI system that is known. */
static const char *branch_of_ci(void)
{
    static const struct {
        const char *system, *branch;
    } variables[] = {{"GITHUB_ACTIONS", "GITHUB_HEAD_REF"},
                     {"GITHUB_ACTIONS", "GITHUB_REF_NAME"},
                     {"GITLAB_CI", "CI_COMMIT_REF_NAME"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *system = getenv(variables[i].system), *branch = getenv(variables[i].branch);
        if (system && system[0] && branch && branch[0])
            return branch;
    }
    return NULL;
}

static void fill_rules(const struct gg_opts *opts, struct gg_options *options)
{
    options->rules = gg_opt_list(opts, GG_OPT_RULE_FILE);
    options->suppressions = gg_opt_list(opts, GG_OPT_SUPPRESSIONS);
    options->packs = gg_opt_list(opts, GG_OPT_PACK);
    options->branch = gg_opt_text(opts, GG_OPT_BRANCH);
    if (!options->branch)
        options->branch = branch_of_ci();
    options->base = gg_opt_text(opts, GG_OPT_BASE);
    options->strict_rules = gg_opt_flag(opts, GG_OPT_STRICT_RULES);
    options->configured =
        (struct gg_configured){.file = opts->config,
                               .rules = is_configured(opts, GG_OPT_RULE_FILE),
                               .suppressions = is_configured(opts, GG_OPT_SUPPRESSIONS),
                               .packs = is_configured(opts, GG_OPT_PACK)};
}

void gg_settings_fill(const struct gg_opts *opts, struct gg_options *options)
{
    static const enum gg_fail_on bars[] = {GG_FAIL_ON_ERROR, GG_FAIL_ON_WARNING, GG_FAIL_ON_NOTE,
                                           GG_FAIL_NEVER};
    gg_options_default(options);
    fill_capture(opts, options);
    fill_rules(opts, options);
    options->repo = gg_opt_text(opts, GG_OPT_REPO);
    options->path_maps = gg_opt_list(opts, GG_OPT_PATH_MAP);
    options->wrappers = gg_opt_list(opts, GG_OPT_WRAPPER);
    options->blame = !gg_opt_flag(opts, GG_OPT_NO_BLAME);
    options->fail_on = bars[gg_opt_choice(opts, GG_OPT_FAIL_ON, 0)];
    options->external =
        (enum gg_external_policy)gg_opt_choice(opts, GG_OPT_EXTERNAL, GG_EXTERNAL_WARN);
    options->auxiliary =
        (enum gg_auxiliary_policy)gg_opt_choice(opts, GG_OPT_AUXILIARY, GG_AUXILIARY_OPEN);
    options->allow_incomplete = gg_opt_flag(opts, GG_OPT_ALLOW_INCOMPLETE);
    options->ignore_exit = gg_opt_flag(opts, GG_OPT_IGNORE_EXIT);
    options->expect = gg_opt_number(opts, GG_OPT_EXPECT, 0);
    options->require_kinds = gg_opt_list(opts, GG_OPT_REQUIRE_KIND);
}
