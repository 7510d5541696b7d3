/*
 * Anchor: places where reading can begin or go on when what stands before is no report.
 *
 * valgrind escapes '<' in nearly all text, so one of its tags is a safe place wherever it stands.
 */
#ifndef GG_READ_ANCHOR_H
#define GG_READ_ANCHOR_H

#include <stdbool.h>

#include "base/str.h"

static inline bool gg_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

enum gg_anchor {
    GG_ANCHOR_NONE,
    GG_ANCHOR_CUT,  /* something that may become one when more bytes are there */
    GG_ANCHOR_ITEM, /* "<error>" LF and the like, "<pid>": a child of the root begins */
    GG_ANCHOR_ROOT, /* "<valgrindoutput>" */
    GG_ANCHOR_END,  /* "</valgrindoutput>" */
    GG_ANCHOR_OTHER /* any other tag of valgrind's; only with `any` */
};

/* The first anchor at or behind `from`; *at is where it begins, or text.len. `last`: no bytes
 * follow the text. */
enum gg_anchor gg_anchor_find(struct gg_str text, size_t from, bool any, bool last, size_t *at);

/* "<?xml " at or behind `from`, where a document begins; text.len when there is none. What may
 * become one when more bytes are there counts, unless `last`. */
size_t gg_anchor_declaration(struct gg_str text, size_t from, bool last);

#endif
