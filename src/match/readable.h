/*
 * Readable: what a fun: pattern means where a report has demangled names only.
 *
 * valgrind compares the linker's names. A report that was written without --demangle=no and without
 * generated suppressions does not have those of C++ and Rust functions, so a match is a guess: the
 * pattern, made readable, against the name, with or without its parameters.
 */
#ifndef GG_MATCH_READABLE_H
#define GG_MATCH_READABLE_H

#include "base/arena.h"
#include "base/str.h"

/* Is it a demangled name by its looks? Names of C functions are the same either way. */
bool gg_readable_looks(struct gg_str name);

/* The name without its parameters: "ns::f" of "ns::f(int) const". The name itself when it has
 * none. */
struct gg_str gg_readable_bare(struct gg_str name);

/* "_ZN2ns1fEi" -> "ns::f(int)", "_ZN2ns3Foo*" -> "ns::Foo*"; empty when it is nothing mangled, or
 * cannot be told. */
struct gg_str gg_readable_pattern(struct gg_arena *arena, struct gg_str pattern);

/* May the pattern mean the function of this readable name? */
bool gg_readable_fits(struct gg_arena *scratch, struct gg_str pattern, struct gg_str name);

#endif
