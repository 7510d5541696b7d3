#include "match/grams.h"
#include "match/wildcard.h"

#include <string.h>

enum { GRAM = 4, GROUPS = 1 << 16 };

/* Different groups of four may share a list: who looks at it looks at the texts. */
static uint32_t group_of(const char *letters)
{
    uint32_t word;
    memcpy(&word, letters, GRAM);
    return word * 2654435761u >> 16;
}

/* Every group of each text once: counted, or also put into the lists that end at `starts`. */
static void walk(struct gg_grams *grams, uint32_t *last, bool put)
{
    memset(last, 0, GROUPS * sizeof *last);
    for (uint32_t t = 0; t < grams->count; t++) {
        struct gg_str text = grams->texts[t];
        for (size_t i = 0; i + GRAM <= text.len; i++) {
            uint32_t group = group_of(text.ptr + i);
            if (last[group] == t + 1)
                continue;
            last[group] = t + 1;
            if (put)
                grams->lists[--grams->starts[group]] = t;
            else
                grams->starts[group]++;
        }
    }
}

void gg_grams_init(struct gg_grams *grams, struct gg_arena *arena, const struct gg_str *texts,
                   size_t count)
{
    *grams = (struct gg_grams){.texts = texts, .count = count};
    if (count == 0)
        return;
    grams->next = gg_arena_alloc(arena, count * sizeof *grams->next);
    for (size_t t = count; t-- > 0;) {
        void **first = gg_map_put(&grams->by_text, texts[t].ptr, texts[t].len);
        grams->next[t] = (uint32_t)(uintptr_t)*first;
        *first = (void *)(t + 1);
    }
    grams->starts = gg_arena_alloc(arena, (GROUPS + 1) * sizeof *grams->starts);
    uint32_t *last = gg_arena_alloc(arena, GROUPS * sizeof *last);
    walk(grams, last, false);
    uint32_t total = 0;
    for (size_t g = 0; g <= GROUPS; g++) {
        total += grams->starts[g];
        grams->starts[g] = total;
    }
    grams->lists = gg_arena_alloc(arena, total * sizeof *grams->lists);
    walk(grams, last, true);
}

void gg_grams_free(struct gg_grams *grams)
{
    gg_map_free(&grams->by_text);
}

static bool is_special(char c)
{
    return c == '*' || c == '?';
}

/* The wildcard's group with the shortest list; GROUPS when it has none. */
static uint32_t rarest(const struct gg_grams *grams, struct gg_str wildcard)
{
    uint32_t best = GROUPS;
    size_t shortest = SIZE_MAX, run = 0;
    for (size_t i = 0; i < wildcard.len; i++) {
        run = is_special(wildcard.ptr[i]) ? 0 : run + 1;
        if (run < GRAM)
            continue;
        uint32_t group = group_of(wildcard.ptr + i + 1 - GRAM);
        size_t len = grams->starts[group + 1] - grams->starts[group];
        if (len < shortest) {
            shortest = len;
            best = group;
        }
    }
    return best;
}

static void find_equal(const struct gg_grams *grams, struct gg_str text, struct gg_arena *arena,
                       gg_number_list *found)
{
    void **first = gg_map_find(&grams->by_text, text.ptr, text.len);
    for (uint32_t t = first ? (uint32_t)(uintptr_t)*first : 0; t; t = grams->next[t - 1])
        *gg_vec_push(arena, found) = t - 1;
}

void gg_grams_find(const struct gg_grams *grams, struct gg_str wildcard, struct gg_arena *arena,
                   gg_number_list *found)
{
    size_t plain = 0;
    if (grams->count == 0)
        return;
    while (plain < wildcard.len && !is_special(wildcard.ptr[plain]))
        plain++;
    if (plain == wildcard.len) {
        find_equal(grams, wildcard, arena, found);
        return;
    }
    uint32_t group = rarest(grams, wildcard);
    bool all = group == GROUPS;
    size_t from = all ? 0 : grams->starts[group];
    size_t to = all ? grams->count : grams->starts[group + 1];
    for (size_t i = from; i < to; i++) {
        uint32_t t = all ? (uint32_t)i : grams->lists[i];
        if (gg_wildcard_match(wildcard, grams->texts[t]))
            *gg_vec_push(arena, found) = t;
    }
}
