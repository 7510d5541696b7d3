/*
 * Opt: the table of options and what was given for each, by whom.
 *
 * A flag wins over the environment, the environment over the configuration file, that over the
 * default; a list that is given at a higher place replaces the lower one's.
 */
#ifndef GG_CLI_OPT_H
#define GG_CLI_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "grindgate/error.h"

enum gg_opt_type {
    GG_OPT_FLAG,
    GG_OPT_TEXT,
    GG_OPT_NUMBER,
    GG_OPT_COUNT,
    GG_OPT_SIZE,
    GG_OPT_LIST,
    GG_OPT_CHOICE
};

/* Commands, and groups of them, as bits. */
enum {
    GG_OPT_RUN = 1,
    GG_OPT_CHECK = 2,
    GG_OPT_WRAP = 4,
    GG_OPT_SELFTEST = 8,
    GG_OPT_RULES = 16,
    GG_OPT_EXPLAIN = 32,
    GG_OPT_JUDGE = GG_OPT_RUN | GG_OPT_CHECK,
    GG_OPT_LAUNCH = GG_OPT_RUN | GG_OPT_WRAP,
    GG_OPT_WEIGH = GG_OPT_JUDGE | GG_OPT_EXPLAIN,
    GG_OPT_TREE = GG_OPT_WEIGH | GG_OPT_WRAP | GG_OPT_RULES,
    GG_OPT_UNDER = GG_OPT_LAUNCH | GG_OPT_SELFTEST,
    GG_OPT_READ = GG_OPT_WEIGH | GG_OPT_RULES,
    GG_OPT_ASK = GG_OPT_UNDER | GG_OPT_RULES,
    GG_OPT_RULED = GG_OPT_READ | GG_OPT_SELFTEST,
    GG_OPT_ALL = GG_OPT_RULED | GG_OPT_WRAP
};

enum gg_opt_id {
#define GG_OPTION(id, name, letter, type, key, argument, commands, help) GG_OPT_##id,
#include "cli/options.def"
#undef GG_OPTION
    GG_OPTS
};

struct gg_opt_info {
    const char *name;
    char letter;
    enum gg_opt_type type;
    const char *key;
    const char *argument;
    unsigned commands;
    const char *help;
};

extern const struct gg_opt_info gg_opt_table[GG_OPTS];

enum gg_opt_source { GG_OPT_UNSET, GG_OPT_FROM_CONFIG, GG_OPT_FROM_ENVIRONMENT, GG_OPT_FROM_FLAG };

struct gg_opt_value {
    enum gg_opt_source source;
    GG_VEC(const char *) texts; /* a flag that is on holds "true" */
};

struct gg_opts {
    struct gg_arena *arena;
    unsigned command; /* the one of GG_OPT_RUN, GG_OPT_CHECK ... that is called */
    struct gg_opt_value values[GG_OPTS];
    const char *config;          /* the settings file, which need not be there; NULL: none */
    const char *const *operands; /* what is no option, NULL-terminated */
    bool dashed;                 /* they stood behind "--" */
};

/* Parses the words behind the command's name. What runs a program ends its options at the first
 * word that is none; every command ends them at "--". */
bool gg_opt_parse(struct gg_opts *opts, char *const *words, struct gg_error *err);

/* GRINDGATE_FAIL_ON=warning; lists hold one entry a line. */
bool gg_opt_environment(struct gg_opts *opts, struct gg_error *err);

/* Adds one value; `where` ("--fail-on", "GRINDGATE_FAIL_ON", "grindgate.json:3: fail_on") begins
 * the error when the value does not fit the option. Ignored when a higher source has spoken. */
bool gg_opt_set(struct gg_opts *opts, enum gg_opt_id id, enum gg_opt_source source,
                const char *where, const char *text, struct gg_error *err);

/* The last value, or NULL. */
const char *gg_opt_text(const struct gg_opts *opts, enum gg_opt_id id);
bool gg_opt_flag(const struct gg_opts *opts, enum gg_opt_id id);

/* The position of the value among a CHOICE's words, or `otherwise`. */
unsigned gg_opt_choice(const struct gg_opts *opts, enum gg_opt_id id, unsigned otherwise);

/* NUMBER, COUNT and SIZE. */
uint64_t gg_opt_number(const struct gg_opts *opts, enum gg_opt_id id, uint64_t otherwise);

/* NULL-terminated; NULL when nothing was given. */
const char *const *gg_opt_list(const struct gg_opts *opts, enum gg_opt_id id);

#endif
