#include "vcs/linemap.h"
#include "base/arena.h"
#include "base/map.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

struct gg_line_id {
    uint64_t hash;
    const char *ptr;
    uint32_t len, id, round; /* of another round: empty */
};

uint64_t gg_linemap_lines(struct gg_str text)
{
    uint64_t lines = 0;
    const char *end = text.ptr + text.len;
    for (const char *at = text.ptr; at < end; lines++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    return lines;
}

/* Cuts the bytes both texts end in, a kilobyte at a time, but leaves the rest of the line they
 * begin in. This is git's way: how far the cut goes decides how a diff slides. */
static void trim_common_tail(struct gg_str *a, struct gg_str *b)
{
    const size_t block = 1024;
    size_t shorter = a->len < b->len ? a->len : b->len, cut = 0;
    while (cut + block <= shorter &&
           memcmp(a->ptr + a->len - cut - block, b->ptr + b->len - cut - block, block) == 0)
        cut += block;
    const char *feed = cut ? memchr(a->ptr + a->len - cut, '\n', cut) : NULL;
    if (!feed)
        return;
    cut = (size_t)(a->ptr + a->len - (feed + 1));
    a->len -= cut;
    b->len -= cut;
}

/* How many bytes both texts begin with, up to the end of a line. */
static size_t common_head(struct gg_str a, struct gg_str b)
{
    const size_t block = 256;
    size_t shorter = a.len < b.len ? a.len : b.len, len = 0;
    while (len + block <= shorter && memcmp(a.ptr + len, b.ptr + len, block) == 0)
        len += block;
    while (len < shorter && a.ptr[len] == b.ptr[len])
        len++;
    while (len && a.ptr[len - 1] != '\n')
        len--;
    return len;
}

/* How many blanks the line begins with, and how wide they are in the indent heuristic's eyes,
 * which look no further than 200 columns. */
static size_t indent(struct gg_str line, size_t *width)
{
    size_t at = 0;
    *width = 0;
    for (; at < line.len && *width < 200; at++) {
        if (line.ptr[at] == ' ')
            ++*width;
        else if (line.ptr[at] == '\t')
            *width += 8 - *width % 8;
        else if (line.ptr[at] != '\r')
            break;
    }
    return at;
}

static struct gg_line_id *probe(const struct gg_linemap *map, uint64_t hash, struct gg_str line)
{
    size_t mask = map->id_cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct gg_line_id *slot = &map->ids[i];
        if (slot->round != map->round || (slot->hash == hash && slot->len == line.len &&
                                          memcmp(slot->ptr, line.ptr, line.len) == 0))
            return slot;
    }
}

/* The same number for the same line, within this diff. */
static uint32_t number(struct gg_linemap *map, struct gg_str line)
{
    uint64_t hash = gg_hash(line.ptr, line.len);
    struct gg_line_id *slot = probe(map, hash, line);
    if (slot->round != map->round)
        *slot = (struct gg_line_id){.hash = hash,
                                    .ptr = line.ptr,
                                    .len = (uint32_t)line.len,
                                    .id = map->id_count++,
                                    .round = map->round};
    return slot->id;
}

/* "        free(p);\n" becomes "\tAAB\n": the same width in tabs and blanks, and the line's number
 * in as many digits as this diff needs. A line of blanks is its own token. */
static char *tokenise(struct gg_linemap *map, struct gg_str text, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct gg_str line;
    while (text.len) {
        bool ended = gg_str_cut(text, '\n', &line, &text);
        size_t width, blanks = indent(line, &width);
        if (blanks == line.len) {
            memcpy(to, line.ptr, line.len);
            to += line.len;
        } else {
            memset(to, '\t', width / 8);
            to += width / 8;
            memset(to, ' ', width % 8);
            to += width % 8;
            uint32_t id = number(map, line);
            for (unsigned digit = map->digits; digit-- > 0;)
                *to++ = digits[id >> 6 * digit & 63];
        }
        if (ended)
            *to++ = '\n';
    }
    return to;
}

