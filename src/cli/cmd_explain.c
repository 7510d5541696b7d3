#include "base/out.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "cli/whole.h"

#include <unistd.h>

enum { EXIT_FOUND = 0, EXIT_USAGE = 2, EXIT_UNDECIDED = 3 };

static int explain(struct gg_session *session, const char *id)
{
    struct gg_error err = {0};
    const struct gg_report *report = gg_session_report(session);
    const struct gg_finding *finding = gg_session_find(session, id, &err);
    bool whole = gg_report_is_whole(report);
    if (!whole)
        gg_whole_complain(report);
    if (!finding)
        return gg_command_complain(err.text);
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    gg_session_explain(session, finding, out);
    if (!gg_out_close(out, &err)) {
        gg_command_complain(err.text);
        return EXIT_UNDECIDED;
    }
    return whole ? EXIT_FOUND : EXIT_UNDECIDED;
}

static int execute(struct gg_opts *opts)
{
    struct gg_error err = {0};
    struct gg_config config;
    struct gg_options options;
    const char *id = opts->operands[0];
    if (!id || !opts->operands[1])
        return gg_command_complain(
            "explain: a finding and its reports are needed: grindgate explain ID REPORT...");
    if (!gg_settings_load(opts, true, &config, &err))
        return gg_command_complain(err.text);
    gg_settings_fill(opts, &options);
    options.reports = opts->operands + 1;
    options.ctest = NULL;
    struct gg_session *session = gg_session_new(&options);
    int status = EXIT_USAGE;
    if (gg_session_judge(session, &err))
        status = explain(session, id);
    else
        gg_command_complain(err.text);
    gg_session_free(session);
    return status;
}

const struct gg_command gg_command_explain = {
    .name = "explain",
    .mask = GG_OPT_EXPLAIN,
    .usage = "[OPTIONS] ID REPORT...",
    .summary = "tell all that is known of one finding",
    .text = "Tells the story of a finding, from the reports it was read in to the verdict:\n"
            "its processes, each frame and whose code it is, the line it is laid to and why,\n"
            "who wrote that, which rule decided it, or came closest and where it failed, and\n"
            "what it counts for. ID is what other reports show in brackets, or enough of its\n"
            "beginning; REPORT is anything that check reads. Give the options that check was\n"
            "given, for the same verdict.\n\n"
            "  grindgate explain 1f3b9c reports/\n"
            "  grindgate explain 1f3b9c --suppressions tests/valgrind.supp report.json\n",
    .exits = "  0  the finding is there\n"
             "  2  usage or configuration error, or there is no such finding\n"
             "  3  the finding is there, but a report is missing or not whole; or the output\n"
             "     could not be written\n",
    .execute = execute,
};
