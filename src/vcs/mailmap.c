#include "vcs/mailmap.h"

#include <stdlib.h>
#include <string.h>

void gg_mailmap_init(struct gg_mailmap *mailmap, struct gg_arena *arena)
{
    *mailmap = (struct gg_mailmap){.arena = arena};
}

void gg_mailmap_free(struct gg_mailmap *mailmap)
{
    gg_map_free(&mailmap->by_email);
    gg_map_free(&mailmap->by_email_name);
}

/* What two spellings of one person have in common. */
static char *key_of(struct gg_arena *arena, const char *email, const char *name)
{
    char *key = gg_arena_printf(arena, name ? "%s\n%s" : "%s", email, name);
    for (char *at = key; *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + ('a' - 'A') : *at);
    return key;
}

/* Takes "Name <email>" off the text; the name is NULL where there is none. */
static bool take_person(struct gg_arena *arena, struct gg_str *text, struct gg_person *person)
{
    struct gg_str name, email, rest;
    if (!gg_str_cut(*text, '<', &name, &rest) || !gg_str_cut(rest, '>', &email, &rest))
        return false;
    name = gg_str_trim(name);
    person->name = name.len ? gg_arena_strndup(arena, name.ptr, name.len) : NULL;
    person->email = gg_arena_strndup(arena, email.ptr, email.len);
    *text = rest;
    return true;
}

static struct gg_person *entry(struct gg_mailmap *mailmap, struct gg_map *map,
                               const struct gg_person *old)
{
    const char *key = key_of(mailmap->arena, old->email, old->name);
    void **place = gg_map_put(map, key, strlen(key));
    if (!*place)
        *place = gg_arena_alloc(mailmap->arena, sizeof *old);
    return *place;
}

static void add_line(struct gg_mailmap *mailmap, struct gg_str line)
{
    struct gg_person proper, old;
    if (gg_str_starts(line, "#") || !take_person(mailmap->arena, &line, &proper) ||
        !proper.email[0])
        return;
    if (!take_person(mailmap->arena, &line, &old)) {
        old = (struct gg_person){.email = proper.email};
        proper.email = NULL;
    }
    if (old.name) {
        *entry(mailmap, &mailmap->by_email_name, &old) = proper;
        return;
    }
    struct gg_person *person = entry(mailmap, &mailmap->by_email, &old);
    person->name = proper.name ? proper.name : person->name;
    person->email = proper.email ? proper.email : person->email;
}

void gg_mailmap_add(struct gg_mailmap *mailmap, struct gg_str text)
{
    struct gg_str line;
    while (gg_str_line(&text, &line))
        add_line(mailmap, line);
}

static const struct gg_person *lookup(const struct gg_mailmap *mailmap, const struct gg_map *map,
                                      const char *email, const char *name)
{
    const char *key = key_of(mailmap->arena, email, name);
    void **found = gg_map_find(map, key, strlen(key));
    return found ? *found : NULL;
}

void gg_mailmap_resolve(const struct gg_mailmap *mailmap, struct gg_person *person)
{
    const struct gg_person *proper =
        lookup(mailmap, &mailmap->by_email_name, person->email, person->name);
    if (!proper)
        proper = lookup(mailmap, &mailmap->by_email, person->email, NULL);
    if (!proper)
        return;
    person->name = proper->name ? proper->name : person->name;
    person->email = proper->email ? proper->email : person->email;
}
