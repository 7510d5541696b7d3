/*
 * Jsonstream: a JSON text value by value, so that of a large report no more is held than one item.
 *
 * It finds where a value ends; what the value means is jansson's affair. The caller walks the outer
 * object and the arrays in it by their punctuation.
 */
#ifndef GG_READ_JSONSTREAM_H
#define GG_READ_JSONSTREAM_H

#include <jansson.h>

#include "read/buffer.h"
#include "read/input.h"

/* More than any finding of a report has, with some hundred thousand runs. jansson needs up to forty
 * times as much while it holds the value. */
#define GG_JSON_VALUE_MAX (16u * 1024u * 1024u)
#define GG_JSON_VALUE_DEPTH 32u

struct gg_jsonstream {
    struct gg_input *input;
    struct gg_error *err;
    size_t at;              /* the next byte of the input's chunk */
    uint64_t line;          /* of that byte, from 1 */
    struct gg_buffer value; /* the bytes of the value that is read */
    uint64_t value_line;    /* where it begins */
    const char *fault;      /* why nothing more can be read, a sentence; NULL: it can */
    char fault_text[256];
    bool failed; /* the input itself could not be read; err says why */
};

void gg_jsonstream_begin(struct gg_jsonstream *stream, struct gg_input *input,
                         struct gg_error *err);
void gg_jsonstream_end(struct gg_jsonstream *stream);

/* The next byte that is no white space, not taken; -1 at the end of the input. */
int gg_jsonstream_peek(struct gg_jsonstream *stream);

/* Takes that byte if it is `c`. */
bool gg_jsonstream_take(struct gg_jsonstream *stream, char c);

/* The next value; NULL with a fault when there is none, or it is no JSON. */
json_t *gg_jsonstream_value(struct gg_jsonstream *stream);

/* Sets the fault unless there is one: what stands here is not what has to, or the text is cut off.
 */
void gg_jsonstream_unexpected(struct gg_jsonstream *stream, const char *expected);

#endif
