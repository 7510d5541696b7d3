#include "cli/command.h"
#include "cli/settings.h"
#include "cli/wrapping.h"

static int execute(struct gg_opts *opts)
{
    struct gg_error err = {0};
    struct gg_config config;
    if (!gg_opt_flag(opts, GG_OPT_NO_CONFIG) && !gg_settings_load(opts, false, &config, &err))
        return gg_command_complain(err.text);
    return gg_wrapping_run(opts);
}

const struct gg_command gg_command_wrap = {
    .name = "wrap",
    .mask = GG_OPT_WRAP,
    .usage = "--dir DIR [OPTIONS] -- PROGRAM [ARGS...]",
    .summary = "run a program under valgrind for its reports alone",
    .text = "Runs PROGRAM, and every process it starts, under valgrind, leaves the reports\n"
            "below DIR and ends as PROGRAM does. For runners that start the tests themselves;\n"
            "when they are through, judge what was left:\n\n"
            "  meson test -C build --wrap \"grindgate wrap --dir $PWD/reports --\"\n"
            "  make check LOG_COMPILER=\"grindgate wrap --dir $PWD/reports --\"\n"
            "  ls tests/*.sh | xargs -P 4 -n 1 grindgate wrap --dir reports --\n"
            "  grindgate check reports\n\n"
            "Many may run side by side. Every run has a directory of its own with a record,\n"
            "run.json, so one that was killed, or was run at another commit or before the\n"
            "program was built anew, is known by it. A wrap in a program that is wrapped, or\n"
            "run by grindgate, leaves its reports with that one.\n",
    .exits = "  PROGRAM's own, or death by the same signal; 127 when it is not there, 126 when it\n"
             "  could not be run, 2 for wrong usage\n",
    .execute = execute,
};
