/*
 * Settings: from flags, the environment and grindgate.json to the options of a session.
 */
#ifndef GG_CLI_SETTINGS_H
#define GG_CLI_SETTINGS_H

#include "cli/config.h"
#include "cli/opt.h"
#include "grindgate/grindgate.h"

/* Reads the environment, and the configuration of the repository around --repo. Without a
 * repository only the environment and --config count, unless `need_repository`. */
bool gg_settings_load(struct gg_opts *opts, bool need_repository, struct gg_config *config,
                      struct gg_error *err);

/* What was set; the rest are the library's defaults. */
void gg_settings_fill(const struct gg_opts *opts, struct gg_options *options);

#endif
