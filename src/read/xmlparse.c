#include "read/xmlparse.h"

#include <stdlib.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

/* The root that stands in for one that was opened in an earlier parse. */
static const char synthetic_root[] = "<valgrindoutput>";

static void fail(struct gg_xmlparse *parse, const char *why)
{
    if (parse->state == GG_XML_FAILED)
        return;
    parse->state = GG_XML_FAILED;
    parse->why = why;
    xmlStopParser(parse->ctxt);
}

static void fail_hostile(struct gg_xmlparse *parse, const char *why)
{
    fail(parse, why);
    parse->hostile = true;
}

/* xmlByteConsumed computes the same but is deprecated in 2.14, and its successor is newer still. */
uint64_t gg_xmlparse_done(const struct gg_xmlparse *parse)
{
    const xmlParserInput *input = parse->ctxt->input;
    return input ? input->consumed + (uint64_t)(input->cur - input->base) : 0;
}

static unsigned slot_of(const void *name)
{
    return (unsigned)(((uint64_t)(uintptr_t)name * 0x9E3779B97F4A7C15u) >> 56) % GG_XML_SLOTS;
}

static unsigned tag_of(struct gg_xmlparse *parse, const xmlChar *name)
{
    unsigned i = slot_of(name);
    while (parse->slots[i].name && parse->slots[i].name != name)
        i = (i + 1) % GG_XML_SLOTS;
    if (parse->slots[i].name)
        return parse->slots[i].tag;
    unsigned tag = parse->events->tag((const char *)name);
    parse->slots[i] = (struct gg_xml_slot){name, tag};
    if (++parse->slots_used == GG_XML_NAMES)
        fail_hostile(parse, "it has more kinds of elements than any report");
    return tag;
}

/* What valgrind never writes; the user's comment may. */
static bool has_foreign(struct gg_xmlparse *parse, int more)
{
    parse->foreign += (unsigned)more;
    if (more <= GG_XML_ATTRIBUTES && parse->foreign <= GG_XML_FOREIGN)
        return false;
    fail_hostile(parse, "it has more attributes than any report");
    return true;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace_list, int attributes, int defaulted,
                     const xmlChar **attribute_list)
{
    (void)uri, (void)namespace_list, (void)defaulted, (void)attribute_list;
    struct gg_xmlparse *parse = data;
    if (parse->state != GG_XML_GOING)
        return;
    if ((prefix || attributes || namespaces) &&
        has_foreign(parse, attributes + namespaces + (prefix ? 1 : 0)))
        return;
    if (++parse->depth > GG_XML_DEPTH) {
        fail(parse, "elements nested deeper than in any report");
        return;
    }
    if (parse->silent) {
        parse->silent = false;
    } else if (!parse->events->start(parse->self, tag_of(parse, name), (const char *)name)) {
        parse->misplaced = true;
        fail(parse, "an element where none such can be");
    }
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)prefix, (void)uri;
    struct gg_xmlparse *parse = data;
    if (parse->state != GG_XML_GOING)
        return;
    parse->events->end(parse->self, (const char *)name);
    parse->depth--;
    if (parse->depth > 1)
        return;
    parse->mark = gg_xmlparse_done(parse);
    if (parse->depth == 1) {
        parse->children++;
    } else if (parse->stop_at_end) {
        parse->state = GG_XML_CLOSED;
        xmlStopParser(parse->ctxt);
    }
}

static void on_text(void *data, const xmlChar *text, int len)
{
    struct gg_xmlparse *parse = data;
    if (parse->state == GG_XML_GOING)
        parse->events->text(parse->self, (const char *)text, (size_t)len);
}

static void on_opaque(struct gg_xmlparse *parse, const xmlChar *text, size_t len)
{
    if (parse->state != GG_XML_GOING || parse->events->opaque(parse->self, (const char *)text, len))
        return;
    fail(parse, "a comment or CDATA that holds elements of the report");
    parse->misplaced = true;
}

static void on_cdata(void *data, const xmlChar *text, int len)
{
    on_opaque(data, text, (size_t)len);
}

static void on_comment(void *data, const xmlChar *text)
{
    on_opaque(data, text, (size_t)xmlStrlen(text));
}

static void on_instruction(void *data, const xmlChar *target, const xmlChar *text)
{
    (void)target, (void)text;
    has_foreign(data, 1);
}

/* <!DOCTYPE ...: valgrind writes none, and entities declared in one can grow without bound. */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    fail(data, "a document type (DOCTYPE), which no report has");
}

void gg_xmlparse_open(struct gg_xmlparse *parse, const struct gg_xml_events *events, void *self,
                      bool inside, bool stop_at_end)
{
    *parse = (struct gg_xmlparse){.events = events, .self = self, .stop_at_end = stop_at_end};
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .characters = on_text,
                         .ignorableWhitespace = on_text,
                         .cdataBlock = on_cdata,
                         .comment = on_comment,
                         .processingInstruction = on_instruction,
                         .internalSubset = on_doctype};
    parse->ctxt = xmlCreatePushParserCtxt(&sax, parse, NULL, 0, NULL);
    if (!parse->ctxt)
        abort();
    xmlCtxtUseOptions(parse->ctxt, XML_PARSE_NONET);
    parse->silent = inside;
    if (inside)
        gg_xmlparse_feed(parse, synthetic_root, sizeof synthetic_root - 1);
}

/* libxml2's own sentences differ between versions and count lines from where the parse began. */
static void fail_with_last_error(struct gg_xmlparse *parse)
{
    const xmlError *error = xmlCtxtGetLastError(parse->ctxt);
    switch (error ? error->code : XML_ERR_OK) {
    case XML_ERR_TAG_NAME_MISMATCH:
        fail(parse, "a start tag and an end tag that do not match");
        break;
    case XML_ERR_TAG_NOT_FINISHED:
    case XML_ERR_DOCUMENT_END:
        fail(parse, "an element without its end");
        break;
    default:
        fail(parse, "text that XML does not allow there");
        break;
    }
}

void gg_xmlparse_feed(struct gg_xmlparse *parse, const char *bytes, size_t len)
{
    if (parse->state != GG_XML_GOING)
        return;
    parse->fed += len;
    xmlParseChunk(parse->ctxt, bytes, (int)len, 0);
    if (parse->state != GG_XML_GOING)
        return;
    if (!parse->ctxt->wellFormed)
        fail_with_last_error(parse);
    else if (parse->fed - gg_xmlparse_done(parse) > GG_XML_TOKEN)
        fail(parse, "a tag, reference or comment longer than in any report");
}

void gg_xmlparse_close(struct gg_xmlparse *parse)
{
    if (!parse->ctxt)
        return;
    xmlFreeDoc(parse->ctxt->myDoc);
    xmlFreeParserCtxt(parse->ctxt);
    parse->ctxt = NULL;
}
