#include "gate/decide.h"
#include "base/str.h"

#include <string.h>

/* "Killed by SIGTERM": signals that are sent to a program (a test that stops its server), so they
 * are told but fail nothing. By any other signal a program ends through its own fault. */
static bool is_sent(const struct gg_finding *finding)
{
    static const char *const names[] = {"SIGTERM", "SIGINT",  "SIGHUP",  "SIGQUIT",   "SIGKILL",
                                        "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGUSR2",   "SIGPROF",
                                        "SIGIO",   "SIGPWR",  "SIGXCPU", "SIGVTALRM", "SIGXFSZ"};
    struct gg_str text = gg_str(finding->message);
    if (!gg_str_starts(text, "Killed by "))
        return false;
    text = gg_str_n(text.ptr + strlen("Killed by "),
                    strcspn(finding->message + strlen("Killed by "), ": "));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (gg_str_is(text, names[i]))
            return true;
    }
    return false;
}

static enum gg_severity severity_of(const struct gg_finding *finding)
{
    if (finding->kind == GG_KIND_FatalSignal && is_sent(finding))
        return GG_NOTE;
    return gg_kind_table[finding->kind].severity;
}

static bool is_external(const struct gg_options *options, const struct gg_finding *finding,
                        const char **why)
{
    if (!finding->has_site) {
        *why = "no frame is a line of this repository";
        return true;
    }
    if (finding->site.via != GG_VIA_ERROR && options->auxiliary == GG_AUXILIARY_EXTERNAL) {
        *why = "the error's own stack passes no line of this repository, and policy says that the "
               "other stacks do not count";
        return true;
    }
    return false;
}

static void decide(struct gg_arena *arena, const struct gg_options *options,
                   struct gg_finding *finding)
{
    const char *why = NULL;
    finding->severity = severity_of(finding);
    if (finding->rule) {
        finding->fate = GG_SUPPRESSED;
        finding->why = gg_arena_printf(arena, "suppressed by \"%s\" (%s:%u)", finding->rule->id,
                                       finding->rule->file, (unsigned)finding->rule->line);
    } else if (is_external(options, finding, &why) && options->external != GG_EXTERNAL_FAIL) {
        finding->fate = GG_EXTERNAL;
        finding->why = why;
    } else {
        finding->fate = GG_OPEN;
        finding->why = why ? gg_arena_printf(arena, "%s, and external findings count", why)
                           : "nothing explains it";
    }
}

void gg_decide_fates(struct gg_arena *arena, const struct gg_options *options,
                     struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
        decide(arena, options, &report->findings[i]);
}

bool gg_decide_fails(const struct gg_options *options, const struct gg_finding *finding)
{
    static const enum gg_severity bars[] = {[GG_FAIL_ON_NOTE] = GG_NOTE,
                                            [GG_FAIL_ON_WARNING] = GG_WARNING,
                                            [GG_FAIL_ON_ERROR] = GG_ERROR};
    return finding->fate == GG_OPEN && options->fail_on != GG_FAIL_NEVER &&
           finding->severity >= bars[options->fail_on];
}
