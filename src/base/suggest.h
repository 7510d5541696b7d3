/*
 * Suggest: "did you mean", the offered word that takes the fewest edits.
 */
#ifndef GG_BASE_SUGGEST_H
#define GG_BASE_SUGGEST_H

#include "base/str.h"

struct gg_suggest {
    struct gg_str word;
    const char *best; /* NULL: nothing is near */
    size_t distance;
};

void gg_suggest_begin(struct gg_suggest *suggest, struct gg_str word);
void gg_suggest_offer(struct gg_suggest *suggest, const char *candidate);

#endif
