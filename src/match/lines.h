/*
 * Lines: a suppression file the way valgrind reads it, line by line.
 *
 * White space at both ends of a line is nothing, so are empty lines and lines that begin with "#",
 * wherever they stand. A NUL ends its line early. A last line without a line break is taken as it
 * is: neither trimmed nor skipped as a comment.
 */
#ifndef GG_MATCH_LINES_H
#define GG_MATCH_LINES_H

#include "base/str.h"
#include "match/metadata.h"

/* A line of more bytes makes valgrind stop. */
enum { GG_SUPP_LINE_MAX = 51199 };

struct gg_supp_lines {
    struct gg_str rest;
    uint32_t number;             /* of the line that was read last, 1-based */
    bool too_long;               /* that line is longer than valgrind reads */
    struct gg_metadata metadata; /* of "# gg:" comments since it was last emptied */
};

/* false at the end of the file, and for a line that is too long. */
bool gg_supp_lines_next(struct gg_supp_lines *lines, struct gg_str *line);

#endif
