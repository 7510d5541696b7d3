/*
 * Grams: many texts, and which of them a wildcard fits, without trying each.
 *
 * A wildcard that holds four letters in a row fits only texts which hold them, too. Texts are
 * listed by the groups of four that they hold; of a wildcard's groups the one with the shortest
 * list is looked through.
 */
#ifndef GG_MATCH_GRAMS_H
#define GG_MATCH_GRAMS_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

typedef GG_VEC(uint32_t) gg_number_list;

struct gg_grams {
    const struct gg_str *texts;
    size_t count;
    struct gg_map by_text; /* -> position of the first + 1 */
    uint32_t *next;        /* the next of equal text + 1; 0: none */
    uint32_t *starts;      /* by group: where its list begins in `lists` */
    uint32_t *lists;
};

/* The texts stay where they are while it lives. */
void gg_grams_init(struct gg_grams *grams, struct gg_arena *arena, const struct gg_str *texts,
                   size_t count);
void gg_grams_free(struct gg_grams *grams);

/* Appends the positions of all texts that the wildcard fits. */
void gg_grams_find(const struct gg_grams *grams, struct gg_str wildcard, struct gg_arena *arena,
                   gg_number_list *found);

#endif
