/*
 * Command: one row a command; a file each. The table is in commands.c.
 */
#ifndef GG_CLI_COMMAND_H
#define GG_CLI_COMMAND_H

#include "cli/opt.h"

struct gg_command {
    const char *name;
    unsigned mask;                        /* the bit of the options it knows, GG_OPT_RUN ... */
    const char *usage;                    /* behind "grindgate NAME" */
    const char *summary;                  /* one line, for the list of commands */
    const char *text;                     /* what it does, with examples, for its --help */
    const char *exits;                    /* its exit statuses; NULL: the gate's */
    int (*execute)(struct gg_opts *opts); /* returns the exit status */
};

extern const struct gg_command gg_command_run;
extern const struct gg_command gg_command_check;
extern const struct gg_command gg_command_wrap;
extern const struct gg_command gg_command_selftest;
extern const struct gg_command gg_command_rules;
extern const struct gg_command gg_command_explain;

/* All of them, in the order of --help, ended by NULL. */
extern const struct gg_command *const gg_commands[];

/* "grindgate: TEXT" on standard error, made visible. Returns 2, the status for usage. */
int gg_command_complain(const char *text);

#endif
