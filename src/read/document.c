#include "read/document.h"
#include "read/anchor.h"

/* An element below the root that is longer can be read, but not be mended. */
#define ITEM_MAX (1024u * 1024u)
#define LINE_MAX_BYTES 65536u
#define END_TAG "</valgrindoutput>"
/* The damage after which an input is given up, and how much of it is told place by place. */
#define LOST_MAX 65536u
#define LOST_LINES 8u
#define DOCUMENTS_MAX 65536u
#define CALM_ITEMS 4u

static uint64_t count_lines(const char *bytes, size_t len)
{
    uint64_t lines = 0;
    while (len) {
        size_t block = len < 128 ? len : 128;
        unsigned char count = 0;
        for (size_t i = 0; i < block; i++)
            count = (unsigned char)(count + (bytes[i] == '\n'));
        lines += count;
        bytes += block;
        len -= block;
    }
    return lines;
}

static uint64_t line_of(const struct gg_document *d, size_t at)
{
    return d->line + count_lines(d->window.ptr, at);
}

static void drop(struct gg_document *d, size_t len)
{
    if (len == 0)
        return;
    d->line += count_lines(d->window.ptr, len);
    d->window.len -= len;
    memmove(d->window.ptr, d->window.ptr + len, d->window.len);
    d->item -= len;
    d->fed -= len;
    d->skew += (int64_t)len;
}

/* Skips white space and byte order marks. */
static size_t skip_blank(const struct gg_document *d, size_t at)
{
    for (;;) {
        while (at < d->window.len && gg_is_space(d->window.ptr[at]))
            at++;
        if (d->window.len - at < 3 || memcmp(d->window.ptr + at, "\xEF\xBB\xBF", 3) != 0)
            return at;
        at += 3;
    }
}

static void open_parser(struct gg_document *d, bool inside)
{
    gg_xmlparse_close(&d->parse);
    gg_xmlparse_open(&d->parse, &d->events->xml, d->self, inside, true);
    d->events->restart(d->self, inside ? 1 : 0);
    d->children = 0;
    d->inside = inside;
    d->skew = (int64_t)d->parse.fed - (int64_t)d->fed;
}

static void give_up(struct gg_document *d, const char *why)
{
    d->doc.given_up = why;
    d->mode = GG_DOCUMENT_GIVEN_UP;
}

static void report_lost(struct gg_document *d)
{
    if (d->lost_bytes == 0)
        return;
    if (d->doc.lost_places++ == 0) {
        d->doc.lost_line = d->lost_line;
        d->doc.lost_why = d->lost_why;
    }
    d->doc.lost_bytes += d->lost_bytes;
    if (d->doc.lost_places <= LOST_LINES)
        d->events->lost(d->self, d->lost_line, d->lost_bytes, d->lost_why);
    d->lost_bytes = 0;
    if (d->doc.lost_places == LOST_MAX)
        give_up(d, "it is damaged in too many places");
}

static void begin_document(struct gg_document *d, size_t at)
{
    if (d->count++ == DOCUMENTS_MAX) {
        give_up(d, "it holds too many reports");
        return;
    }
    d->open = true;
    d->item = d->fed = at;
    d->doc = (struct gg_xmldoc){
        .line = line_of(d, at), .before_line = d->before_line, .repaired = d->doc.repaired};
    d->before_line = 0;
    d->gone = 0;
    d->events->begin(d->self);
    open_parser(d, false);
    d->mode = GG_DOCUMENT_READING;
}

static void end_document(struct gg_document *d, bool followed)
{
    if (!d->open)
        return;
    report_lost(d);
    d->doc.cut =
        d->mode == GG_DOCUMENT_FOREIGN || d->gone || skip_blank(d, d->item) < d->window.len;
    d->doc.followed = followed;
    d->open = false;
    gg_xmlparse_close(&d->parse);
    d->events->end(d->self, &d->doc);
    d->doc = (struct gg_xmldoc){0};
    d->mode = GG_DOCUMENT_BEFORE;
}

