#include "gate/doctor.h"

#include "base/fs.h"
#include "base/str.h"
#include "gate/launcher.h"
#include "model/flag.h"
#include "model/note.h"

#include <string.h>

enum when {
    ALWAYS,
    WITH_LEAKS /* only where the report has leaks */
};

/* A value that an option should not have, and what to do about it. */
struct row {
    const char *option;
    const char *values; /* "a|b"; "*": any */
    enum when when;
    bool incomplete;
    const char *advice;
};

static const struct row rows[] = {
    {"leak-check", "no|summary", ALWAYS, false,
     "it has no effect where valgrind writes XML, and leaks were looked for: leave it out"},
    {"xtree-leak", "yes", ALWAYS, true,
     "leaks went to another file and are missing in the report: leave it out"},
    {"leak-resolution", "low|med", ALWAYS, false,
     "leaks of different callers are folded into one: leave it out"},
    {"keep-stacktraces", "none|free", WITH_LEAKS, true,
     "leaks have no stack, so no line they can be laid to: use --keep-stacktraces=alloc-and-free"},
    {"undef-value-errors", "no", ALWAYS, true,
     "uses of uninitialised values were not looked for: leave it out to have them"},
    {"show-mismatched-frees", "no", ALWAYS, false,
     "frees that do not match their allocation are missing: leave it out to have them"},
    {"child-silent-after-fork", "yes", ALWAYS, true,
     "children that were forked and started no other program reported nothing: leave it out, and "
     "put %p into the name of the report"},
    {"ignore-ranges", "*", ALWAYS, true,
     "what happened to this memory was not checked: keep it to the memory of devices"},
    {"workaround-gcc296-bugs", "yes", ALWAYS, false,
     "bad accesses just below the stack pointer are missing: leave it out"},
    {"read-inline-info", "no", ALWAYS, false,
     "functions stand with lines of what was inlined into them, so findings may be laid to wrong "
     "lines: leave it out"},
    {"sym-offsets", "yes", ALWAYS, false,
     "names of functions hold offsets, which no suppression matches: leave it out"},
};

enum {
    FEW_CALLERS = 12,
    TOO_FEW_CALLERS = 4, /* valgrind tells errors apart by so many frames */
    DEFAULT_CALLERS = 12
};

/* Where valgrind stops where it stops at all; with XML it does not. */
enum { DISTINCT_LIMIT = 1000, TOTAL_LIMIT = 10000000 };

/* What the findings tell of one run. */
struct seen {
    bool origin_missing; /* an open use of an uninitialised value, without where it came from */
    uint64_t leaks;      /* loss records */
    uint64_t errors;     /* occurrences of errors that are no leaks */
};

struct visit {
    struct gg_arena *arena;
    struct gg_report *report;
    const struct gg_run *run;
    const struct seen *seen;
};

static bool is_one_of(const char *value, const char *list)
{
    struct gg_str one, rest = gg_str(list);
    while (rest.len) {
        gg_str_cut(rest, '|', &one, &rest);
        if (gg_str_is(one, "*") || gg_str_is(one, value))
            return true;
    }
    return false;
}

static bool is_option(const struct gg_run *run, const char *name, const char *values)
{
    const char *value = gg_flag(run, name);
    return value && is_one_of(value, values);
}

static void tell(const struct visit *visit, bool incomplete, const char *where, const char *text)
{
    struct gg_note note = {
        .kind = "valgrind-options", .text = text, .where = where, .incomplete = incomplete};
    gg_report_note(visit->arena, visit->report, &note);
}

static void check_rows(const struct visit *visit)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const char *value = gg_flag(visit->run, row->option);
        if (!value || !is_one_of(value, row->values) ||
            (row->when == WITH_LEAKS && !visit->seen->leaks))
            continue;
        tell(visit, row->incomplete, NULL,
             gg_arena_printf(visit->arena, "--%s=%s: %s", row->option, value, row->advice));
    }
}

/* --- options with more to them ---------------------------------------------------------- */

/* "definite,possible" or "all". */
static bool lists(const char *kinds, const char *kind)
{
    struct gg_str one, rest = gg_str(kinds);
    while (rest.len) {
        gg_str_cut(rest, ',', &one, &rest);
        if (gg_str_is(one, kind) || gg_str_is(one, "all"))
            return true;
    }
    return false;
}

/* What is indirectly lost hangs on something definitely lost, whose report counts it. */
static void check_leak_kinds(const struct visit *visit)
{
    bool definite = true, possible = true;
    for (const char *const *option = visit->run->options; *option; option++) {
        struct gg_str text = gg_str(*option);
        if (gg_str_starts(text, "--show-leak-kinds=")) {
            definite = lists(*option + strlen("--show-leak-kinds="), "definite");
            possible = lists(*option + strlen("--show-leak-kinds="), "possible");
        } else if (gg_str_is(text, "--show-reachable=yes")) {
            definite = possible = true;
        } else if (gg_str_starts(text, "--show-possibly-lost=")) {
            possible = gg_str_is(text, "--show-possibly-lost=yes");
        }
    }
    if (!definite)
        tell(visit, true, NULL,
             "definitely lost blocks are missing in the report: use --show-leak-kinds=all");
    else if (!possible)
        tell(visit, false, NULL,
             "possibly lost blocks are missing in the report: use --show-leak-kinds=all");
}

