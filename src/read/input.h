/*
 * Input: the bytes of one report, a file or standard input, 64 KiB at a time.
 *
 * gg_read opens it and hands it to a reader with the first chunk in it; the reader asks for more
 * until eof. What the reader has not used yet (a cut character, the beginning of a declaration)
 * it keeps, and finds it in front of the next chunk.
 */
#ifndef GG_READ_INPUT_H
#define GG_READ_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/beat.h"
#include "grindgate/error.h"

#define GG_INPUT_CHUNK 65536u
#define GG_INPUT_KEEP 512u
#define GG_INPUT_PEEK 4096u

struct gg_input {
    const char *name; /* how runs and notes call it */
    int fd;
    struct gg_beat *beat; /* told of while chunks come; NULL: nobody */
    bool eof;             /* nothing follows what is in `bytes` */
    size_t len;           /* of `bytes` */
    char bytes[GG_INPUT_KEEP + GG_INPUT_CHUNK];
};

/* Opens `path` ("-": standard input) and reads the first chunk; without a beat. */
bool gg_input_open(struct gg_input *input, const char *path, const char *name,
                   struct gg_error *err);

/* Forgets all but the last `keep` bytes (at most GG_INPUT_KEEP) and reads the next chunk behind
 * them. Until eof at least one byte is new. */
bool gg_input_more(struct gg_input *input, size_t keep, struct gg_error *err);

void gg_input_close(struct gg_input *input);

#endif
