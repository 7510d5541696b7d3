/*
 * Flags: which of valgrind's options a gate can be run with.
 *
 * Of two that contradict each other valgrind takes the later one. The user's own come after
 * grindgate's, so those that would keep an error or a report from being seen are refused. What
 * stands in ~/.valgrindrc, $VALGRIND_OPTS and ./.valgrindrc valgrind is told not to read
 * (--command-line-only=yes, which its children inherit): a line there, also in a directory that a
 * program changes to, would hide errors unseen.
 */
#ifndef GG_CAPTURE_FLAGS_H
#define GG_CAPTURE_FLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "grindgate/error.h"

/* The user's own options, NULL-terminated or NULL; `version` is valgrind's, NULL when no option
 * needs it. */
bool gg_flags_check(const char *const *args, const char *version, struct gg_error *err);

/* Does what may be given depend on the version? */
bool gg_flags_need_version(const char *const *args);

/* "VALGRIND_OPTS, ./.valgrindrc": where options stand that valgrind does not read; NULL: nowhere.
 */
const char *gg_flags_unread(struct gg_arena *arena);

/* The tool these options ask for; "memcheck" when none. */
const char *gg_flags_tool(const char *const *args);

bool gg_flags_has(const char *const *args, const char *option);

#endif
