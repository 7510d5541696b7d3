/*
 * Wildcard: valgrind's patterns for names. `*` is any run of bytes, `?` is one byte, everything
 * else is itself, and the whole name must match. There is no escape.
 */
#ifndef GG_MATCH_WILDCARD_H
#define GG_MATCH_WILDCARD_H

#include "base/str.h"

bool gg_wildcard_match(struct gg_str pattern, struct gg_str name);

#endif
