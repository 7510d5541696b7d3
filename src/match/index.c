#include "match/index.h"
#include "match/glob.h"
#include "match/readable.h"
#include "match/regex.h"

#include <stdlib.h>
#include <string.h>

void gg_name_index_init(struct gg_name_index *index, struct gg_arena *arena)
{
    *index = (struct gg_name_index){.arena = arena};
}

void gg_name_index_free(struct gg_name_index *index)
{
    for (size_t place = 0; place < GG_PLACES; place++) {
        gg_map_free(&index->by_text[place][0]);
        gg_map_free(&index->by_text[place][1]);
    }
    gg_map_free(&index->by_regex);
}

struct regex_key {
    const struct gg_regex *regex;
    uintptr_t place;
};

static void **slot_of(struct gg_name_index *index, const struct gg_pattern *pattern)
{
    if (pattern->form != GG_PATTERN_REGEX) {
        bool glob = pattern->form == GG_PATTERN_GLOB;
        return gg_map_put(&index->by_text[pattern->place][glob], pattern->text.ptr,
                          pattern->text.len);
    }
    struct regex_key key = {pattern->regex, pattern->place}, *kept;
    void **known = gg_map_find(&index->by_regex, &key, sizeof key);
    if (known)
        return known;
    kept = gg_arena_alloc(index->arena, sizeof *kept);
    *kept = key;
    return gg_map_put(&index->by_regex, kept, sizeof *kept);
}

uint32_t gg_name_index_add(struct gg_name_index *index, const struct gg_pattern *pattern)
{
    void **slot = slot_of(index, pattern);
    if (!*slot) {
        *gg_vec_push(index->arena, &index->patterns) = *pattern;
        *slot = (void *)index->patterns.len;
    }
    return (uint32_t)((uintptr_t)*slot - 1);
}

/* ---- texts to look for: the names of one place, or all ways to write readable ones ---- */

struct texts {
    struct gg_grams grams;
    GG_VEC(struct gg_str) text;
    gg_number_list name; /* by text */
};

struct solving {
    struct gg_name_index *index;
    const struct gg_names *names;
    struct gg_arena scratch;
    struct texts places[GG_PLACES];
    struct texts readable;
    gg_number_list found; /* of the pattern at hand: texts, then names */
};

static void add_text(struct solving *solving, struct texts *texts, struct gg_str text,
                     uint32_t name)
{
    *gg_vec_push(&solving->scratch, &texts->text) = text;
    *gg_vec_push(&solving->scratch, &texts->name) = name;
}

static void gather(struct solving *solving)
{
    for (uint32_t n = 1; n < solving->names->all.len; n++) {
        const struct gg_name *name = &solving->names->all.at[n];
        if (!name->readable) {
            add_text(solving, &solving->places[name->place], name->text, n);
            continue;
        }
        struct gg_str bare = gg_readable_bare(name->text);
        add_text(solving, &solving->readable, name->text, n);
        if (bare.len != name->text.len)
            add_text(solving, &solving->readable, bare, n);
    }
    for (size_t i = 0; i < GG_PLACES; i++)
        gg_grams_init(&solving->places[i].grams, &solving->scratch, solving->places[i].text.at,
                      solving->places[i].text.len);
    gg_grams_init(&solving->readable.grams, &solving->scratch, solving->readable.text.at,
                  solving->readable.text.len);
}

static void find(struct solving *solving, const struct texts *texts, struct gg_str wildcard)
{
    size_t from = solving->found.len;
    gg_grams_find(&texts->grams, wildcard, &solving->scratch, &solving->found);
    for (size_t i = from; i < solving->found.len; i++)
        solving->found.at[i] = texts->name.at[solving->found.at[i]];
}

static void find_wildcard(struct solving *solving, const struct gg_pattern *pattern)
{
    find(solving, &solving->places[pattern->place], pattern->text);
    if (pattern->place != GG_PLACE_SYMBOL || solving->readable.text.len == 0)
        return;
    struct gg_arena scratch;
    gg_arena_init(&scratch);
    struct gg_str readable = gg_readable_pattern(&scratch, pattern->text);
    find(solving, &solving->readable, pattern->text);
    if (readable.len)
        find(solving, &solving->readable, readable);
    gg_arena_free(&scratch);
}

/* Regular expressions and globs, name by name. */
static void find_each(struct solving *solving, const struct gg_pattern *pattern)
{
    const struct texts *texts = &solving->places[pattern->place];
    bool glob = pattern->form == GG_PATTERN_GLOB;
    for (size_t i = 0; i < texts->text.len; i++) {
        struct gg_str text = texts->text.at[i];
        if (glob ? gg_glob_match(pattern->text, text) : gg_regex_match(pattern->regex, text))
            *gg_vec_push(&solving->scratch, &solving->found) = texts->name.at[i];
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A set where it takes no more room than the list. */
static void make_set(struct gg_name_index *index, struct gg_fits *fits, size_t names)
{
    if (fits->count * 32 < names)
        return;
    uint64_t *set = gg_arena_alloc(index->arena, (names / 64 + 1) * sizeof *set);
    for (size_t i = 0; i < fits->count; i++)
        set[fits->names[i] / 64] |= (uint64_t)1 << fits->names[i] % 64;
    fits->set = set;
}

/* What was found, sorted, each name once. */
static void keep(struct solving *solving, struct gg_fits *fits)
{
    gg_number_list *found = &solving->found;
    if (found->len > 1)
        qsort(found->at, found->len, sizeof *found->at, by_number);
    uint32_t *names = NULL;
    if (found->len)
        names = gg_arena_alloc(solving->index->arena, found->len * sizeof *names);
    for (size_t i = 0; i < found->len; i++) {
        if (i > 0 && found->at[i] == found->at[i - 1])
            continue;
        names[fits->count++] = found->at[i];
        fits->uses += solving->names->all.at[found->at[i]].uses;
    }
    fits->names = names;
    make_set(solving->index, fits, solving->names->all.len);
}

void gg_name_index_solve(struct gg_name_index *index, const struct gg_names *names)
{
    struct solving solving = {.index = index, .names = names};
    gg_arena_init(&solving.scratch);
    gather(&solving);
    index->fits = gg_arena_alloc(index->arena, index->patterns.len * sizeof *index->fits);
    for (size_t p = 0; p < index->patterns.len; p++) {
        const struct gg_pattern *pattern = &index->patterns.at[p];
        solving.found.len = 0;
        if (pattern->form == GG_PATTERN_WILDCARD)
            find_wildcard(&solving, pattern);
        else
            find_each(&solving, pattern);
        keep(&solving, &index->fits[p]);
    }
    for (size_t i = 0; i < GG_PLACES; i++)
        gg_grams_free(&solving.places[i].grams);
    gg_grams_free(&solving.readable.grams);
    gg_arena_free(&solving.scratch);
}
