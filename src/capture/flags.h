/*
 * Flags: which of valgrind's options a gate can be run with.
 *
 * valgrind reads its options from ~/.valgrindrc, $VALGRIND_OPTS, ./.valgrindrc and the command
 * line, in this order; of two that contradict each other the later one holds. The user's own come
 * after grindgate's, so those that would keep an error or a report from being seen are refused.
 * What stands before grindgate's is put right by it (see valgrind.c), but for a few.
 */
#ifndef GG_CAPTURE_FLAGS_H
#define GG_CAPTURE_FLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "grindgate/error.h"

/* The user's own options, NULL-terminated or NULL; `version` is valgrind's. */
bool gg_flags_check(const char *const *args, const char *version, struct gg_error *err);

/* The files and the environment variable. */
bool gg_flags_check_defaults(const char *const *args, struct gg_error *err);

/* The tool these options ask for; "memcheck" when none. */
const char *gg_flags_tool(const char *const *args);

bool gg_flags_has(const char *const *args, const char *option);

#endif
