/*
 * Similarity: how much of a text is found again in another, as git counts it for renames.
 *
 * A text is a bag of pieces, each a line or 64 bytes of one. Two texts share the bytes of the
 * pieces (by a hash of git's) that both have; the score is that of the larger text's size,
 * scaled to 60000. A last piece that is neither ended by a line feed nor 64 bytes long counts
 * for nothing, as in git before 2.44.
 */
#ifndef GG_VCS_SIMILARITY_H
#define GG_VCS_SIMILARITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define GG_SIMILARITY_MAX 60000u

/* Zeroed before the first use. */
struct gg_similarity {
    uint32_t *target; /* bytes of the target in pieces of each hash */
    uint32_t *left;   /* those no piece of the other text has taken yet */
    size_t size;
};

/* Sets the text others are compared with. */
void gg_similarity_target(struct gg_similarity *similarity, struct gg_str text);

/* Can a text of this size reach the score at all? */
bool gg_similarity_possible(const struct gg_similarity *similarity, size_t size, uint32_t score);

uint32_t gg_similarity_score(struct gg_similarity *similarity, struct gg_str text);

void gg_similarity_free(struct gg_similarity *similarity);

#endif
