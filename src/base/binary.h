/*
 * Binary: what kind of program a file is, and of which build.
 */
#ifndef GG_BASE_BINARY_H
#define GG_BASE_BINARY_H

#include "base/arena.h"

enum gg_binary {
    GG_BINARY_UNKNOWN, /* not there, not readable, or nothing of the following */
    GG_BINARY_DYNAMIC, /* ELF, started by the dynamic loader */
    GG_BINARY_STATIC,  /* ELF, linked statically: valgrind cannot replace its malloc */
    GG_BINARY_SCRIPT   /* begins with #! */
};

/* *interpreter: of a script, "/bin/sh", in the arena; else NULL. Never waits (for a pipe). */
enum gg_binary gg_binary_of(struct gg_arena *arena, const char *path, const char **interpreter);

/* The build id that the linker gave an ELF file, in hex, in the arena: what is linked of other
 * code has another one. NULL: it has none, or is no such file. */
const char *gg_binary_build_id(struct gg_arena *arena, const char *path);

#endif
