#include "read/anchor.h"
#include "read/vocabulary.h"

#include <string.h>

/* Longer than "</other_segment_start>\r\n". */
#define TAG_MAX 32u

static enum gg_anchor anchor_at(struct gg_str text, bool any, bool last)
{
    bool closes = false;
    size_t len = 0;
    unsigned tag = gg_tag_at(text, &closes, &len);
    if (tag == GG_TAG_UNKNOWN)
        return text.len < TAG_MAX && !last && !memchr(text.ptr, '>', text.len) ? GG_ANCHOR_CUT
                                                                               : GG_ANCHOR_NONE;
    if (tag == GG_TAG_valgrindoutput)
        return closes ? GG_ANCHOR_END : GG_ANCHOR_ROOT;
    unsigned wanted = any ? GG_TAG_TOP | GG_TAG_STRAY : GG_TAG_TOP;
    if (!closes && (gg_tag_flags(tag) & wanted)) {
        if (gg_tag_flags(tag) & GG_TAG_LEAF)
            return GG_ANCHOR_ITEM;
        if (len == text.len && !last)
            return GG_ANCHOR_CUT;
        if (len < text.len && (text.ptr[len] == '\n' || text.ptr[len] == '\r'))
            return GG_ANCHOR_ITEM;
    }
    return any ? GG_ANCHOR_OTHER : GG_ANCHOR_NONE;
}

enum gg_anchor gg_anchor_find(struct gg_str text, size_t from, bool any, bool last, size_t *at)
{
    while (from < text.len) {
        const char *hit = memchr(text.ptr + from, '<', text.len - from);
        if (!hit)
            break;
        from = (size_t)(hit - text.ptr);
        enum gg_anchor anchor = anchor_at(gg_str_n(hit, text.len - from), any, last);
        *at = from;
        if (anchor != GG_ANCHOR_NONE)
            return anchor;
        from++;
    }
    *at = text.len;
    return GG_ANCHOR_NONE;
}

/* The bytes that open a declaration, as far as they are there. */
static bool opens(struct gg_str text, bool last)
{
    static const char head[] = "<?xml";
    size_t len = sizeof head - 1;
    if (text.len > len)
        return memcmp(text.ptr, head, len) == 0 && gg_is_space(text.ptr[len]);
    return !last && memcmp(text.ptr, head, text.len) == 0;
}

size_t gg_anchor_declaration(struct gg_str text, size_t from, bool last)
{
    /* '?' is rare in a report, '<' is not. */
    for (size_t at = from; at < text.len; at++) {
        const char *hit = memchr(text.ptr + at, '?', text.len - at);
        if (!hit)
            break;
        at = (size_t)(hit - text.ptr);
        if (at > from && opens(gg_str_n(hit - 1, text.len - at + 1), last))
            return at - 1;
    }
    if (!last && text.len > from && text.ptr[text.len - 1] == '<')
        return text.len - 1;
    return text.len;
}
