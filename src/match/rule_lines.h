/*
 * Rule lines: where the rules of a JSON file stand, which jansson does not keep.
 */
#ifndef GG_MATCH_RULE_LINES_H
#define GG_MATCH_RULE_LINES_H

#include "base/arena.h"
#include "base/str.h"

/* For the first `count` members of the file's "rules" the line of the rule's own "id", or of its
 * first character when it has none. The text is JSON, and is read once. */
const uint32_t *gg_rule_lines(struct gg_arena *arena, struct gg_str text, size_t count);

#endif
