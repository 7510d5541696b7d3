/*
 * Subject: what `run` runs, a program or a CTest suite.
 */
#ifndef GG_CLI_SUBJECT_H
#define GG_CLI_SUBJECT_H

#include "cli/config.h"
#include "cli/opt.h"
#include "grindgate/grindgate.h"

/* Sets command, ctest and launcher by what was given; `operands` are the words behind the options.
 * What was named on the command line goes before what grindgate.json names. */
bool gg_subject_choose(const struct gg_opts *opts, const struct gg_config *config,
                       const char *const *operands, struct gg_options *options,
                       struct gg_error *err);

#endif
