/*
 * Mailmap: the names people want to be known by.
 *
 *     Proper Name <commit@email>
 *     <proper@email> <commit@email>
 *     Proper Name <proper@email> Commit Name <commit@email>
 *
 * As git reads it: case does not matter, later lines win over earlier ones. (libgit2's own tells
 * Ada@example.org from ada@example.org.)
 */
#ifndef GG_VCS_MAILMAP_H
#define GG_VCS_MAILMAP_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

struct gg_mailmap {
    struct gg_arena *arena;
    struct gg_map by_email;      /* lower case -> struct gg_person */
    struct gg_map by_email_name; /* "email\nname", lower case -> struct gg_person */
};

/* NULL: stays as the commit has it. */
struct gg_person {
    const char *name, *email;
};

void gg_mailmap_init(struct gg_mailmap *mailmap, struct gg_arena *arena);
void gg_mailmap_free(struct gg_mailmap *mailmap);

void gg_mailmap_add(struct gg_mailmap *mailmap, struct gg_str text);

/* Replaces the person's name and email by the proper ones. */
void gg_mailmap_resolve(const struct gg_mailmap *mailmap, struct gg_person *person);

#endif
