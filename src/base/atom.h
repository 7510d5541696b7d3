/*
 * Atom: an interned string. Two atoms of one table are the same text if and only if they are the
 * same pointer. NUL-terminated, immutable, living in the table's arena.
 */
#ifndef GG_BASE_ATOM_H
#define GG_BASE_ATOM_H

#include "base/arena.h"
#include "base/map.h"

struct gg_atoms {
    struct gg_arena *arena;
    struct gg_map map;
};

void gg_atoms_init(struct gg_atoms *atoms, struct gg_arena *arena);
void gg_atoms_free(struct gg_atoms *atoms);

/* The atom of these bytes, which hold no NUL. */
const char *gg_atom_n(struct gg_atoms *atoms, const char *ptr, size_t len);
const char *gg_atom(struct gg_atoms *atoms, const char *text);

#endif
