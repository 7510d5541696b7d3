#include "read/ctest_results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/parser.h>

enum {
    CHUNK = 64 << 10,
    DEPTH_MAX = 16,
    DETAIL_MAX = 4096 /* bytes of CTest's word on a test; it quotes regular expressions */
};

struct reading {
    struct gg_arena *arena;
    struct gg_ctest_results *results;
    xmlParserCtxt *ctxt;
    unsigned depth;
    bool inside;     /* a testcase is open: the last of the results */
    bool closed;     /* the root has its end */
    const char *why; /* it cannot be what CTest writes; NULL: it can */
};

static void give_up(struct reading *reading, const char *why)
{
    if (!reading->why)
        reading->why = why;
    xmlStopParser(reading->ctxt);
}

static bool is(const xmlChar *name, const char *text)
{
    return strcmp((const char *)name, text) == 0;
}

/* libxml2 gives five pointers for each attribute: name, prefix, URI, value, its end. */
static const char *attribute(struct reading *reading, const xmlChar **list, int count,
                             const char *name, size_t limit)
{
    for (int i = 0; i < count; i++) {
        const xmlChar *const *one = (const xmlChar *const *)list + (size_t)i * 5;
        if (!is(one[0], name))
            continue;
        size_t len = (size_t)(one[4] - one[3]);
        return gg_arena_strndup(reading->arena, (const char *)one[3], len < limit ? len : limit);
    }
    return NULL;
}

/* --- events ----------------------------------------------------------------------------- */

static bool state_of(const char *status, enum gg_test_state *state)
{
    static const struct {
        const char *status;
        enum gg_test_state state;
    } known[] = {{"run", GG_TEST_PASSED},
                 {"fail", GG_TEST_FAILED},
                 {"notrun", GG_TEST_NOT_RUN},
                 {"disabled", GG_TEST_DISABLED}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (status && strcmp(known[i].status, status) == 0) {
            *state = known[i].state;
            return true;
        }
    }
    return false;
}

static void begin_test(struct reading *reading, const xmlChar **attributes, int count)
{
    struct gg_test test = {0};
    test.name = attribute(reading, attributes, count, "name", SIZE_MAX);
    if (!test.name ||
        !state_of(attribute(reading, attributes, count, "status", SIZE_MAX), &test.state)) {
        give_up(reading, "a test in it has no name or no status that is known");
        return;
    }
    *gg_vec_push(reading->arena, &reading->results->tests) = test;
    reading->inside = true;
}

/* A test that ran and says that it does not apply is "notrun" too: SKIP_RETURN_CODE=77,
 * SKIP_REGULAR_EXPRESSION_MATCHED. */
static void take_message(struct reading *reading, const xmlChar **attributes, int count)
{
    struct gg_test *test = &reading->results->tests.at[reading->results->tests.len - 1];
    const char *message = attribute(reading, attributes, count, "message", DETAIL_MAX);
    if (!message || !message[0] || strcmp(message, "Failed") == 0)
        return; /* CTest 4 says "Failed" where older ones say nothing */
    test->detail = message;
    if (test->state == GG_TEST_NOT_RUN && strncmp(message, "SKIP_", 5) == 0)
        test->state = GG_TEST_SKIPPED;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace_list, int attributes, int defaulted,
                     const xmlChar **list)
{
    (void)prefix, (void)uri, (void)namespaces, (void)namespace_list, (void)defaulted;
    struct reading *reading = data;
    if (reading->why)
        return;
    if (reading->depth == 0 && !is(name, "testsuite"))
        give_up(reading, "it does not begin with <testsuite>");
    else if (++reading->depth > DEPTH_MAX)
        give_up(reading, "its elements are nested too deep");
    else if (reading->depth == 2 && is(name, "testcase"))
        begin_test(reading, list, attributes);
    else if (reading->depth == 3 && reading->inside && (is(name, "skipped") || is(name, "failure")))
        take_message(reading, list, attributes);
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    struct reading *reading = data;
    if (reading->why)
        return;
    reading->depth--;
    if (reading->depth <= 1)
        reading->inside = false;
    if (reading->depth == 0)
        reading->closed = true;
}

/* CTest writes none, and entities that are declared in one can grow without bound. */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    give_up(data, "it has a document type (DOCTYPE)");
}

/* --- the file --------------------------------------------------------------------------- */

static bool feed(struct reading *reading, int fd)
{
    char chunk[CHUNK];
    ssize_t n = 0;
    while (!reading->why && (n = read(fd, chunk, sizeof chunk)) > 0) {
        xmlParseChunk(reading->ctxt, chunk, (int)n, 0);
        if (!reading->ctxt->wellFormed)
            give_up(reading, "it is no XML that a parser takes");
    }
    if (n < 0)
        give_up(reading, strerror(errno));
    if (!reading->why && !reading->closed)
        give_up(reading, "it stops early");
    return reading->why == NULL;
}

bool gg_ctest_results_read(struct gg_arena *arena, const char *path,
                           struct gg_ctest_results *results, struct gg_error *err)
{
    *results = (struct gg_ctest_results){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        gg_error_set(err, "%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    struct reading reading = {.arena = arena, .results = results};
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .internalSubset = on_doctype};
    reading.ctxt = xmlCreatePushParserCtxt(&sax, &reading, NULL, 0, NULL);
    if (!reading.ctxt)
        abort();
    /* "&amp;" in an attribute comes as "&#38;" otherwise; other entities cannot be declared. */
    xmlCtxtUseOptions(reading.ctxt, XML_PARSE_NONET | XML_PARSE_NOENT);
    bool ok = feed(&reading, fd);
    if (!ok)
        gg_error_set(err, "%s: %s", path, reading.why);
    xmlFreeDoc(reading.ctxt->myDoc);
    xmlFreeParserCtxt(reading.ctxt);
    close(fd);
    return ok;
}
