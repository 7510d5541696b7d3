/*
 * Valgrind: is it there, which one is it, and what is it to be told.
 */
#ifndef GG_CAPTURE_VALGRIND_H
#define GG_CAPTURE_VALGRIND_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/grindgate.h"

/* Its version as it says itself, "3.19.0"; NULL with an error when it cannot be run. */
const char *gg_valgrind_version(struct gg_arena *arena, const char *program, struct gg_error *err);

/* The whole command: valgrind, its options, the program and its arguments; NULL-terminated.
 * Each process writes its report to DIRECTORY/PID.xml, and what valgrind itself has to say goes to
 * DIRECTORY/valgrind.log (see inbox.h for what becomes of them); the directory is absolute. NULL
 * with an error when valgrind could not take its name. */
const char *const *gg_valgrind_command(struct gg_arena *arena, const struct gg_options *options,
                                       const char *directory, struct gg_error *err);

#endif
