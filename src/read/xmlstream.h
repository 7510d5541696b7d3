/*
 * Xmlstream: the XML documents of one input, whatever state they are in.
 *
 * A file may hold several documents, begin in the middle, be cut anywhere, hold bytes or text that
 * XML does not allow, or go on after its end. All of it is told: elements as events, in order;
 * what had to be mended, what could not be read and how each document ends in gg_xmldoc. It knows
 * of valgrind only the names of its elements. Memory does not grow with the input.
 */
#ifndef GG_READ_XMLSTREAM_H
#define GG_READ_XMLSTREAM_H

#include "read/input.h"
#include "read/xmlparse.h"

/* How a document was found; lines count from 1, 0: there was no such thing. */
struct gg_xmldoc {
    uint64_t line;                /* where it begins */
    bool rooted;                  /* the root's start tag is there */
    unsigned closed;              /* end tags of the root */
    bool cut;                     /* an item is begun and not ended, or it cannot be told */
    bool followed;                /* another document begins right behind it */
    uint64_t before_line;         /* text that is no report, before it */
    uint64_t after_line;          /* and after its end tag */
    uint64_t continued_line;      /* elements after its end tag; they were read as part of it */
    uint64_t repaired;            /* bytes that are not UTF-8 or not allowed in XML */
    uint64_t mended, mended_line; /* lines with text that valgrind did not escape */
    uint64_t lost_places, lost_bytes, lost_line; /* parts no parser takes, left out */
    const char *lost_why;
    const char *given_up; /* why nothing more of the input was read; NULL: all was */
};

struct gg_xmlstream_events {
    struct gg_xml_events xml;
    void (*begin)(void *self); /* of a document */
    /* What is open is not to be completed: events go on as if outside the root (0) or directly
     * below it (1). */
    void (*restart)(void *self, unsigned depth);
    void (*lost)(void *self, uint64_t line, uint64_t bytes, const char *why);
    void (*end)(void *self, const struct gg_xmldoc *doc);
};

/* Reads the input to its end. An input without any document is one that ends at once. false only
 * when the input could not be read; the document it happened in has ended then, too. */
bool gg_xmlstream_read(struct gg_input *input, const struct gg_xmlstream_events *events, void *self,
                       struct gg_error *err);

#endif