/* For a diff of so many lines and bytes. */
static void make_room(struct gg_linemap *map, size_t lines, size_t bytes)
{
    for (map->digits = 1; lines >> 6 * map->digits;)
        map->digits++;
    bytes += map->digits * lines + 1;
    size_t cap = map->id_cap ? map->id_cap : 1024;
    while (cap < 2 * lines)
        cap *= 2;
    if (cap > map->id_cap || map->round == UINT32_MAX) {
        free(map->ids);
        map->ids = gg_alloc(cap * sizeof *map->ids);
        map->id_cap = cap;
        map->round = 0;
    }
    map->round++;
    map->id_count = 0;
    if (bytes > map->token_cap) {
        free(map->tokens);
        map->tokens = gg_alloc(bytes);
        map->token_cap = bytes;
    }
}

static int add_hunk(const git_diff_delta *delta, const git_diff_hunk *found, void *payload)
{
    (void)delta;
    struct gg_linemap *map = payload;
    if (map->count == map->cap) {
        map->cap = map->cap ? map->cap * 2 : 64;
        map->hunks = gg_realloc(map->hunks, map->cap * sizeof *map->hunks);
    }
    /* "@@ -5,0 +6,2 @@": an empty side names the line before the gap. */
    uint32_t from = (uint32_t)found->new_start + (found->new_lines == 0);
    uint32_t old = (uint32_t)found->old_start + (found->old_lines == 0);
    map->hunks[map->count++] = (struct gg_hunk){.from = from,
                                                .to = from + (uint32_t)found->new_lines,
                                                .old = old + (uint32_t)found->old_lines};
    return 0;
}

static bool diff(struct gg_linemap *map, struct gg_str older, struct gg_str newer,
                 struct gg_error *err)
{
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_FORCE_TEXT;
    options.context_lines = 0;
    if (git_diff_buffers(older.ptr, older.len, NULL, newer.ptr, newer.len, NULL, &options, NULL,
                         NULL, add_hunk, NULL, map) == 0)
        return true;
    const git_error *cause = git_error_last();
    gg_error_set(err, "two versions cannot be compared: %s",
                 cause && cause->message ? cause->message : "unknown reason");
    return false;
}

bool gg_linemap_make(struct gg_linemap *map, struct gg_str older, struct gg_str newer,
                     struct gg_error *err)
{
    map->count = 0;
    trim_common_tail(&older, &newer);
    uint64_t older_lines = gg_linemap_lines(older), newer_lines = gg_linemap_lines(newer);
    if (older_lines > GG_LINE_LIMIT || newer_lines > GG_LINE_LIMIT) {
        gg_error_set(err, "two versions differ in more than %u lines, more than is compared",
                     GG_LINE_LIMIT);
        return false;
    }
    size_t lines = (size_t)(older_lines + newer_lines), head = common_head(older, newer);
    make_room(map, lines, older.len + newer.len);
    char *at = tokenise(map, gg_str_n(older.ptr, head), map->tokens);
    size_t head_len = (size_t)(at - map->tokens);
    at = tokenise(map, gg_str_n(older.ptr + head, older.len - head), at);
    struct gg_str old_tokens = gg_str_n(map->tokens, (size_t)(at - map->tokens));
    char *second = at;
    memcpy(second, map->tokens, head_len);
    at = tokenise(map, gg_str_n(newer.ptr + head, newer.len - head), second + head_len);
    return diff(map, old_tokens, gg_str_n(second, (size_t)(at - second)), err);
}

uint32_t gg_linemap_older(const struct gg_linemap *map, uint32_t line)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->hunks[middle].from <= line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return line;
    const struct gg_hunk *hunk = &map->hunks[low - 1];
    return line < hunk->to ? 0 : line - hunk->to + hunk->old;
}

void gg_linemap_free(struct gg_linemap *map)
{
    free(map->hunks);
    free(map->ids);
    free(map->tokens);
    *map = (struct gg_linemap){0};
}
