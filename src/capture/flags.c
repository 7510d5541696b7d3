#include "capture/flags.h"

#include "base/fs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RC_LIMIT = 1 << 20 };

/* One option that is refused, but for the values that do no harm. */
struct rule {
    const char *name;    /* with the "=" when it has a value */
    const char *allowed; /* "a|b", or NULL: none is */
    bool anywhere;       /* also where it stands before grindgate's own options */
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
    {"--xml=", "yes", false, RULE_REPORT},
    {"--xml-file=", NULL, false, RULE_REPORT},
    {"--xml-fd=", NULL, false, RULE_REPORT},
    {"--xml-socket=", NULL, false, RULE_REPORT},
    {"--xml-user-comment=", NULL, true,
     "valgrind writes the text into the report as it is, markup and all: leave it out"},
    {"--log-file=", NULL, false, RULE_LOG},
    {"--log-fd=", NULL, false, RULE_LOG},
    {"--log-socket=", NULL, false, RULE_LOG},
    {"--quiet", NULL, false, RULE_QUIET},
    {"-q", NULL, false, RULE_QUIET},
    {"--show-error-list=", "yes|all", false,
     "the report would not tell which suppressions were used: leave it out"},
    {"--tool=", "memcheck|helgrind|drd", false,
     "only memcheck, helgrind and drd report errors as XML: use one of them"},
    {"--leak-check=", "full|yes", false, RULE_LEAKS},
    {"--show-leak-kinds=", "all", false, RULE_LEAKS},
    {"--show-reachable=", "yes", false, RULE_LEAKS},
    {"--show-possibly-lost=", "yes", false, RULE_LEAKS},
    {"--leak-resolution=", "high", false,
     "leaks of different callers would be folded into one: leave it out"},
    {"--xtree-leak=", "no", false, "leaks would go to a file that is not a report: leave it out"},
    {"--keep-stacktraces=", "alloc|alloc-and-free|alloc-then-free", false,
     "leaks would have no stack, so no line to be laid to: use --keep-stacktraces=alloc"},
    {"--trace-children=", "yes", false,
     "children would run unchecked: name those to leave alone with --trace-children-skip"},
    {"--child-silent-after-fork=", "no", false,
     "errors of forked children would be lost: leave it out"},
    {"--exit-on-first-error=", "no", false,
     "every later error would be missing: leave it out, the gate reads all of them"},
    {"--error-exitcode=", "0", false,
     "the program's own exit status would be lost: use grindgate's exit status"},
    {"--error-limit=", "no", false, "errors after the limit would be missing: leave it out"},
    {"--gen-suppressions=", "no", false,
     "a report would double in size: use 'grindgate rules suggest'"},
    {"--demangle=", "no", false,
     "suppressions match mangled names: leave it out, grindgate demangles what it shows"},
    {"--sym-offsets=", "no", false,
     "function names would hold offsets and match nothing: leave it out"},
    {"--read-inline-info=", "yes", false,
     "a function would be shown with a line of what was inlined into it: leave it out"},
    {"--vgdb-error=", NULL, false, RULE_STOP},
    {"--vgdb-stop-at=", "none", false, RULE_STOP},
    {"--wait-for-gdb=", "no", true, RULE_STOP},
    {"-h", NULL, true, RULE_HELP},
    {"--help", NULL, true, RULE_HELP},
    {"--help-debug", NULL, true, RULE_HELP},
    {"--help-dyn-options", NULL, true, RULE_HELP},
    {"--version", NULL, true, RULE_HELP},
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
static const struct rule *broken_rule(const char *option, bool anywhere)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        size_t len = strlen(rule->name);
        bool valued = rule->name[len - 1] == '=';
        if (strncmp(option, rule->name, len) != 0 || (!valued && option[len]))
            continue;
        if ((!anywhere || rule->anywhere) && !is_one_of(gg_str(option + len), rule->allowed))
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

static bool check_one(const char *option, const char *version, struct gg_error *err)
{
    const struct rule *rule = broken_rule(option, false);
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
    else if (strncmp(option, "--track-fds=", 12) == 0 && strcmp(option + 12, "no") != 0 &&
             !reports_descriptors(version))
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

/* The next word as valgrind cuts them: at white space outside of quotes, which are dropped.
 *     --log-file="my file" -q */
static bool next_word(struct gg_str *rest, char *word)
{
    *rest = gg_str_trim(*rest);
    size_t len = 0, at = 0;
    char quote = '\0';
    for (; at < rest->len && (quote || !strchr(" \t\n\v\f\r", rest->ptr[at])); at++) {
        char c = rest->ptr[at];
        if (c == quote)
            quote = '\0';
        else if (c == '\'' || c == '"')
            quote = c;
        else
            word[len++] = c;
    }
    *rest = gg_str_n(rest->ptr + at, rest->len - at);
    word[len] = '\0';
    return at > 0;
}

static bool check_text(struct gg_arena *arena, const char *where, const char *text,
                       struct gg_error *err)
{
    struct gg_str rest = gg_str(text);
    char *word = gg_arena_alloc(arena, rest.len + 1);
    while (next_word(&rest, word)) {
        const struct rule *rule = broken_rule(word, true);
        if (rule) {
            gg_error_set(err, "%s: %s: %s", where, word, rule->why);
            return false;
        }
    }
    return true;
}

/* A file that cannot be read is none to valgrind either. */
static bool check_file(struct gg_arena *arena, const char *path, struct gg_error *err)
{
    struct gg_str text;
    struct gg_error unreadable = {0};
    return !gg_fs_read(arena, path, RC_LIMIT, &text, &unreadable) ||
           check_text(arena, path, text.ptr, err);
}

bool gg_flags_check_defaults(const char *const *args, struct gg_error *err)
{
    if (gg_flags_has(args, "--command-line-only=yes") &&
        !gg_flags_has(args, "--command-line-only=no"))
        return true;
    struct gg_arena arena;
    gg_arena_init(&arena);
    const char *home = getenv("HOME"), *variable = getenv("VALGRIND_OPTS");
    bool ok = (!home || check_file(&arena, gg_fs_join(&arena, home, ".valgrindrc"), err)) &&
              (!variable || check_text(&arena, "VALGRIND_OPTS", variable, err)) &&
              check_file(&arena, "./.valgrindrc", err);
    gg_arena_free(&arena);
    return ok;
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
