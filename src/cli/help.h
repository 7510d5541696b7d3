/*
 * Help: the text of --help, made from the tables of commands and options.
 */
#ifndef GG_CLI_HELP_H
#define GG_CLI_HELP_H

#include "base/out.h"
#include "cli/command.h"

extern const char gg_help_introduction[]; /* what it is, with examples */
extern const char gg_help_exit_statuses[];

/* `commands` ends with NULL. */
void gg_help_overview(struct gg_out *out);
void gg_help_command(struct gg_out *out, const struct gg_command *command);

#endif
