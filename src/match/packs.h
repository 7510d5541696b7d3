/*
 * Packs: suppressions that grindgate brings along, one file of rules/ a library, built into the
 * program.
 */
#ifndef GG_MATCH_PACKS_H
#define GG_MATCH_PACKS_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/model.h"

struct gg_pack {
    const char *name;             /* "glibc" */
    const char *summary;          /* one line: what for, proved with which versions */
    const char *const *objects;   /* wildcards for the objects that it is for; ended by NULL */
    const char *const *functions; /* the same for a library that becomes part of programs */
    struct gg_str text;           /* a suppression file */
};

/* All of them, by name. */
const struct gg_pack *gg_packs(size_t *count);

/* NULL when there is none of that name. */
const struct gg_pack *gg_pack_find(const char *name);

/* Does a stack of the report pass one of the pack's objects or functions? */
bool gg_pack_applies(const struct gg_pack *pack, const struct gg_report *report);

#endif
