#include "base/atom.h"

#include <string.h>

void gg_atoms_init(struct gg_atoms *atoms, struct gg_arena *arena)
{
    *atoms = (struct gg_atoms){.arena = arena};
}

void gg_atoms_free(struct gg_atoms *atoms)
{
    gg_map_free(&atoms->map);
}

const char *gg_atom_n(struct gg_atoms *atoms, const char *ptr, size_t len)
{
    void **known = gg_map_find(&atoms->map, ptr, len);
    if (known)
        return *known;
    char *text = gg_arena_strndup(atoms->arena, ptr, len);
    *gg_map_put(&atoms->map, text, len) = text;
    return text;
}

const char *gg_atom(struct gg_atoms *atoms, const char *text)
{
    return gg_atom_n(atoms, text, strlen(text));
}
