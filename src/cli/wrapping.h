/*
 * Wrapping: what `grindgate wrap` does when its settings are known.
 */
#ifndef GG_CLI_WRAPPING_H
#define GG_CLI_WRAPPING_H

#include "cli/opt.h"

/* Runs the operands under valgrind and returns, or ends by, what they ended with. */
int gg_wrapping_run(const struct gg_opts *opts);

#endif
