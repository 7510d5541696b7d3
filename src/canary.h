/*
 * Canary: the program with known faults (canary/canary.c) that grindgate carries along, and what is
 * to be found in it. Private to the spine.
 */
#ifndef GG_CANARY_H
#define GG_CANARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/grindgate.h"

/* The bytes, written by the build (cmake/Embed.cmake). */
extern const unsigned char gg_canary_program[], gg_canary_source[];
extern const size_t gg_canary_program_len, gg_canary_source_len;

/* The faults in the order of their lines, from the marks in the source, with nothing said of them
 * yet. */
struct gg_selftest_fault *gg_canary_faults(struct gg_arena *arena, size_t *count);

/* A new private directory that holds the program and is a repository of its source; the program's
 * path. NULL with an error that says what to do when there can be no such thing, or it could not be
 * run from there; nothing is left then. */
const char *gg_canary_put(struct gg_arena *arena, const char **directory, struct gg_error *err);

#endif
