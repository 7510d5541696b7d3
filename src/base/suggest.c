#include "base/suggest.h"

#include <string.h>

#define WORD_MAX 40

/* Levenshtein's distance, with one row of the table kept. */
static size_t distance(struct gg_str a, struct gg_str b)
{
    size_t row[WORD_MAX + 1];
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b.len];
}

void gg_suggest_begin(struct gg_suggest *suggest, struct gg_str word)
{
    *suggest = (struct gg_suggest){.word = word, .distance = word.len / 3 + 1};
}

void gg_suggest_offer(struct gg_suggest *suggest, const char *candidate)
{
    struct gg_str other = gg_str(candidate);
    if (suggest->word.len > WORD_MAX || other.len > WORD_MAX)
        return;
    size_t edits = distance(suggest->word, other);
    if (edits < suggest->distance || (edits == suggest->distance && !suggest->best)) {
        suggest->distance = edits;
        suggest->best = candidate;
    }
}
