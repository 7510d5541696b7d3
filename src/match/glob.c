#include "match/glob.h"
#include "base/esc.h"

#include <string.h>

struct character {
    uint32_t code;
    size_t len;
};

/* 0xdc00 and above: bytes that are no UTF-8, which no text can spell otherwise. */
static struct character character_at(struct gg_str text, size_t at)
{
    unsigned char byte = (unsigned char)text.ptr[at];
    struct character c = {byte, 1};
    if (byte < 0x80)
        return c;
    c.len = gg_utf8_decode(gg_str_n(text.ptr + at, text.len - at), &c.code);
    return c.len ? c : (struct character){0xdc00u + byte, 1};
}

/* --- sets ------------------------------------------------------------------------------- */

static bool in_range(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

static bool is_alpha(uint32_t code)
{
    return in_range(code | 0x20, 'a', 'z');
}

static bool is_graph(uint32_t code)
{
    return in_range(code, 0x21, 0x7e);
}

static bool is_alnum(uint32_t code)
{
    return is_alpha(code) || in_range(code, '0', '9');
}

static bool in_class(struct gg_str class, uint32_t code)
{
    if (gg_str_is(class, "alpha"))
        return is_alpha(code);
    if (gg_str_is(class, "digit"))
        return in_range(code, '0', '9');
    if (gg_str_is(class, "alnum"))
        return is_alnum(code);
    if (gg_str_is(class, "upper"))
        return in_range(code, 'A', 'Z');
    if (gg_str_is(class, "lower"))
        return in_range(code, 'a', 'z');
    if (gg_str_is(class, "xdigit"))
        return in_range(code, '0', '9') || in_range(code | 0x20, 'a', 'f');
    if (gg_str_is(class, "space"))
        return code == ' ' || in_range(code, '\t', '\r');
    if (gg_str_is(class, "blank"))
        return code == ' ' || code == '\t';
    if (gg_str_is(class, "punct"))
        return is_graph(code) && !is_alnum(code);
    if (gg_str_is(class, "graph"))
        return is_graph(code);
    if (gg_str_is(class, "print"))
        return code == ' ' || is_graph(code);
    return gg_str_is(class, "cntrl") && (code < 0x20 || code == 0x7f);
}

static bool is_class(struct gg_str class)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (gg_str_is(class, names[i]))
            return true;
    }
    return false;
}

/* The name between "[:" and ":]" at this place of a set. */
static bool class_at(struct gg_str glob, size_t at, struct gg_str *class)
{
    struct gg_str rest = gg_str_n(glob.ptr + at, glob.len - at);
    size_t end = gg_str_starts(rest, "[:") ? gg_str_find(rest, ":]") : SIZE_MAX;
    if (end == SIZE_MAX || end < 2)
        return false;
    *class = gg_str_n(rest.ptr + 2, end - 2);
    return is_class(*class);
}

/* A character of a set, maybe behind a backslash; moves on. */
static uint32_t set_member(struct gg_str glob, size_t *at)
{
    if (glob.ptr[*at] == '\\' && *at + 1 < glob.len)
        ++*at;
    struct character c = character_at(glob, *at);
    *at += c.len;
    return c.code;
}

/* Is the code in the set that begins at `at` with "["? *end is behind its "]"; 0 when there is
 * none. */
static bool set_has(struct gg_str glob, size_t at, uint32_t code, size_t *end)
{
    bool found = false, first = true;
    size_t i = at + 1;
    bool negated = i < glob.len && (glob.ptr[i] == '!' || glob.ptr[i] == '^');
    i += negated;
    for (; i < glob.len && (first || glob.ptr[i] != ']'); first = false) {
        struct gg_str class;
        if (class_at(glob, i, &class)) {
            found = found || in_class(class, code);
            i += class.len + 4;
            continue;
        }
        uint32_t low = set_member(glob, &i), high = low;
        if (i + 1 < glob.len && glob.ptr[i] == '-' && glob.ptr[i + 1] != ']') {
            i++;
            high = set_member(glob, &i);
        }
        found = found || in_range(code, low, high);
    }
    *end = i < glob.len ? i + 1 : 0;
    return found != negated;
}

/* --- matching --------------------------------------------------------------------------- */

/* Does the pattern's character, set or "?" at *p fit the name's at *n? Moves both on. */
static bool step(struct gg_str glob, struct gg_str name, size_t *p, size_t *n)
{
    struct character c = character_at(name, *n);
    size_t end = 0;
    if (glob.ptr[*p] == '?' || glob.ptr[*p] == '[') {
        bool fits = glob.ptr[*p] == '?' || set_has(glob, *p, c.code, &end);
        if (glob.ptr[*p] == '?' || end) {
            *p = end ? end : *p + 1;
            *n += c.len;
            return fits && c.code != '/';
        }
    }
    *p += glob.ptr[*p] == '\\' && *p + 1 < glob.len;
    struct character wanted = character_at(glob, *p);
    *p += wanted.len;
    *n += c.len;
    return wanted.code == c.code;
}

/* A star that was passed, and the place up to which it reaches now. */
struct star {
    bool set, parts; /* parts: it ends behind a "/" */
    size_t p, n;
};

/* Lets the star reach one place further. */
static bool extend(struct star *star, struct gg_str name, bool across)
{
    do {
        if (!star->set || star->n == name.len || (!across && name.ptr[star->n] == '/'))
            return false;
        star->n += character_at(name, star->n).len;
    } while (star->parts && name.ptr[star->n - 1] != '/');
    return true;
}

static size_t stars_at(struct gg_str glob, size_t p)
{
    size_t count = 0;
    while (p + count < glob.len && glob.ptr[p + count] == '*')
        count++;
    return count;
}

/* Passes the stars at p. */
static void pass(struct gg_str glob, size_t *p, size_t n, struct star *one, struct star *two)
{
    size_t count = stars_at(glob, *p), after = *p + count;
    bool begins = *p == 0 || glob.ptr[*p - 1] == '/';
    if (count == 1) {
        *one = (struct star){.set = true, .p = after, .n = n};
    } else {
        bool parts = begins && after < glob.len && glob.ptr[after] == '/';
        *two = (struct star){.set = true, .parts = parts, .p = after + parts, .n = n};
        one->set = false;
        after += parts;
    }
    *p = after;
}

bool gg_glob_match(struct gg_str glob, struct gg_str name)
{
    /* As in wildcard.c the last star alone is tried further, and when it cannot reach further (it
     * stops at "/"), the last "**" before it. */
    struct star one = {0}, two = {0};
    size_t p = 0, n = 0;
    for (;;) {
        while (p < glob.len && glob.ptr[p] == '*')
            pass(glob, &p, n, &one, &two);
        if (p == glob.len && n == name.len)
            return true;
        /* What is left of the name is too short; further on there is still less of it. */
        if (n == name.len)
            return false;
        if (p < glob.len && step(glob, name, &p, &n))
            continue;
        if (extend(&one, name, false)) {
            p = one.p;
            n = one.n;
        } else if (extend(&two, name, true)) {
            one.set = false;
            p = two.p;
            n = two.n;
        } else {
            return false;
        }
    }
}

const char *gg_glob_fault(struct gg_str glob)
{
    for (size_t i = 0; i < glob.len; i++) {
        size_t end;
        if (glob.ptr[i] == '\\') {
            if (++i == glob.len)
                return "ends with a backslash that has nothing to stand before";
            continue;
        }
        if (glob.ptr[i] != '[')
            continue;
        set_has(glob, i, 0, &end);
        if (end == 0)
            return "has a [ without its ]";
        i = end - 1;
    }
    return glob.len ? NULL : "is empty";
}
