/*
 * Config: grindgate.json, the settings a repository carries. Keys are those of options.def, and
 * `command`, the program that `run` runs when none is named.
 */
#ifndef GG_CLI_CONFIG_H
#define GG_CLI_CONFIG_H

#include "cli/opt.h"

struct gg_config {
    const char *path;           /* NULL: there is none */
    const char *const *command; /* NULL-terminated, or NULL */
};

/* Reads the file that --config names, or `root`/grindgate.json if it exists. Paths in it are
 * relative to its directory. Unknown keys and wrong values are errors with file and line. */
bool gg_config_load(struct gg_opts *opts, const char *root, struct gg_config *config,
                    struct gg_error *err);

#endif
