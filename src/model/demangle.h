/*
 * Demangle: C++ and Rust symbols for people, by the demangler valgrind itself uses (libiberty).
 */
#ifndef GG_MODEL_DEMANGLE_H
#define GG_MODEL_DEMANGLE_H

#include "base/arena.h"

/* The readable form of a linker symbol, or the symbol itself when it is not mangled, malformed, or
 * would unfold to more than 16 KiB. Versions ("@@GLIBCXX_3.4") are kept. */
const char *gg_demangle(struct gg_arena *arena, const char *symbol);

#endif
