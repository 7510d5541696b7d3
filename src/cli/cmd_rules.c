#include "base/suggest.h"
#include "cli/command.h"
#include "cli/rules_verbs.h"
#include "grindgate/grindgate.h"

#include <string.h>

static const struct gg_rules_verb *const verbs[] = {&gg_rules_verb_lint, &gg_rules_verb_test,
                                                    &gg_rules_verb_list, &gg_rules_verb_suggest};

enum { VERBS = sizeof verbs / sizeof *verbs };

static int unknown_verb(const char *name)
{
    struct gg_error err = {0};
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, gg_str(name));
    for (size_t i = 0; i < VERBS; i++)
        gg_suggest_offer(&suggest, verbs[i]->name);
    if (suggest.best)
        gg_error_set(&err, "rules %s: is no command; did you mean rules %s?", name, suggest.best);
    else
        gg_error_set(&err, "rules %s: is no command; 'grindgate rules --help' lists them", name);
    return gg_command_complain(err.text);
}

static bool has_option(const struct gg_rules_verb *verb, enum gg_opt_id id)
{
    const enum gg_opt_id *own = verb->options;
    while (*own != GG_OPTS && *own != id)
        own++;
    return *own == id;
}

/* "rules lint and rules test" */
static const char *verbs_with(struct gg_arena *arena, enum gg_opt_id id)
{
    const char *names = "";
    for (size_t i = 0; i < VERBS; i++) {
        if (has_option(verbs[i], id))
            names = gg_arena_printf(arena, "%s%srules %s", names, names[0] ? " and " : "",
                                    verbs[i]->name);
    }
    return names;
}

/* An option of another verb would do nothing here. What the environment says is for all. */
static bool check_options(const struct gg_opts *opts, const struct gg_rules_verb *verb,
                          struct gg_error *err)
{
    for (int i = 0; i < GG_OPTS; i++) {
        enum gg_opt_id id = (enum gg_opt_id)i;
        const char *others = verbs_with(opts->arena, id);
        if (opts->values[id].source != GG_OPT_FROM_FLAG || !others[0] || has_option(verb, id))
            continue;
        gg_error_set(err, "rules %s: --%s is an option of %s", verb->name, gg_opt_table[id].name,
                     others);
        return false;
    }
    return true;
}

static int call(struct gg_opts *opts, const struct gg_rules_verb *verb)
{
    struct gg_error err = {0};
    return check_options(opts, verb, &err) ? verb->execute(opts, opts->operands + 1)
                                           : gg_command_complain(err.text);
}

static int execute(struct gg_opts *opts)
{
    const char *name = opts->operands[0];
    if (!name)
        return gg_command_complain(
            "rules: what is to be done with them? 'grindgate rules --help' lists it");
    for (size_t i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i]->name, name) == 0)
            return call(opts, verbs[i]);
    }
    return unknown_verb(name);
}

const struct gg_command gg_command_rules = {
    .name = "rules",
    .mask = GG_OPT_RULES,
    .usage = "lint|test|list|suggest [OPTIONS] ...",
    .summary = "look after suppressions and rules",
    .text =
        "rules lint [FILE...]      what is wrong with rules by themselves: malformed, expired,\n"
        "                          duplicate, too broad ... FILE: rules in JSON when it ends\n"
        "                          in .json, else suppressions; without one those of the\n"
        "                          configuration. --syntax-only asks one thing: would\n"
        "                          the valgrind at hand (--valgrind) load the file?\n"
        "rules test REPORT...      applies the rules to reports, judges nothing, and shows\n"
        "                          what each rule did: unused, shadowed by an earlier one,\n"
        "                          used only in some runs ...\n"
        "rules list                the packs: suppressions that grindgate brings along\n"
        "rules suggest REPORT...   a suppression for every open finding, or one for those\n"
        "                          that --finding names, proved to fit nothing else in the\n"
        "                          reports\n\n"
        "  grindgate rules lint\n"
        "  grindgate rules lint --syntax-only tests/valgrind.supp\n"
        "  grindgate rules test --suppressions tests/valgrind.supp reports/\n"
        "  grindgate rules suggest --finding 1f3b9c reports/ >> tests/valgrind.supp\n\n"
        "lint and test write a line for each thing that is wrong,\n\n"
        "  FILE:LINE: KIND: [RULE] what is wrong, and what to do\n\n"
        "A fault is of a rule that does not do what it says (malformed, expired, duplicate,\n"
        "shadowed, unused, never-matches); everything else is advice.\n",
    .exits =
        "  0  no faults; with --syntax-only: valgrind would load each file\n"
        "  1  at least one fault; suggest: something has no suppression that would do\n"
        "  2  usage or configuration error, or a file that valgrind would not load\n"
        "  3  test, suggest: a report is missing or not whole, so rules may be used after all;\n"
        "     or an output could not be written\n",
    .execute = execute,
};
