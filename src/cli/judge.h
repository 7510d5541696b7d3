/*
 * Judge: what run and check share, from settings to the exit status.
 */
#ifndef GG_CLI_JUDGE_H
#define GG_CLI_JUDGE_H

#include "cli/opt.h"

/* Runs a session on the command (run) or the reports (check), writes the outputs, returns the exit
 * status. Exactly one of the two lists is not NULL. Reads the environment and the configuration;
 * when `command` is empty the configuration's is used. */
int gg_judge(struct gg_opts *opts, const char *const *command, const char *const *reports);

#endif
