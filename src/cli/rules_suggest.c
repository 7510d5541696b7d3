#include "base/out.h"
#include "cli/command.h"
#include "cli/rules_reports.h"
#include "cli/rules_verbs.h"
#include "cli/whole.h"

#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_NONE = 1, EXIT_UNDECIDED = 3 };

/* "ID, ID: why there is no suppression for them" */
static void complain(const struct gg_opts *opts, const struct gg_suggestion *suggestion)
{
    const char *names = "";
    for (size_t i = 0; i < suggestion->wanted_count; i++)
        names = gg_arena_printf(opts->arena, "%s%s%s", names, names[0] ? ", " : "",
                                suggestion->wanted[i]->id);
    gg_command_complain(gg_arena_printf(opts->arena, "%s: %s", names, suggestion->why));
}

/* "rules suggest: no finding is open", and what else there is to name. */
static void complain_of_nothing(const struct gg_opts *opts, const struct gg_report *report)
{
    size_t external = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        external += report->findings[i].fate == GG_EXTERNAL;
    if (!external)
        gg_command_complain("rules suggest: no finding is open");
    else
        gg_command_complain(gg_arena_printf(
            opts->arena,
            "rules suggest: no finding is open; %zu finding%s external: name %s with --finding ID",
            external, external == 1 ? " is" : "s are", external == 1 ? "it" : "them"));
}

static int put(const struct gg_opts *opts, const struct gg_report *report,
               const struct gg_suggestion *list, size_t count)
{
    struct gg_error err = {0};
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    int status = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        if (list[i].text)
            gg_out_text(out, list[i].text);
        else
            status = EXIT_NONE;
    }
    bool written = gg_out_close(out, &err);
    for (size_t i = 0; i < count; i++) {
        if (!list[i].text)
            complain(opts, &list[i]);
    }
    if (count == 0)
        complain_of_nothing(opts, report);
    if (written)
        return status;
    gg_command_complain(err.text);
    return EXIT_UNDECIDED;
}

static int suggest(const struct gg_opts *opts, struct gg_session *session)
{
    struct gg_error err = {0};
    size_t count;
    const struct gg_report *report = gg_session_report(session);
    bool whole = gg_report_is_whole(report);
    if (!whole)
        gg_whole_complain(report);
    const struct gg_suggestion *list =
        gg_session_suggest(session, gg_opt_list(opts, GG_OPT_FINDING), &count, &err);
    if (!list)
        return gg_command_complain(err.text);
    int status = put(opts, report, list, count);
    return status == EXIT_DONE && !whole ? EXIT_UNDECIDED : status;
}

static int execute(struct gg_opts *opts, const char *const *reports)
{
    return gg_rules_on_reports(opts, reports, suggest);
}

static const enum gg_opt_id options[] = {GG_OPT_FINDING, GG_OPTS};

const struct gg_rules_verb gg_rules_verb_suggest = {"suggest", options, execute};
