/*
 * Concerns: the list that lint writes what it finds into.
 */
#ifndef GG_MATCH_CONCERNS_H
#define GG_MATCH_CONCERNS_H

#include "base/map.h"
#include "base/vec.h"
#include "grindgate/model.h"

struct gg_concerns {
    struct gg_arena *arena;
    GG_VEC(struct gg_concern) list;
    struct gg_map twins; /* by address of a rule: the one before it that asks for the same */
};

/* The rule does not do what it says. `kind` is a word for programs and must stay; the sentence is
 * formatted like printf. */
void gg_concerns_fault(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* It does, and should be looked at nevertheless. */
void gg_concerns_advise(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
