/*
 * Document: the state machine behind xmlstream, from repaired bytes to events.
 *
 * It reads a document as it stands as long as the parser takes it. When it does not, the child of
 * the root where that happens (an item) is read again, line by line and mended; if that fails too,
 * the item is left out and reading goes on at the next anchor. For this the window holds the bytes
 * from the item's beginning on, and not more than that.
 */
#ifndef GG_READ_DOCUMENT_H
#define GG_READ_DOCUMENT_H

#include "read/buffer.h"
#include "read/mend.h"
#include "read/xmlstream.h"

enum gg_document_mode {
    GG_DOCUMENT_BEFORE,  /* none yet */
    GG_DOCUMENT_READING, /* as it stands */
    GG_DOCUMENT_MENDING, /* one item, line by line */
    GG_DOCUMENT_LOST,    /* looking for an anchor */
    GG_DOCUMENT_AFTER,   /* the root is closed */
    GG_DOCUMENT_FOREIGN, /* in an encoding that is libxml2's affair */
    GG_DOCUMENT_GIVEN_UP /* nothing more of the input is read */
};

struct gg_document {
    const struct gg_xmlstream_events *events;
    void *self;
    enum gg_document_mode mode;
    bool open;      /* begun and not ended */
    unsigned count; /* begun so far */
    struct gg_xmldoc doc;
    struct gg_xmlparse parse;
    struct gg_buffer window;
    uint64_t line;     /* of the window's first byte */
    size_t item;       /* where the item begins, or what is lost */
    size_t fed;        /* up to where the parser, or the search, has come */
    int64_t skew;      /* bytes the parser was fed less `fed` */
    uint64_t children; /* of `parse`, when last looked at */
    bool inside;       /* `item` is below the root */
    uint64_t gone;     /* bytes of the item that the window holds no more */
    struct gg_mend mend;
    struct gg_buffer mended;            /* one line */
    uint64_t mended_lines, mended_line; /* of this item */
    unsigned calm;                      /* items in a row without a mended line */
    uint64_t lost_bytes, lost_line;
    const char *lost_why;
    uint64_t before_line;
};

void gg_document_init(struct gg_document *d, const struct gg_xmlstream_events *events, void *self);

/* A declaration comes next: the document before it is over. */
void gg_document_declare(struct gg_document *d);

/* Of the document that was just declared: its bytes come as they are. */
void gg_document_foreign(struct gg_document *d);
void gg_document_feed_foreign(struct gg_document *d, const char *bytes, size_t len);

/* Reads what was appended to the window; `last`: no more of this document will come. */
void gg_document_advance(struct gg_document *d, bool last);

/* The input is over. */
void gg_document_finish(struct gg_document *d);

#endif