/* From the item's beginning on nothing can be read, up to the next anchor. */
static void lose(struct gg_document *d, const char *why)
{
    d->mode = GG_DOCUMENT_LOST;
    d->lost_bytes = d->gone;
    d->gone = 0;
    d->lost_why = why;
    d->item = skip_blank(d, d->item);
    d->lost_line = d->doc.lost_places < LOST_LINES ? line_of(d, d->item) : 0;
    d->fed = d->item;
    struct gg_str text = gg_buffer_str(&d->window);
    size_t root = text.len;
    if (!d->inside && d->doc.rooted &&
        gg_anchor_find(text, d->item, false, true, &root) == GG_ANCHOR_ROOT) {
        d->fed = root;
        d->inside = true;
    }
    d->events->restart(d->self, d->inside ? 1 : 0);
    if (d->fed < text.len)
        d->fed++; /* the item's own start tag is no place to go on */
}

/* Goes on at an anchor. */
static void take_up(struct gg_document *d, enum gg_anchor anchor, size_t at)
{
    d->item = d->fed = at;
    if (anchor == GG_ANCHOR_END) {
        d->doc.closed++;
        d->item = d->fed = at + strlen(END_TAG);
        d->mode = GG_DOCUMENT_AFTER;
    } else if (anchor == GG_ANCHOR_ROOT && (d->doc.rooted || d->doc.closed)) {
        end_document(d, true);
        begin_document(d, at);
    } else {
        open_parser(d, anchor != GG_ANCHOR_ROOT);
        d->mode = GG_DOCUMENT_READING;
    }
}

/* A tag of a hundred thousand attributes costs some parsers the square of that. */
static bool is_hostile(const struct gg_document *d)
{
    unsigned attributes = 0;
    size_t end = d->window.len - d->item > GG_XML_TOKEN ? d->item + GG_XML_TOKEN : d->window.len;
    for (size_t i = d->item; i + 1 < end; i++) {
        const char *hit = memchr(d->window.ptr + i, '=', end - i - 1);
        if (!hit)
            break;
        i = (size_t)(hit - d->window.ptr);
        if (hit[1] == '"' || hit[1] == '\'')
            attributes++;
    }
    return attributes > 1024;
}

/* At the end of a document: what the parser still waits to complete (a comment, a declaration, a
 * lone '&' that waits for a ';') may have swallowed items. */
static bool lose_hidden(struct gg_document *d)
{
    uint64_t waiting = d->parse.fed - gg_xmlparse_done(&d->parse);
    size_t from = d->item + 1, at;
    if (waiting < d->window.len - d->item)
        from = d->window.len - (size_t)waiting;
    if (gg_anchor_find(gg_buffer_str(&d->window), from, false, true, &at) == GG_ANCHOR_NONE)
        return false;
    lose(d, "something that is begun and not ended");
    return true;
}

static void begin_item_mending(struct gg_document *d)
{
    d->mend = (struct gg_mend){0};
    d->mended_lines = 0;
}

static void begin_mending(struct gg_document *d)
{
    d->fed = d->item;
    d->calm = 0;
    begin_item_mending(d);
    open_parser(d, d->inside);
    d->mode = GG_DOCUMENT_MENDING;
}

static void parse_failed(struct gg_document *d)
{
    if (d->parse.hostile || is_hostile(d))
        give_up(d, d->parse.hostile ? d->parse.why : "a tag with too many attributes");
    else if (d->parse.misplaced || d->gone)
        lose(d, d->parse.why);
    else
        begin_mending(d);
}

static bool step_reading(struct gg_document *d, bool last)
{
    gg_xmlparse_feed(&d->parse, d->window.ptr + d->fed, d->window.len - d->fed);
    d->fed = d->window.len;
    d->doc.rooted = d->doc.rooted || (!d->inside && (d->parse.depth || d->parse.mark));
    if (d->parse.children != d->children || d->parse.state == GG_XML_CLOSED) {
        d->children = d->parse.children;
        d->item = (size_t)((int64_t)d->parse.mark - d->skew);
        d->inside = true;
        d->gone = 0;
    }
    if (d->parse.state == GG_XML_FAILED) {
        parse_failed(d);
        return true;
    }
    if (d->parse.state == GG_XML_CLOSED) {
        d->doc.closed++;
        d->fed = d->item;
        d->mode = GG_DOCUMENT_AFTER;
        return true;
    }
    if (!last || skip_blank(d, d->item) == d->window.len)
        return false;
    if (d->gone)
        return lose_hidden(d);
    begin_mending(d);
    return true;
}

