#include "read/xmlstream.h"
#include "read/anchor.h"
#include "read/document.h"
#include "read/repair.h"

#include <string.h>
#include <strings.h>

/* An XML declaration is shorter. */
#define DECLARATION_MAX 256u

struct stream {
    struct gg_input *input;
    bool utf16;
    bool at_declaration; /* the bytes to come begin with that of the open document */
    struct gg_document document;
};

/* The encoding that a declaration names, when it is not UTF-8:
 *     <?xml version="1.0" encoding="ISO-8859-1"?> */
static bool is_foreign(struct gg_str text)
{
    size_t end = gg_str_find(text, "?>");
    struct gg_str head = gg_str_n(text.ptr, end == SIZE_MAX ? text.len : end);
    size_t at = gg_str_find(head, "encoding");
    if (at == SIZE_MAX)
        return false;
    at += strlen("encoding");
    while (at < head.len && (gg_is_space(head.ptr[at]) || head.ptr[at] == '='))
        at++;
    struct gg_str name = gg_str_n(head.ptr + at, head.len - at);
    return name.len < 6 || strncasecmp(name.ptr + 1, "utf-8", 5) != 0;
}

/* Hands raw bytes of one document on; returns how many were used. */
static size_t append(struct stream *s, struct gg_str raw, bool last)
{
    struct gg_document *d = &s->document;
    if (d->mode == GG_DOCUMENT_FOREIGN) {
        gg_document_feed_foreign(d, raw.ptr, raw.len);
        return raw.len;
    }
    size_t used = gg_repair(&d->window, raw.ptr, raw.len, last || s->input->eof, &d->doc.repaired);
    gg_document_advance(d, last);
    return used;
}

static void declare(struct stream *s, struct gg_str raw)
{
    gg_document_declare(&s->document);
    s->at_declaration = true;
    if (is_foreign(raw))
        gg_document_foreign(&s->document);
}

/* Hands the bytes at hand on, document by document; returns how many are used up. */
static size_t take(struct stream *s)
{
    struct gg_str raw = gg_str_n(s->input->bytes, s->input->len);
    bool eof = s->input->eof;
    size_t at = 0;
    while (at < raw.len && s->document.mode != GG_DOCUMENT_GIVEN_UP) {
        size_t stop =
            s->utf16 ? raw.len : gg_anchor_declaration(raw, at + (s->at_declaration ? 1 : 0), eof);
        if (stop == at) {
            if (raw.len - at < DECLARATION_MAX && !eof)
                return at;
            size_t len = raw.len - at < DECLARATION_MAX ? raw.len - at : DECLARATION_MAX;
            declare(s, gg_str_n(raw.ptr + at, len));
            continue;
        }
        bool whole = stop < raw.len && raw.len - stop > strlen("<?xml");
        size_t used = append(s, gg_str_n(raw.ptr + at, stop - at), whole);
        s->at_declaration = false;
        at += used;
        if (!whole)
            return at;
    }
    return at;
}

static bool is_utf16(const struct gg_input *input)
{
    const char *b = input->bytes;
    return input->len >= 4 && (memcmp(b, "\xFF\xFE", 2) == 0 || memcmp(b, "\xFE\xFF", 2) == 0 ||
                               memcmp(b, "<\0?\0", 4) == 0 || memcmp(b, "\0<\0?", 4) == 0);
}

bool gg_xmlstream_read(struct gg_input *input, const struct gg_xmlstream_events *events, void *self,
                       struct gg_error *err)
{
    struct stream s = {.input = input, .utf16 = is_utf16(input)};
    gg_document_init(&s.document, events, self);
    if (s.utf16) {
        gg_document_declare(&s.document);
        gg_document_foreign(&s.document);
    }
    bool ok = true;
    for (;;) {
        size_t used = take(&s);
        if (s.document.mode == GG_DOCUMENT_GIVEN_UP || (input->eof && used == input->len))
            break;
        ok = gg_input_more(input, input->len - used, err);
        if (!ok)
            break;
    }
    gg_document_finish(&s.document);
    return ok;
}
