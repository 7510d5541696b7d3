#include "base/esc.h"
#include "cli/command.h"
#include "cli/concerns.h"
#include "cli/rules_reports.h"
#include "cli/rules_verbs.h"
#include "cli/whole.h"

#include <inttypes.h>
#include <string.h>

enum { EXIT_CLEAN = 0, EXIT_FAULTS = 1, EXIT_UNDECIDED = 3 };

/* --- the ledger for people -------------------------------------------------------------- */

static void put(struct gg_out *out, const char *text)
{
    gg_esc_terminal(out, gg_str(text));
}

static void put_rule(struct gg_out *out, const struct gg_report *report, const struct gg_rule *rule)
{
    gg_out_printf(out, "%-10s%8" PRIu64 "%8" PRIu64 "%5zu/%-5zu ", gg_rule_state_name(rule->state),
                  rule->hits, rule->occurrences, rule->run_count, report->run_count);
    put(out, rule->id);
    gg_out_text(out, " (");
    put(out, rule->file);
    gg_out_printf(out, ":%" PRIu32 ")\n", rule->line);
}

/* A pack is for more than one program, so that few of its rules are used is how it has to be. */
static bool is_spare(const struct gg_rule *rule)
{
    return rule->state == GG_RULE_UNUSED && gg_rule_is_of_pack(rule);
}

static void put_rules(struct gg_out *out, const struct gg_report *report)
{
    size_t spare = 0;
    gg_out_text(out, "state     findings   times runs       rule\n");
    for (size_t i = 0; i < report->rule_count; i++) {
        if (is_spare(report->rules[i]))
            spare++;
        else
            put_rule(out, report, report->rules[i]);
    }
    if (spare)
        gg_out_printf(out, "(%zu more of packs: unused)\n", spare);
}

static void put_uses(struct gg_out *out, const struct gg_report *report)
{
    if (report->supp_use_count && report->rule_count)
        gg_out_char(out, '\n');
    if (report->supp_use_count)
        gg_out_text(out, "set aside by valgrind itself:\n");
    for (size_t i = 0; i < report->supp_use_count; i++) {
        const struct gg_supp_use *use = &report->supp_uses[i];
        gg_out_printf(out, "%26" PRIu64 "%5zu/%-5zu ", use->count, use->run_count,
                      report->run_count);
        put(out, use->name);
        gg_out_char(out, '\n');
    }
}

static void begin(void *self, struct gg_out *out)
{
    const struct gg_report *report = self;
    if (report->rule_count)
        put_rules(out, report);
    put_uses(out, report);
    gg_out_char(out, '\n');
}

/* --- the exit status -------------------------------------------------------------------- */

/* What is not in a report may be what a rule is for. */
static bool hangs_on_reports(const struct gg_concern *concern)
{
    return strcmp(concern->kind, "unused") == 0 || strcmp(concern->kind, "shadowed") == 0;
}

static int status_of(const struct gg_report *report, const struct gg_concern_list *list)
{
    bool complete = gg_report_is_whole(report);
    for (size_t i = 0; i < list->count; i++) {
        const struct gg_concern *concern = &list->at[i];
        if (concern->fault && (complete || !hangs_on_reports(concern)))
            return EXIT_FAULTS;
    }
    return complete ? EXIT_CLEAN : EXIT_UNDECIDED;
}

/* --- the command ------------------------------------------------------------------------ */

/* Without rules of one's own there may still be those that valgrind itself was given. */
static bool has_ledger(const struct gg_opts *opts, const struct gg_report *report)
{
    return gg_opt_list(opts, GG_OPT_RULE_FILE) || gg_opt_list(opts, GG_OPT_SUPPRESSIONS) ||
           gg_opt_list(opts, GG_OPT_PACK) || report->supp_use_count;
}

static int tell(const struct gg_opts *opts, struct gg_session *session)
{
    const struct gg_report *report = gg_session_report(session);
    if (!has_ledger(opts, report))
        return gg_command_complain("rules test: there are no rules: name them with --rules, "
                                   "--suppressions or --pack, or in grindgate.json");
    struct gg_concern_list list = {
        .begin = begin, .self = (void *)report, .rule_count = report->rule_count};
    list.at = gg_session_concerns(session, &list.count);
    int status;
    bool written = gg_concerns_write(opts, &list, &status);
    if (!gg_report_is_whole(report))
        gg_whole_complain(report);
    return written ? status_of(report, &list) : status;
}

static int execute(struct gg_opts *opts, const char *const *reports)
{
    return gg_rules_on_reports(opts, reports, tell);
}

static const enum gg_opt_id options[] = {GG_OPT_CONCERNS, GG_OPTS};

const struct gg_rules_verb gg_rules_verb_test = {"test", options, execute};
