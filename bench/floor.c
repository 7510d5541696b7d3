/* Floor: what libxml2 itself costs. The same parser with the same options and chunks as ours, and
 * callbacks that do nothing. */
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

static unsigned long long elements;

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace_list, int attributes, int defaulted,
                     const xmlChar **attribute_list)
{
    (void)data, (void)name, (void)prefix, (void)uri, (void)namespaces, (void)namespace_list;
    (void)attributes, (void)defaulted, (void)attribute_list;
    elements++;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)data, (void)name, (void)prefix, (void)uri;
}

static void on_text(void *data, const xmlChar *text, int len)
{
    (void)data, (void)text, (void)len;
}

int main(int argc, char **argv)
{
    static char chunk[65536];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        return 2;
    setvbuf(file, NULL, _IONBF, 0);
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .characters = on_text,
                         .ignorableWhitespace = on_text,
                         .cdataBlock = on_text};
    xmlParserCtxt *ctxt = xmlCreatePushParserCtxt(&sax, NULL, NULL, 0, NULL);
    xmlCtxtUseOptions(ctxt, XML_PARSE_NONET);
    size_t len;
    while ((len = fread(chunk, 1, sizeof chunk, file)) > 0)
        xmlParseChunk(ctxt, chunk, (int)len, 0);
    int failed = xmlParseChunk(ctxt, chunk, 0, 1);
    printf("%llu elements\n", elements);
    xmlFreeParserCtxt(ctxt);
    fclose(file);
    return failed ? 1 : 0;
}
