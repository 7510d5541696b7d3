/*
 * Linemap: which line of an older text each line of a newer one was, by git's default diff.
 *
 * The diff is libgit2's xdiff, the same algorithm as git's, and the answers are git blame's as
 * long as it sees what git's would see: the common tail cut off in the way git does, and the
 * indent heuristic on. It is not given the texts but one short token a line (the line's leading
 * blanks, which the heuristic looks at, and a number that stands for the line): less to hash, and
 * a file made of lines with colliding hashes cannot hold it up.
 */
#ifndef GG_VCS_LINEMAP_H
#define GG_VCS_LINEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "grindgate/error.h"

/* More lines than this no source file has; a diff of them would take gigabytes. */
#define GG_LINE_LIMIT 2000000u

/* Lines [from, to) of the newer text are new; the line `to` was `old` in the older one. */
struct gg_hunk {
    uint32_t from, to, old;
};

/* Zeroed before the first use; reusable. */
struct gg_linemap {
    struct gg_hunk *hunks;
    size_t count, cap;
    struct gg_line_id *ids; /* a hash table: the lines seen in this diff */
    size_t id_cap;
    uint32_t id_count, round;
    unsigned digits; /* of a number in a token */
    char *tokens;
    size_t token_cap;
};

bool gg_linemap_make(struct gg_linemap *map, struct gg_str older, struct gg_str newer,
                     struct gg_error *err);

/* The line (1-based) in the older text; 0 when it is new. */
uint32_t gg_linemap_older(const struct gg_linemap *map, uint32_t line);

void gg_linemap_free(struct gg_linemap *map);

/* How many lines a text has; a last line without a line feed counts. */
uint64_t gg_linemap_lines(struct gg_str text);

#endif