static void check_callers(const struct visit *visit)
{
    const char *value = gg_flag(visit->run, "num-callers");
    uint64_t callers = DEFAULT_CALLERS;
    if (!value || !gg_str_u64(gg_str(value), false, &callers) || callers >= FEW_CALLERS)
        return;
    bool too_few = callers < TOO_FEW_CALLERS;
    tell(visit, too_few, NULL,
         gg_arena_printf(visit->arena, "--num-callers=%s: %s: use 25 or more", value,
                         too_few ? "errors of different callers are folded into one"
                                 : "stacks may end before they reach the code that is to blame"));
}

static void check_limit(const struct visit *visit)
{
    const struct seen *seen = visit->seen;
    if (is_option(visit->run, "error-limit", "no") ||
        (visit->run->errors - seen->leaks != DISTINCT_LIMIT && seen->errors != TOTAL_LIMIT))
        return;
    tell(visit, true, visit->run->source,
         "it holds just as many errors as valgrind reports before it stops: mend the first ones, "
         "and run it with --error-limit=no");
}

static void check_origins(const struct visit *visit)
{
    if (visit->seen->origin_missing && !is_option(visit->run, "track-origins", "yes"))
        tell(visit, false, NULL,
             "where uninitialised values were created was not recorded: use --track-origins=yes");
}

/* --- one report for several processes --------------------------------------------------- */

/* Does the name hold the process's number? "%%p" is a "%" and a "p". */
static bool has_pid(const char *name)
{
    for (; *name; name++) {
        if (name[0] == '%' && name[1] == 'p')
            return true;
        if (name[0] == '%' && name[1])
            name++;
    }
    return false;
}

static bool is_same_file(const struct gg_run *a, const struct gg_run *b)
{
    return a->pid != b->pid && strcmp(a->source, b->source) == 0;
}

/* Runs of one file stand together. */
static bool is_shared(const struct visit *visit)
{
    const struct gg_report *report = visit->report;
    size_t at = (size_t)(visit->run - report->runs);
    const struct gg_run *before = at ? visit->run - 1 : NULL;
    const struct gg_run *after = at + 1 < report->run_count ? visit->run + 1 : NULL;
    return (before && is_same_file(before, visit->run)) ||
           (after && is_same_file(after, visit->run));
}

static void check_name(const struct visit *visit)
{
    const char *name = gg_flag(visit->run, "xml-file");
    if (!name || has_pid(name))
        return;
    if (is_option(visit->run, "trace-children", "yes") || is_shared(visit))
        tell(visit, true, visit->run->source,
             "all processes wrote their reports to this one file, so that errors may be lost: put "
             "%p into its name (--xml-file=report.%p.xml)");
}

static void check_children(const struct visit *visit)
{
    const struct gg_run *run = visit->run;
    static const char *const skips[] = {"trace-children-skip", "trace-children-skip-by-arg"};
    bool traced = is_option(run, "trace-children", "yes");
    for (size_t i = 0; i < sizeof skips / sizeof *skips && traced; i++) {
        const char *value = gg_flag(run, skips[i]);
        if (value && *value)
            tell(visit, false, NULL,
                 gg_arena_printf(visit->arena,
                                 "--%s=%s: programs that match it, and all that they start, were "
                                 "not checked: keep it to what is not tested",
                                 skips[i], value));
    }
    if (traced || !run->command[0])
        return;
    if (gg_launcher_of(run->command[0]) != GG_LAUNCHER_NONE)
        tell(visit, true, run->source,
             gg_arena_printf(visit->arena,
                             "a launcher (%s) was checked instead of the programs it starts: use "
                             "--trace-children=yes, with %%p in --xml-file",
                             gg_fs_basename(run->command[0])));
    else
        tell(
            visit, false, NULL,
            "programs that the checked ones start were not checked: use --trace-children=yes, with "
            "%p in --xml-file");
}

/* --- all runs --------------------------------------------------------------------------- */

static bool lacks_origin(const struct gg_finding *finding)
{
    if (finding->fate != GG_OPEN || gg_kind_table[finding->kind].group != GG_GROUP_value ||
        !strstr(finding->message, "ninitialised"))
        return false;
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (finding->stacks[i].role == GG_ROLE_ORIGIN)
            return false;
    }
    return true;
}

static void look(const struct gg_finding *finding, struct seen *runs)
{
    bool origin_missing = lacks_origin(finding);
    for (size_t i = 0; i < finding->witness_count; i++) {
        const struct gg_witness *witness = &finding->witnesses[i];
        struct seen *seen = &runs[witness->run];
        seen->origin_missing |= origin_missing;
        if (finding->is_leak)
            seen->leaks += witness->count;
        else
            seen->errors += witness->count;
    }
}

void gg_doctor(struct gg_arena *arena, struct gg_report *report)
{
    struct seen *runs = gg_arena_alloc(arena, (report->run_count + 1) * sizeof *runs);
    for (size_t i = 0; i < report->finding_count; i++)
        look(&report->findings[i], runs);
    for (size_t i = 0; i < report->run_count; i++) {
        struct visit visit = {arena, report, &report->runs[i], &runs[i]};
        if (!visit.run->options || !visit.run->options[0])
            continue; /* whatever made it, its options are not known */
        check_rows(&visit);
        check_leak_kinds(&visit);
        check_callers(&visit);
        check_limit(&visit);
        check_origins(&visit);
        check_name(&visit);
        check_children(&visit);
    }
    gg_doctor_hidden(arena, report);
}
