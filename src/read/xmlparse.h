/*
 * Xmlparse: libxml2's push parser behind limits.
 *
 * Strict, SAX2, no network, no entities but the five of XML itself. What no report of valgrind
 * holds ends the parse before it can cost anything: a document type, elements deeper than
 * GG_XML_DEPTH, tokens longer than GG_XML_TOKEN, and above all names without end (attributes,
 * prefixes, processing instructions, elements): some parsers need the square of their number.
 * Events go to a gg_xml_events; names arrive as its own tag numbers, looked up once a parser.
 */
#ifndef GG_READ_XMLPARSE_H
#define GG_READ_XMLPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GG_XML_DEPTH 32u
#define GG_XML_ATTRIBUTES 64 /* of one tag */
#define GG_XML_FOREIGN 4096u /* attributes, prefixes and the like in all */
#define GG_XML_NAMES 192u    /* different names of elements */
#define GG_XML_TOKEN 65536u

/* All get the `self` of gg_xmlparse_open. */
struct gg_xml_events {
    unsigned (*tag)(const char *name); /* 0: unknown */
    /* false: such an element cannot stand here; the parse fails. */
    bool (*start)(void *self, unsigned tag, const char *name);
    void (*text)(void *self, const char *text, size_t len);
    /* A comment or CDATA, which may have swallowed elements: false, and the parse fails. */
    bool (*opaque)(void *self, const char *text, size_t len);
    void (*end)(void *self, const char *name);
};

enum gg_xml_state { GG_XML_GOING, GG_XML_CLOSED, GG_XML_FAILED };

#define GG_XML_SLOTS 256u

struct gg_xml_slot {
    const void *name; /* libxml2's own copy: equal names of one parser are equal pointers */
    unsigned tag;
};

struct gg_xmlparse {
    struct _xmlParserCtxt *ctxt; /* NULL: closed */
    const struct gg_xml_events *events;
    void *self;
    enum gg_xml_state state;
    unsigned depth;    /* of open elements */
    bool stop_at_end;  /* nothing is read behind the root */
    bool silent;       /* the next element is the root that stands in */
    uint64_t fed;      /* bytes pushed */
    uint64_t children; /* children of the root that are complete */
    uint64_t mark;     /* bytes up to and with the last of them, or with the root's end tag */
    const char *why;   /* FAILED: a phrase, "a tag that ..." */
    bool hostile;      /* FAILED: made to exhaust a parser */
    bool misplaced;    /* FAILED: start() or opaque() refused */
    unsigned foreign;
    struct gg_xml_slot slots[GG_XML_SLOTS];
    unsigned slots_used;
};

/* `inside`: the bytes to come stand in a root that was opened before; events go on below it. */
void gg_xmlparse_open(struct gg_xmlparse *parse, const struct gg_xml_events *events, void *self,
                      bool inside, bool stop_at_end);

/* Parses the next bytes; then look at `state`. */
void gg_xmlparse_feed(struct gg_xmlparse *parse, const char *bytes, size_t len);

/* Of the bytes fed, how many it is done with; the rest waits for more. */
uint64_t gg_xmlparse_done(const struct gg_xmlparse *parse);

void gg_xmlparse_close(struct gg_xmlparse *parse);

#endif
