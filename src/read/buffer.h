/*
 * Buffer: bytes that grow, with a life of their own (not in an arena). Zeroed it is empty.
 */
#ifndef GG_READ_BUFFER_H
#define GG_READ_BUFFER_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct gg_buffer {
    char *ptr;
    size_t len, cap;
};

/* Room for `more` bytes behind the last one. */
static inline void gg_buffer_room(struct gg_buffer *buffer, size_t more)
{
    if (buffer->cap - buffer->len >= more)
        return;
    buffer->cap = (buffer->len + more) * 2;
    buffer->ptr = gg_realloc(buffer->ptr, buffer->cap);
}

/* Most texts of a report come in pieces of a few bytes; for them a call costs more than the copy.
 */
static inline void gg_buffer_copy(char *to, const char *from, size_t len)
{
    if (len >= 16) {
        memcpy(to, from, len);
    } else if (len >= 8) {
        memcpy(to + len - 8, from + len - 8, 8);
        memcpy(to, from, 8);
    } else if (len >= 4) {
        memcpy(to + len - 4, from + len - 4, 4);
        memcpy(to, from, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            to[i] = from[i];
    }
}

static inline void gg_buffer_add(struct gg_buffer *buffer, const char *bytes, size_t len)
{
    gg_buffer_room(buffer, len);
    gg_buffer_copy(buffer->ptr + buffer->len, bytes, len);
    buffer->len += len;
}

static inline void gg_buffer_text(struct gg_buffer *buffer, const char *text)
{
    gg_buffer_add(buffer, text, strlen(text));
}

static inline struct gg_str gg_buffer_str(const struct gg_buffer *buffer)
{
    return gg_str_n(buffer->ptr, buffer->len);
}

static inline void gg_buffer_free(struct gg_buffer *buffer)
{
    free(buffer->ptr);
    *buffer = (struct gg_buffer){0};
}

#endif
