#include "read/jsonstream.h"

#include <stdio.h>
#include <string.h>

void gg_jsonstream_begin(struct gg_jsonstream *stream, struct gg_input *input, struct gg_error *err)
{
    *stream = (struct gg_jsonstream){.input = input, .err = err, .line = 1};
}

void gg_jsonstream_end(struct gg_jsonstream *stream)
{
    gg_buffer_free(&stream->value);
}

/* The next byte, not taken; -1 at the end. */
static int next(struct gg_jsonstream *stream)
{
    while (stream->at == stream->input->len) {
        if (stream->failed || stream->input->eof)
            return -1;
        stream->at = 0;
        stream->failed = !gg_input_more(stream->input, 0, stream->err);
        if (stream->failed)
            stream->input->len = 0;
    }
    return (unsigned char)stream->input->bytes[stream->at];
}

static void skip(struct gg_jsonstream *stream)
{
    stream->line += stream->input->bytes[stream->at] == '\n';
    stream->at++;
}

static bool is_white(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int gg_jsonstream_peek(struct gg_jsonstream *stream)
{
    int c = next(stream);
    while (is_white(c)) {
        skip(stream);
        c = next(stream);
    }
    return c;
}

bool gg_jsonstream_take(struct gg_jsonstream *stream, char c)
{
    if (stream->fault || gg_jsonstream_peek(stream) != c)
        return false;
    skip(stream);
    return true;
}

static void fault(struct gg_jsonstream *stream, const char *text)
{
    if (stream->fault)
        return;
    snprintf(stream->fault_text, sizeof stream->fault_text, "%s", text);
    stream->fault = stream->fault_text;
}

void gg_jsonstream_unexpected(struct gg_jsonstream *stream, const char *expected)
{
    if (stream->fault)
        return;
    if (gg_jsonstream_peek(stream) < 0)
        fault(stream, "the report is cut off: what wrote it was stopped, or the disk is full: make "
                      "it again");
    else {
        snprintf(stream->fault_text, sizeof stream->fault_text,
                 "line %llu: no JSON as grindgate writes it: %s is expected: make it again",
                 (unsigned long long)stream->line, expected);
        stream->fault = stream->fault_text;
    }
}

/* Where in a value the scan is. */
struct scan {
    unsigned depth; /* open brackets */
    bool text, escaped;
    bool compound; /* a string, an array or an object: its own end tells where it ends */
};

/* Is the value over before this byte (a scalar's end)? */
static bool ends_before(const struct scan *scan, int c)
{
    return !scan->compound && (is_white(c) || c == ',' || c == ']' || c == '}' || c == ':');
}

/* Takes note of a byte; true: the value ends with it. */
static bool ends_with(struct scan *scan, int c)
{
    if (scan->text) {
        bool quote = c == '"' && !scan->escaped;
        scan->escaped = c == '\\' && !scan->escaped;
        scan->text = !quote;
        return quote && scan->depth == 0;
    }
    if (c == '"') {
        scan->text = scan->compound = true;
    } else if (c == '[' || c == '{') {
        scan->depth++;
        scan->compound = true;
    } else if ((c == ']' || c == '}') && scan->depth) {
        return --scan->depth == 0;
    }
    return false;
}

/* Gathers the bytes of the next value. */
static bool gather(struct gg_jsonstream *stream)
{
    struct scan scan = {0};
    stream->value.len = 0;
    int c = gg_jsonstream_peek(stream);
    stream->value_line = stream->line;
    for (; c >= 0 && !ends_before(&scan, c); c = next(stream)) {
        char byte = (char)c;
        bool last = ends_with(&scan, c);
        gg_buffer_add(&stream->value, &byte, 1);
        skip(stream);
        if (last)
            return true;
        if (stream->value.len == GG_JSON_VALUE_MAX || scan.depth > GG_JSON_VALUE_DEPTH) {
            fault(stream, "it holds a value that is larger or deeper than any that grindgate "
                          "writes: make it again");
            return false;
        }
    }
    if (c < 0 || stream->value.len == 0)
        gg_jsonstream_unexpected(stream, "a value");
    return !stream->fault;
}

json_t *gg_jsonstream_value(struct gg_jsonstream *stream)
{
    json_error_t error;
    if (stream->fault || !gather(stream))
        return NULL;
    json_t *value = json_loadb(stream->value.ptr, stream->value.len,
                               JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        snprintf(stream->fault_text, sizeof stream->fault_text, "line %llu: no JSON: %s",
                 (unsigned long long)stream->value_line + (unsigned long long)(error.line - 1),
                 error.text);
        stream->fault = stream->fault_text;
    }
    return value;
}
