#include "capture/suite_lines.h"

#include <string.h>

static void skip_blanks(struct gg_str *rest)
{
    while (rest->len && rest->ptr[0] == ' ')
        *rest = gg_str_n(rest->ptr + 1, rest->len - 1);
}

static bool take_number(struct gg_str *rest, size_t *number)
{
    uint64_t value;
    size_t len = 0;
    skip_blanks(rest);
    while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9')
        len++;
    if (!gg_str_u64(gg_str_n(rest->ptr, len), false, &value))
        return false;
    *number = (size_t)value;
    *rest = gg_str_n(rest->ptr + len, rest->len - len);
    return true;
}

static bool take_word(struct gg_str *rest, const char *word)
{
    skip_blanks(rest);
    if (!gg_str_starts(*rest, word))
        return false;
    *rest = gg_str_n(rest->ptr + strlen(word), rest->len - strlen(word));
    return true;
}

/* "parser ......": the name and a blank, filled up with dots. */
static struct gg_str without_dots(struct gg_str text)
{
    while (text.len && text.ptr[text.len - 1] == '.')
        text.len--;
    while (text.len && text.ptr[text.len - 1] == ' ')
        text.len--;
    return text;
}

/* "Failed" says nothing that is not known; what else stands before two blanks may. */
static void take_remark(struct gg_arena *arena, struct gg_suite *suite, struct gg_str rest)
{
    size_t stars = gg_str_find(rest, "***");
    if (stars == SIZE_MAX)
        return;
    struct gg_str name = without_dots(gg_str_n(rest.ptr, stars));
    struct gg_str text = gg_str_n(rest.ptr + stars + 3, rest.len - stars - 3);
    size_t end = gg_str_find(text, "  ");
    text = gg_str_trim(gg_str_n(text.ptr, end < text.len ? end : text.len));
    if (!text.len || gg_str_is(text, "Failed"))
        return;
    *gg_vec_push(arena, &suite->remarks) = (struct gg_suite_remark){
        gg_arena_strndup(arena, name.ptr, name.len), gg_arena_strndup(arena, text.ptr, text.len)};
}

void gg_suite_line(struct gg_arena *arena, struct gg_suite *suite, struct gg_str line)
{
    size_t done, all, number;
    struct gg_str rest = line;
    if (gg_str_starts(line, "No tests were found"))
        suite->found_none = true;
    if (!take_number(&rest, &done) || !take_word(&rest, "/") || !take_number(&rest, &all) ||
        !take_word(&rest, "Test") || !take_word(&rest, "#") || !take_number(&rest, &number) ||
        !take_word(&rest, ":"))
        return;
    suite->done = done;
    suite->tests = all;
    skip_blanks(&rest);
    take_remark(arena, suite, rest);
}
