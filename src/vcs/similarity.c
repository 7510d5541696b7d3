#include "vcs/similarity.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 107927u
#define PIECE 64u

/* The next piece: its hash, and its length without the CR of a CRLF in *len. false when what is
 * left is no piece. */
static bool next_piece(struct gg_str *rest, bool text, uint32_t *hash, uint32_t *len)
{
    uint32_t a = 0, b = 0, n = 0;
    for (size_t i = 0; i < rest->len; i++) {
        unsigned char c = (unsigned char)rest->ptr[i];
        if (text && c == '\r' && i + 1 < rest->len && rest->ptr[i + 1] == '\n')
            continue;
        uint32_t previous = a;
        a = (a << 7 ^ b >> 25) + c;
        b = b << 7 ^ previous >> 25;
        if (++n < PIECE && c != '\n')
            continue;
        *hash = (a + b * 97) % BUCKETS;
        *len = n;
        *rest = gg_str_n(rest->ptr + i + 1, rest->len - i - 1);
        return true;
    }
    return false;
}

static bool is_text(struct gg_str text)
{
    return text.len == 0 || !memchr(text.ptr, '\0', text.len < 8000 ? text.len : 8000);
}

void gg_similarity_target(struct gg_similarity *similarity, struct gg_str text)
{
    if (!similarity->target) {
        similarity->target = gg_alloc(BUCKETS * sizeof *similarity->target);
        similarity->left = gg_alloc(BUCKETS * sizeof *similarity->left);
    }
    memset(similarity->target, 0, BUCKETS * sizeof *similarity->target);
    similarity->size = text.len;
    bool is = is_text(text);
    uint32_t hash, len;
    while (next_piece(&text, is, &hash, &len))
        similarity->target[hash] += len;
}

bool gg_similarity_possible(const struct gg_similarity *similarity, size_t size, uint32_t score)
{
    size_t larger = size > similarity->size ? size : similarity->size;
    size_t smaller = size < similarity->size ? size : similarity->size;
    return (larger - smaller) * GG_SIMILARITY_MAX <= larger * (GG_SIMILARITY_MAX - score);
}

uint32_t gg_similarity_score(struct gg_similarity *similarity, struct gg_str text)
{
    size_t larger = text.len > similarity->size ? text.len : similarity->size;
    if (similarity->size == 0)
        return 0;
    memcpy(similarity->left, similarity->target, BUCKETS * sizeof *similarity->left);
    uint64_t copied = 0;
    bool is = is_text(text);
    uint32_t hash, len;
    while (next_piece(&text, is, &hash, &len)) {
        uint32_t taken = len < similarity->left[hash] ? len : similarity->left[hash];
        similarity->left[hash] -= taken;
        copied += taken;
    }
    return (uint32_t)(copied * GG_SIMILARITY_MAX / larger);
}

void gg_similarity_free(struct gg_similarity *similarity)
{
    free(similarity->target);
    free(similarity->left);
    *similarity = (struct gg_similarity){0};
}
