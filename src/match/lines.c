#include "match/lines.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Where a key like "owner=" begins, behind white space; the text's length when nowhere. */
static size_t find_key(struct gg_str text, const char *key)
{
    for (size_t at = 0; at < text.len; at++) {
        struct gg_str rest = gg_str_n(text.ptr + at, text.len - at);
        size_t hit = gg_str_find(rest, key);
        if (hit == SIZE_MAX)
            break;
        at += hit;
        if (at > 0 && is_space(text.ptr[at - 1]))
            return at;
    }
    return text.len;
}

/* A value ends before the next key. */
static size_t value_end(struct gg_str value)
{
    static const char *const keys[] = {"reason=", "owner=", "expires=", "ticket="};
    size_t end = value.len;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t at = find_key(value, keys[i]);
        end = at < end ? at : end;
    }
    return end;
}

/* # gg: reason=fixed upstream in 2.4 owner=net-team expires=2030-01-31
 * # gg: owner=net-team reason="fixed upstream in 2.4" */
static void read_comment(struct gg_supp_lines *lines, struct gg_str line)
{
    struct gg_str text = gg_str_trim(gg_str_n(line.ptr + 1, line.len - 1));
    if (!gg_str_starts(text, "gg:"))
        return;
    size_t at = find_key(text, "reason=");
    if (at == text.len)
        return;
    struct gg_str value = gg_str_n(text.ptr + at + 7, text.len - at - 7), rest;
    if (gg_str_starts(value, "\""))
        gg_str_cut(gg_str_n(value.ptr + 1, value.len - 1), '"', &value, &rest);
    else
        value.len = value_end(value);
    lines->reason = gg_str_trim(value);
}

/* Skips white space, empty lines included. */
static void skip_space(struct gg_supp_lines *lines)
{
    struct gg_str rest = lines->rest;
    for (; rest.len && is_space(rest.ptr[0]); rest = gg_str_n(rest.ptr + 1, rest.len - 1))
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
        lines->number++;
        lines->too_long = line->len > GG_SUPP_LINE_MAX;
        if (lines->too_long)
            return false;
        if (whole)
            *line = gg_str_trim(*line);
        if (whole && line->ptr[0] == '#') {
            read_comment(lines, *line);
            continue;
        }
        struct gg_str tail;
        gg_str_cut(*line, '\0', line, &tail);
        return true;
    }
}
