#include "cli/command.h"
#include "cli/concerns.h"
#include "cli/rules_verbs.h"
#include "cli/settings.h"

#include <unistd.h>

enum { EXIT_CLEAN = 0, EXIT_FAULTS = 1, EXIT_USAGE = 2 };

/* Says for each file that is refused where and why. */
static int tell_refused(const struct gg_rule_check *check)
{
    int status = EXIT_CLEAN;
    struct gg_error ignored = {0};
    struct gg_out *out = gg_out_fd(STDERR_FILENO, "standard error");
    for (size_t i = 0; i < check->concern_count; i++) {
        if (!gg_concerns_refuse(&check->concerns[i]))
            continue;
        gg_concerns_put(out, &check->concerns[i]);
        status = EXIT_USAGE;
    }
    gg_out_close(out, &ignored);
    return status;
}

static int tell(const struct gg_opts *opts, const struct gg_rule_check *check)
{
    struct gg_concern_list list = {.at = check->concerns,
                                   .count = check->concern_count,
                                   .rule_count = check->rule_count,
                                   .usable = check->usable,
                                   .usable_count = check->usable_count};
    int status;
    if (!gg_concerns_write(opts, &list, &status))
        return status;
    for (size_t i = 0; i < list.count; i++) {
        if (gg_concerns_refuse(&list.at[i]))
            return EXIT_USAGE;
    }
    return gg_concerns_faults(&list) ? EXIT_FAULTS : EXIT_CLEAN;
}

/* Whether valgrind would load a file depends on nothing else, not even a configuration; nothing is
 * said then of files that it would, unless a list is asked for. */
static int execute(struct gg_opts *opts, const char *const *files)
{
    struct gg_error err = {0};
    struct gg_config config;
    struct gg_options options;
    bool syntax_only = gg_opt_flag(opts, GG_OPT_SYNTAX_ONLY);
    bool named = files[0];
    if (!(named && syntax_only) && !gg_settings_load(opts, false, &config, &err))
        return gg_command_complain(err.text);
    gg_settings_fill(opts, &options);
    if (!named && !options.suppressions && (syntax_only || !options.rules))
        return gg_command_complain("rules lint: no file is named, here or in grindgate.json: "
                                   "grindgate rules lint FILE...");
    struct gg_rule_check *check = syntax_only ? gg_rule_check_syntax(&options, named ? files : NULL)
                                              : gg_rule_check_new(&options, named ? files : NULL);
    bool listed = opts->values[GG_OPT_CONCERNS].source == GG_OPT_FROM_FLAG;
    int status = syntax_only && !listed ? tell_refused(check) : tell(opts, check);
    gg_rule_check_free(check);
    return status;
}

static const enum gg_opt_id options[] = {GG_OPT_SYNTAX_ONLY, GG_OPT_CONCERNS, GG_OPT_VALGRIND,
                                         GG_OPTS};

const struct gg_rules_verb gg_rules_verb_lint = {"lint", options, execute};