static size_t line_length(const struct gg_document *d, bool last)
{
    const char *start = d->window.ptr + d->fed;
    size_t left = d->window.len - d->fed;
    const char *end = memchr(start, '\n', left);
    if (end)
        return (size_t)(end - start) + 1;
    return last ? left : 0;
}

/* Where the line's end tag of the root ends; what follows it is not part of the document. */
static size_t end_of_root(struct gg_str line)
{
    size_t at;
    enum gg_anchor anchor = gg_anchor_find(line, 0, false, true, &at);
    return anchor == GG_ANCHOR_END ? at + strlen(END_TAG) : line.len;
}

/* The item is complete. The next ones are likely to need mending too (the name of a thread is in
 * every error); after a few that did not, the rest is read as it stands again. */
static void end_mending(struct gg_document *d, size_t len)
{
    if (d->mended_lines && d->doc.mended == 0)
        d->doc.mended_line = d->mended_line;
    d->doc.mended += d->mended_lines;
    d->calm = d->mended_lines ? 0 : d->calm + 1;
    bool closed = d->parse.state == GG_XML_CLOSED;
    d->fed += closed ? end_of_root(gg_str_n(d->window.ptr + d->fed, len)) : len;
    d->item = d->fed;
    d->skew = (int64_t)d->parse.fed - (int64_t)d->fed;
    d->children = d->parse.children;
    d->inside = true;
    d->gone = 0;
    begin_item_mending(d);
    if (closed) {
        d->doc.closed++;
        d->mode = GG_DOCUMENT_AFTER;
    } else if (d->calm >= CALM_ITEMS) {
        d->mode = GG_DOCUMENT_READING;
    }
}

static bool step_mending(struct gg_document *d, bool last)
{
    for (size_t len; (len = line_length(d, last)) > 0; d->fed += len) {
        d->mended.len = 0;
        bool mended = gg_mend_line(&d->mend, gg_str_n(d->window.ptr + d->fed, len), &d->mended);
        if (mended && d->mended_lines++ == 0 && d->doc.mended == 0)
            d->mended_line = line_of(d, d->fed);
        gg_xmlparse_feed(&d->parse, d->mended.ptr, d->mended.len);
        d->doc.rooted = d->doc.rooted || (!d->inside && (d->parse.depth || d->parse.mark));
        if (d->parse.state == GG_XML_FAILED) {
            lose(d, d->parse.why);
            return true;
        }
        if (d->parse.state == GG_XML_CLOSED || d->parse.children != d->children) {
            end_mending(d, len);
            return true;
        }
    }
    if (last)
        return lose_hidden(d);
    if (d->window.len - d->fed <= LINE_MAX_BYTES)
        return false;
    lose(d, "a line longer than in any report");
    return true;
}

static bool step_lost(struct gg_document *d, bool last)
{
    size_t at;
    enum gg_anchor anchor = gg_anchor_find(gg_buffer_str(&d->window), d->fed, false, last, &at);
    d->lost_bytes += at - d->item;
    d->item = d->fed = at;
    bool found = anchor != GG_ANCHOR_NONE && anchor != GG_ANCHOR_CUT;
    if (found || last)
        report_lost(d);
    if (found && d->mode == GG_DOCUMENT_LOST)
        take_up(d, anchor, at);
    return found;
}

/* Behind the root's end tag: white space, another tail, or what does not belong there. */
static bool step_after(struct gg_document *d, bool last)
{
    d->item = d->fed = skip_blank(d, d->fed);
    size_t at;
    enum gg_anchor anchor = gg_anchor_find(gg_buffer_str(&d->window), d->fed, true, last, &at);
    if (at > d->fed && d->doc.after_line == 0)
        d->doc.after_line = line_of(d, d->fed);
    d->item = d->fed = at;
    if (anchor == GG_ANCHOR_NONE || anchor == GG_ANCHOR_CUT)
        return false;
    if (anchor != GG_ANCHOR_ROOT && d->doc.continued_line == 0)
        d->doc.continued_line = line_of(d, at);
    if (anchor == GG_ANCHOR_OTHER)
        lose(d, "an element after the end");
    else
        take_up(d, anchor, at);
    return true;
}

