#include "cli/rules_reports.h"
#include "cli/command.h"
#include "cli/settings.h"

enum { EXIT_USAGE = 2 };

static void fill(const struct gg_opts *opts, const char *const *reports, struct gg_options *options)
{
    gg_settings_fill(opts, options);
    options->reports = reports;
    options->blame = false;
    options->expect = 0;
    options->require_kinds = NULL;
    options->base = NULL;
    options->strict_rules = false;
    options->ctest = NULL;
}

int gg_rules_on_reports(struct gg_opts *opts, const char *const *reports,
                        int (*tell)(const struct gg_opts *opts, struct gg_session *session))
{
    struct gg_error err = {0};
    struct gg_config config;
    struct gg_options options;
    const char *verb = opts->operands[0];
    if (!reports[0])
        return gg_command_complain(gg_arena_printf(
            opts->arena, "rules %s: no report is named: grindgate rules %s REPORT...", verb, verb));
    if (!gg_settings_load(opts, true, &config, &err))
        return gg_command_complain(err.text);
    fill(opts, reports, &options);
    struct gg_session *session = gg_session_new(&options);
    int status = EXIT_USAGE;
    if (gg_session_judge(session, &err))
        status = tell(opts, session);
    else
        gg_command_complain(err.text);
    gg_session_free(session);
    return status;
}
