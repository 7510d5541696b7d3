#include "match/readable.h"
#include "match/wildcard.h"
#include "model/demangle.h"

#include <string.h>

/* Behind "operator()", "operator<<" at the beginning of the text; 0 when it begins otherwise. */
static size_t operator_len(struct gg_str text)
{
    if (!gg_str_starts(text, "operator"))
        return 0;
    size_t len = 8;
    if (gg_str_starts(gg_str_n(text.ptr + len, text.len - len), "()"))
        return len + 2;
    while (len < text.len && text.ptr[len] && strchr("<>=!+-*/%^&|~,", text.ptr[len]))
        len++;
    return len;
}

bool gg_readable_looks(struct gg_str name)
{
    /* What stands between < and > does not count: inlined functions have short names, with their
     * template's arguments, whether names are demangled or not. */
    size_t depth = 0;
    for (size_t i = 0; i < name.len; i++) {
        struct gg_str rest = gg_str_n(name.ptr + i, name.len - i);
        size_t skip = rest.ptr[0] == 'o' ? operator_len(rest) : 0;
        char c = rest.ptr[0];
        if (skip)
            i += skip - 1;
        else if (c == '<')
            depth++;
        else if (c == '>' && depth > 0)
            depth--;
        else if (depth == 0 && (c == '(' || gg_str_starts(rest, "::")))
            return !gg_str_is(name, "(below main)");
    }
    return false;
}

struct gg_str gg_readable_bare(struct gg_str name)
{
    /* The parameters are the last parentheses that are not inside of others; behind them may stand
     * "const" or "[clone .part.0]", before them "operator()". */
    const char *last = name.len ? memchr(name.ptr, '(', name.len) : NULL;
    if (!last)
        return name;
    size_t end = name.len;
    while (end > 0 && name.ptr[end - 1] != ')')
        end--;
    if (gg_str_find(gg_str_n(name.ptr + end, name.len - end), "::") != SIZE_MAX)
        return name;
    size_t depth = 0;
    while (end > 0) {
        char c = name.ptr[--end];
        depth += c == ')';
        depth -= c == '(' && depth > 0;
        if (depth == 0)
            break;
    }
    return end ? gg_str_n(name.ptr, end) : name;
}

/* Names of functions that are cut off so that they stand for several. */
static struct gg_str known_prefix(struct gg_str pattern)
{
    static const char *const known[][2] = {{"_Zn*", "operator new*"},
                                           {"_Znw*", "operator new(*"},
                                           {"_Zna*", "operator new[](*"},
                                           {"_Zdl*", "operator delete(*"},
                                           {"_Zda*", "operator delete[](*"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (gg_str_is(pattern, known[i][0]))
            return gg_str(known[i][1]);
    }
    return (struct gg_str){0};
}

static size_t decimal(struct gg_str text, size_t *at)
{
    size_t number = 0;
    for (; *at < text.len && text.ptr[*at] >= '0' && text.ptr[*at] <= '9' && number < 10000; ++*at)
        number = number * 10 + (size_t)(text.ptr[*at] - '0');
    return number;
}

/* "_ZNK2ns3Fo*..." -> "ns::Fo*...": plain names one in another, the last of which may be cut. */
static struct gg_str nested_prefix(struct gg_arena *arena, struct gg_str pattern)
{
    char *text = gg_arena_alloc(arena, pattern.len * 2 + 8);
    size_t len = 0, at = 2;
    at += at < pattern.len && pattern.ptr[at] == 'N';
    at += at < pattern.len && pattern.ptr[at] == 'K';
    if (gg_str_starts(gg_str_n(pattern.ptr + at, pattern.len - at), "St")) {
        memcpy(text, "std", 3);
        len = 3;
        at += 2;
    }
    while (at < pattern.len && pattern.ptr[at] != '*') {
        size_t left = decimal(pattern, &at);
        if (left == 0)
            return (struct gg_str){0};
        if (len) {
            memcpy(text + len, "::", 2);
            len += 2;
        }
        for (; left > 0 && at < pattern.len && pattern.ptr[at] != '*'; left--)
            text[len++] = pattern.ptr[at++];
    }
    if (len == 0 || at == pattern.len)
        return (struct gg_str){0};
    memcpy(text + len, pattern.ptr + at, pattern.len - at);
    return gg_str_n(text, len + pattern.len - at);
}

struct gg_str gg_readable_pattern(struct gg_arena *arena, struct gg_str pattern)
{
    if (!gg_str_starts(pattern, "_Z") && !gg_str_starts(pattern, "_R"))
        return (struct gg_str){0};
    if (!memchr(pattern.ptr, '*', pattern.len)) {
        char *symbol = gg_arena_strndup(arena, pattern.ptr, pattern.len);
        const char *name = gg_demangle(arena, symbol);
        return name == symbol ? (struct gg_str){0} : gg_str(name);
    }
    struct gg_str known = known_prefix(pattern);
    return known.len || pattern.ptr[1] == 'R' ? known : nested_prefix(arena, pattern);
}

static bool fits(struct gg_str pattern, struct gg_str name)
{
    return gg_wildcard_match(pattern, name) || gg_wildcard_match(pattern, gg_readable_bare(name));
}

bool gg_readable_fits(struct gg_arena *scratch, struct gg_str pattern, struct gg_str name)
{
    if (fits(pattern, name))
        return true;
    /* A demangled pattern is compared as a wildcard, too: the "*" of a pointer is a "*" there. */
    struct gg_str readable = gg_readable_pattern(scratch, pattern);
    return readable.len && fits(readable, name);
}
