#include "match/lines.h"

/* Skips white space, empty lines included. */
static void skip_space(struct gg_supp_lines *lines)
{
    struct gg_str rest = lines->rest;
    for (; rest.len && gg_str_is_space(rest.ptr[0]); rest = gg_str_n(rest.ptr + 1, rest.len - 1))
        lines->number += rest.ptr[0] == '\n';
    lines->rest = rest;
}

bool gg_supp_lines_next(struct gg_supp_lines *lines, struct gg_str *line)
{
    for (;;) {
        skip_space(lines);
        if (lines->rest.len == 0)
            return false;
        bool whole = gg_str_cut(lines->rest, '\n', line, &lines->rest);
        /* valgrind counts line breaks, so a last line without one has the number before. */
        lines->number += whole || lines->number == 0;
        lines->too_long = line->len > GG_SUPP_LINE_MAX;
        if (lines->too_long)
            return false;
        if (whole)
            *line = gg_str_trim(*line);
        if (whole && line->ptr[0] == '#') {
            gg_metadata_read(&lines->metadata, *line);
            continue;
        }
        struct gg_str tail;
        gg_str_cut(*line, '\0', line, &tail);
        return true;
    }
}
