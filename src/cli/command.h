/*
 * Command: one row a command; a file each. The table is in main.c.
 */
#ifndef GG_CLI_COMMAND_H
#define GG_CLI_COMMAND_H

#include "cli/opt.h"

struct gg_command {
    const char *name;
    unsigned mask;                        /* which options it knows, GG_OPT_RUN, GG_OPT_CHECK */
    const char *usage;                    /* behind "grindgate NAME" */
    const char *summary;                  /* one line, for the list of commands */
    const char *text;                     /* what it does, with examples, for its --help */
    int (*execute)(struct gg_opts *opts); /* returns the exit status */
};

extern const struct gg_command gg_command_run;
extern const struct gg_command gg_command_check;

/* "grindgate: TEXT" on standard error, made visible. Returns 2, the status for usage. */
int gg_command_complain(const char *text);

#endif
