/*
 * Str: a piece of text as a value, a pointer and a length, owning nothing.
 *
 * Parsers cut, trim and compare pieces of a buffer without copying. Bytes, not characters.
 */
#ifndef GG_BASE_STR_H
#define GG_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gg_str {
    const char *ptr;
    size_t len;
};

struct gg_str gg_str(const char *text);
struct gg_str gg_str_n(const char *ptr, size_t len);
bool gg_str_eq(struct gg_str a, struct gg_str b);
bool gg_str_is(struct gg_str a, const char *text);
bool gg_str_starts(struct gg_str text, const char *prefix);
bool gg_str_ends(struct gg_str text, const char *suffix);

/* Blank, tab, LF, VT, FF, CR, in any locale. */
bool gg_str_is_space(char c);

/* Without leading and trailing blanks, tabs, CR, LF, VT, FF (valgrind's white space). */
struct gg_str gg_str_trim(struct gg_str text);

/* Splits at the first `separator`: *head gets what stands before it, *rest what follows.
 * false, with *head the whole text and *rest empty, when there is none. */
bool gg_str_cut(struct gg_str text, char separator, struct gg_str *head, struct gg_str *rest);

/* Where `needle` first stands in `text`; SIZE_MAX when nowhere. */
size_t gg_str_find(struct gg_str text, const char *needle);

/* The next line of *rest without its LF; advances *rest. false at the end. */
bool gg_str_line(struct gg_str *rest, struct gg_str *line);

/* A decimal number that fills the whole text; thousands commas are skipped when `commas`.
 * false when there is anything else, or when it does not fit. */
bool gg_str_u64(struct gg_str text, bool commas, uint64_t *value);

/* Hexadecimal with or without 0x. */
bool gg_str_hex(struct gg_str text, uint64_t *value);

#endif
