#include "read/mend.h"
#include "read/vocabulary.h"

#include <string.h>

#define TEXT_MAX 65536u

static bool holds_tag(struct gg_str text)
{
    const char *end = text.ptr + text.len;
    const char *at = text.len ? memchr(text.ptr, '<', text.len) : NULL;
    for (; at; at = memchr(at + 1, '<', (size_t)(end - at - 1))) {
        bool closes;
        size_t len;
        if (gg_tag_at(gg_str_n(at, (size_t)(end - at)), &closes, &len))
            return true;
    }
    return false;
}

static bool is_entity(struct gg_str text)
{
    return gg_str_starts(text, "&lt;") || gg_str_starts(text, "&gt;") ||
           gg_str_starts(text, "&amp;") || gg_str_starts(text, "&quot;") ||
           gg_str_starts(text, "&apos;");
}

/* Text as valgrind would have written it, had it escaped it. */
static bool escape(struct gg_str text, struct gg_buffer *out)
{
    bool changed = false;
    for (size_t i = 0; i < text.len; i++) {
        const char *c = &text.ptr[i];
        if (*c == '<') {
            gg_buffer_text(out, "&lt;");
        } else if (*c == '&' && !is_entity(gg_str_n(c, text.len - i))) {
            gg_buffer_text(out, "&amp;");
        } else if (*c == '>') {
            gg_buffer_text(out, "&gt;");
        } else {
            gg_buffer_add(out, c, 1);
            continue;
        }
        changed = true;
    }
    return changed;
}

/* Where the last "</tag>" of the text stands; SIZE_MAX: nowhere. */
static size_t last_end_tag(struct gg_str text, unsigned tag)
{
    size_t found = SIZE_MAX, from = 0;
    for (;;) {
        const char *hit = from < text.len ? memchr(text.ptr + from, '<', text.len - from) : NULL;
        if (!hit)
            return found;
        from = (size_t)(hit - text.ptr);
        bool closes = false;
        size_t len;
        if (gg_tag_at(gg_str_n(hit, text.len - from), &closes, &len) == tag && closes)
            found = from;
        from++;
    }
}

/* Text of an element that began in this line or an earlier one: up to its end tag, or the whole
 * line when that is still to come. false: not to be mended. */
static bool mend_text(struct gg_mend *mend, unsigned tag, struct gg_str text, struct gg_buffer *out,
                      bool *changed)
{
    size_t end = last_end_tag(text, tag);
    bool ends = end != SIZE_MAX;
    struct gg_str inner = gg_str_n(text.ptr, ends ? end : text.len);
    bool own_markup = tag == GG_TAG_usercomment;
    if (!own_markup && holds_tag(inner))
        return false;
    mend->open_len += inner.len;
    if (mend->open_len > TEXT_MAX)
        return false;
    *changed = escape(inner, out) || *changed;
    gg_buffer_add(out, text.ptr + inner.len, text.len - inner.len);
    mend->open = ends ? 0 : tag;
    return true;
}

static bool keep_line(struct gg_mend *mend, struct gg_str line, struct gg_buffer *out)
{
    mend->open = 0;
    gg_buffer_add(out, line.ptr, line.len);
    return false;
}

/* Mended is only the line that ends the CDATA early:
 *     fun:we]]>ird */
static bool mend_rawtext(struct gg_mend *mend, struct gg_str line, struct gg_buffer *out)
{
    bool closes;
    size_t len;
    unsigned tag = gg_tag_at(gg_str_trim(line), &closes, &len);
    if (tag != GG_TAG_rawtext && !(gg_tag_flags(tag) & GG_TAG_TOP))
        return gg_str_find(line, "]]>") != SIZE_MAX && !gg_str_is(gg_str_trim(line), "]]>");
    mend->in_rawtext = false; /* it ends, or is cut off */
    return keep_line(mend, line, out);
}

/* <leak_summary> of 3.26.0: <still_reachable>, its numbers, <suppressed> */
static bool mend_summary(struct gg_mend *mend, unsigned tag, bool closes, struct gg_buffer *out)
{
    if (tag == GG_TAG_still_reachable) {
        mend->still_reachable = !closes;
    } else if (mend->still_reachable && (tag == GG_TAG_suppressed || tag == GG_TAG_leak_summary)) {
        gg_buffer_text(out, "</still_reachable>");
        mend->still_reachable = false;
        return true;
    }
    return false;
}

bool gg_mend_line(struct gg_mend *mend, struct gg_str line, struct gg_buffer *out)
{
    size_t start = out->len;
    bool changed = false;
    if (mend->in_rawtext)
        return mend_rawtext(mend, line, out);
    if (mend->open)
        return mend_text(mend, mend->open, line, out, &changed) ? changed
                                                                : keep_line(mend, line, out);
    size_t indent = 0;
    while (indent < line.len && (line.ptr[indent] == ' ' || line.ptr[indent] == '\t'))
        indent++;
    struct gg_str rest = gg_str_n(line.ptr + indent, line.len - indent);
    bool closes = false;
    size_t len = 0;
    unsigned tag = gg_tag_at(rest, &closes, &len);
    if (tag == GG_TAG_rawtext && !closes && gg_str_is(gg_str_trim(rest), "<rawtext>")) {
        mend->in_rawtext = true;
    } else if (!closes && (tag == GG_TAG_usercomment || (gg_tag_flags(tag) & GG_TAG_LEAF))) {
        mend->open_len = 0;
        gg_buffer_add(out, line.ptr, indent + len);
        if (mend_text(mend, tag, gg_str_n(rest.ptr + len, rest.len - len), out, &changed))
            return changed;
        out->len = start;
    }
    changed = mend_summary(mend, tag, closes, out);
    keep_line(mend, line, out);
    return changed;
}
