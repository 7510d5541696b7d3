#include "capture/flags.h"

#include "base/fs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One option that is refused, but for the values that do no harm. */
struct rule {
    const char *name;    /* with the "=" when it has a value */
    const char *allowed; /* "a|b", or NULL: none is */
    const char *why;     /* and what to do instead */
};

#define RULE_REPORT "the reports are written and read by grindgate: use --keep DIR to have them"
#define RULE_LOG \
    "valgrind's log is kept beside the reports, so that standard error stays the program's"
#define RULE_LEAKS "leaks would be lost: say with --fail-on and suppressions which of them may stay"
#define RULE_QUIET \
    "the report's summaries would be missing, and valgrind keeps quiet anyway: leave it out"
#define RULE_HELP "valgrind would print that and run nothing: ask valgrind itself"
#define RULE_STOP "the run would wait for a debugger: debug with valgrind itself"

static const struct rule rules[] = {
    {"--xml=", "yes", RULE_REPORT},
    {"--xml-file=", NULL, RULE_REPORT},
    {"--xml-fd=", NULL, RULE_REPORT},
    {"--xml-socket=", NULL, RULE_REPORT},
    {"--command-line-only=", "yes",
     "options that stand in files would hide errors unseen: give them with --valgrind-arg"},
    {"--xml-user-comment=", NULL,
     "valgrind writes the text into the report as it is, markup and all: leave it out"},
    {"--log-file=", NULL, RULE_LOG},
    {"--log-fd=", NULL, RULE_LOG},
    {"--log-socket=", NULL, RULE_LOG},
    {"--quiet", NULL, RULE_QUIET},
    {"-q", NULL, RULE_QUIET},
    {"--show-error-list=", "yes|all",
     "the report would not tell which suppressions were used: leave it out"},
    {"--tool=", "memcheck|helgrind|drd",
     "only memcheck, helgrind and drd report errors as XML: use one of them"},
    {"--leak-check=", "full|yes", RULE_LEAKS},
    {"--show-leak-kinds=", "all", RULE_LEAKS},
    {"--show-reachable=", "yes", RULE_LEAKS},
    {"--show-possibly-lost=", "yes", RULE_LEAKS},
    {"--leak-resolution=", "high",
     "leaks of different callers would be folded into one: leave it out"},
    {"--xtree-leak=", "no", "leaks would go to a file that is not a report: leave it out"},
    {"--keep-stacktraces=", "alloc|alloc-and-free|alloc-then-free",
     "leaks would have no stack, so no line to be laid to: use --keep-stacktraces=alloc"},
    {"--trace-children=", "yes",
     "children would run unchecked: name those to leave alone with --trace-children-skip"},
    {"--child-silent-after-fork=", "no", "errors of forked children would be lost: leave it out"},
    {"--exit-on-first-error=", "no",
     "every later error would be missing: leave it out, the gate reads all of them"},
    {"--error-exitcode=", "0",
     "the program's own exit status would be lost: use grindgate's exit status"},
    {"--error-limit=", "no", "errors after the limit would be missing: leave it out"},
    {"--gen-suppressions=", "no", "a report would double in size: use 'grindgate rules suggest'"},
    {"--demangle=", "no",
     "suppressions match mangled names: leave it out, grindgate demangles what it shows"},
    {"--sym-offsets=", "no", "function names would hold offsets and match nothing: leave it out"},
    {"--read-inline-info=", "yes",
     "a function would be shown with a line of what was inlined into it: leave it out"},
    {"--vgdb-error=", NULL, RULE_STOP},
    {"--vgdb-stop-at=", "none", RULE_STOP},
    {"--wait-for-gdb=", "no", RULE_STOP},
    {"-h", NULL, RULE_HELP},
    {"--help", NULL, RULE_HELP},
    {"--help-debug", NULL, RULE_HELP},
    {"--help-dyn-options", NULL, RULE_HELP},
    {"--version", NULL, RULE_HELP},
};