static bool step_before(struct gg_document *d, bool last)
{
    d->item = d->fed = skip_blank(d, d->fed);
    size_t at;
    enum gg_anchor anchor = gg_anchor_find(gg_buffer_str(&d->window), d->fed, false, last, &at);
    if (at > d->fed && d->before_line == 0)
        d->before_line = line_of(d, d->fed);
    d->item = d->fed = at;
    if (anchor == GG_ANCHOR_NONE || anchor == GG_ANCHOR_CUT)
        return false;
    begin_document(d, at);
    if (anchor != GG_ANCHOR_ROOT && d->open)
        take_up(d, anchor, at);
    return true;
}

static bool step(struct gg_document *d, bool last)
{
    switch (d->mode) {
    case GG_DOCUMENT_BEFORE:
        return step_before(d, last);
    case GG_DOCUMENT_READING:
        return step_reading(d, last);
    case GG_DOCUMENT_MENDING:
        return step_mending(d, last);
    case GG_DOCUMENT_LOST:
        return step_lost(d, last);
    case GG_DOCUMENT_AFTER:
        return step_after(d, last);
    case GG_DOCUMENT_FOREIGN:
    case GG_DOCUMENT_GIVEN_UP:
        break;
    }
    return false;
}

/* Of an item that is too long, only what the parser has not used is kept. */
static void shorten_item(struct gg_document *d)
{
    size_t used = d->fed;
    if (d->parse.state == GG_XML_GOING && d->mode == GG_DOCUMENT_READING)
        used = (size_t)((int64_t)gg_xmlparse_done(&d->parse) - d->skew);
    d->gone += used - d->item;
    d->item = used;
}

void gg_document_advance(struct gg_document *d, bool last)
{
    while (step(d, last)) {
    }
    if ((d->mode == GG_DOCUMENT_READING || d->mode == GG_DOCUMENT_MENDING) &&
        d->window.len - d->item > ITEM_MAX)
        shorten_item(d);
    drop(d, d->item < d->fed ? d->item : d->fed);
}

void gg_document_foreign(struct gg_document *d)
{
    gg_xmlparse_close(&d->parse);
    gg_xmlparse_open(&d->parse, &d->events->xml, d->self, false, false);
    d->mode = GG_DOCUMENT_FOREIGN;
}

/* No repair, no mending: what is damaged here is lost to the end of the document. */
void gg_document_feed_foreign(struct gg_document *d, const char *bytes, size_t len)
{
    gg_xmlparse_feed(&d->parse, bytes, len);
    d->doc.rooted = d->parse.depth || d->parse.mark;
    d->doc.closed = d->parse.depth == 0 && d->parse.mark ? 1 : 0;
    if (d->parse.state != GG_XML_FAILED)
        return;
    d->lost_why = d->parse.why;
    d->lost_bytes += len;
}

void gg_document_init(struct gg_document *d, const struct gg_xmlstream_events *events, void *self)
{
    *d = (struct gg_document){.events = events, .self = self, .line = 1};
}

void gg_document_declare(struct gg_document *d)
{
    end_document(d, true);
    d->doc = (struct gg_xmldoc){0};
    d->item = d->fed = d->window.len;
    drop(d, d->window.len);
    begin_document(d, 0);
}

void gg_document_finish(struct gg_document *d)
{
    if (d->mode != GG_DOCUMENT_FOREIGN)
        gg_document_advance(d, true);
    if (!d->open) {
        d->open = true;
        d->doc = (struct gg_xmldoc){
            .line = 1, .before_line = d->before_line, .given_up = d->doc.given_up};
        d->events->begin(d->self);
    }
    end_document(d, false);
    gg_buffer_free(&d->window);
    gg_buffer_free(&d->mended);
}