static bool is_one_of(struct gg_str value, const char *list)
{
    struct gg_str one, rest = gg_str(list ? list : "");
    while (rest.len) {
        gg_str_cut(rest, '|', &one, &rest);
        if (gg_str_eq(one, value))
            return true;
    }
    return false;
}

/* The rule this option breaks, or NULL. valgrind takes no abbreviations. */
static const struct rule *broken_rule(const char *option)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        size_t len = strlen(rule->name);
        bool valued = rule->name[len - 1] == '=';
        if (strncmp(option, rule->name, len) != 0 || (!valued && option[len]))
            continue;
        if (!is_one_of(gg_str(option + len), rule->allowed))
            return rule;
    }
    return NULL;
}

static bool number_after(const char *option, const char *name, uint64_t *number)
{
    size_t len = strlen(name);
    return strncmp(option, name, len) == 0 && gg_str_u64(gg_str(option + len), false, number);
}

/* 3.23 and 3.24 report descriptors that nobody can suppress, earlier ones write none of it as
 * errors. */
static bool reports_descriptors(const char *version)
{
    unsigned major = 0, minor = 0;
    return sscanf(version, "%u.%u", &major, &minor) == 2 &&
           (major > 3 || (major == 3 && minor >= 25));
}

static bool is_about_descriptors(const char *option)
{
    return strncmp(option, "--track-fds=", 12) == 0 && strcmp(option + 12, "no") != 0;
}

static bool check_one(const char *option, const char *version, struct gg_error *err)
{
    const struct rule *rule = broken_rule(option);
    uint64_t callers;
    if (option[0] != '-' || strcmp(option, "--") == 0)
        gg_error_set(err,
                     "--valgrind-arg: \"%s\" is not an option, and valgrind would run it: the "
                     "program to run stands after --",
                     option);
    else if (rule)
        gg_error_set(err, "--valgrind-arg: %s: %s", option, rule->why);
    else if (number_after(option, "--num-callers=", &callers) && callers < 4)
        gg_error_set(err,
                     "--valgrind-arg: %s: errors are told apart by 4 frames, and fewer would hide "
                     "their callers: use 4 or more",
                     option);
    else if (is_about_descriptors(option) && !reports_descriptors(version))
        gg_error_set(err,
                     "--valgrind-arg: %s: valgrind %s reports descriptors in a way no gate can "
                     "use: this needs valgrind 3.25 or later",
                     option, version);
    return !err->set;
}

bool gg_flags_check(const char *const *args, const char *version, struct gg_error *err)
{
    for (; args && *args; args++) {
        if (!check_one(*args, version, err))
            return false;
    }
    return true;
}

bool gg_flags_need_version(const char *const *args)
{
    for (; args && *args; args++) {
        if (is_about_descriptors(*args))
            return true;
    }
    return false;
}

const char *gg_flags_unread(struct gg_arena *arena)
{
    const char *home = getenv("HOME"), *variable = getenv("VALGRIND_OPTS");
    const char *const places[] = {
        variable && *variable ? "VALGRIND_OPTS" : NULL,
        home && access(gg_fs_join(arena, home, ".valgrindrc"), F_OK) == 0 ? "~/.valgrindrc" : NULL,
        access(".valgrindrc", F_OK) == 0 ? "./.valgrindrc" : NULL};
    const char *list = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i])
            list = list ? gg_arena_printf(arena, "%s, %s", list, places[i]) : places[i];
    }
    return list;
}

const char *gg_flags_tool(const char *const *args)
{
    const char *tool = "memcheck";
    for (; args && *args; args++) {
        if (strncmp(*args, "--tool=", 7) == 0)
            tool = *args + 7;
    }
    return tool;
}

bool gg_flags_has(const char *const *args, const char *option)
{
    for (; args && *args; args++) {
        if (strcmp(*args, option) == 0)
            return true;
    }
    return false;
}
