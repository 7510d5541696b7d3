#include "match/spelling.h"

#include <string.h>

/* --- functions -------------------------------------------------------------------------- */

/* "_ZN3foo3bar17h0123456789abcdefE": Rust's hash, new with every compiler. */
enum { HASH = 16, HASH_TAIL = HASH + 4 }; /* "17h" before it, "E" behind it */

static bool has_hash(struct gg_str name)
{
    if (name.len <= HASH_TAIL || name.ptr[name.len - 1] != 'E' ||
        memcmp(name.ptr + name.len - HASH_TAIL, "17h", 3) != 0)
        return false;
    for (size_t i = name.len - HASH - 1; i < name.len - 1; i++) {
        if (!strchr("0123456789abcdef", name.ptr[i]))
            return false;
    }
    return true;
}

/* The length of the name without what was added to it. */
static size_t stem_of(struct gg_str name)
{
    static const char *const marks[] = {".isra.", ".part.", ".constprop.", ".cold", ".lto_priv.",
                                        ".llvm.", "@"};
    size_t least = name.len;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t at = gg_str_find(name, marks[i]);
        if (at && at < least)
            least = at;
    }
    return least;
}

struct gg_str gg_spelling_stem(struct gg_str name)
{
    return gg_str_n(name.ptr, stem_of(name));
}

/* The part by which functions are told apart. */
static struct gg_str base_of(struct gg_str name)
{
    struct gg_str base = gg_spelling_stem(name);
    return has_hash(base) ? gg_str_n(base.ptr, base.len - HASH - 1) : base;
}

bool gg_spelling_same_function(struct gg_str a, struct gg_str b)
{
    return gg_str_eq(base_of(a), base_of(b)) &&
           has_hash(gg_spelling_stem(a)) == has_hash(gg_spelling_stem(b));
}

/* Lines are trimmed, and end at a NUL or a line break; what controls a terminal is not printed. */
static const char *writable(struct gg_arena *arena, struct gg_str text)
{
    char *copy = gg_arena_strndup(arena, text.ptr, text.len);
    for (size_t i = 0; i < text.len; i++) {
        if (copy[i] <= ' ' || copy[i] > '~')
            copy[i] = '?';
    }
    return copy;
}

const char *gg_spelling_function(struct gg_arena *arena, const struct gg_str *names, size_t count)
{
    bool bare = false, dots = false, versions = false;
    for (size_t i = 0; i < count; i++) {
        size_t stem = stem_of(names[i]);
        bare = bare || stem == names[i].len;
        dots = dots || (stem < names[i].len && names[i].ptr[stem] == '.');
        versions = versions || (stem < names[i].len && names[i].ptr[stem] == '@');
    }
    struct gg_str stem = gg_spelling_stem(names[0]);
    const char *hash = has_hash(stem) ? "*E" : "";
    const char *tail = bare + dots + versions > 1 ? "*" : dots ? ".*" : versions ? "@*" : "";
    return gg_arena_printf(arena, "%s%s%s", writable(arena, base_of(names[0])), hash, tail);
}

/* --- objects ---------------------------------------------------------------------------- */

static struct gg_str last_part(struct gg_str path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return gg_str_n(path.ptr + at, path.len - at);
}

/* Where in a file's name the version behind ".so" begins; its length when it is no library. */
static size_t version_at(struct gg_str name)
{
    for (size_t i = 0; i + 3 <= name.len; i++) {
        if (memcmp(name.ptr + i, ".so", 3) == 0 && (i + 3 == name.len || name.ptr[i + 3] == '.'))
            return i + 3;
    }
    return name.len;
}

static struct gg_str library_of(struct gg_str path)
{
    struct gg_str name = last_part(path);
    return gg_str_n(name.ptr, version_at(name));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "libpython3.11.so" and "libpython3.9.so" */
static bool same_but_for_digits(struct gg_str a, struct gg_str b)
{
    size_t i = 0, j = 0;
    while (i < a.len || j < b.len) {
        bool digits = i < a.len && j < b.len && is_digit(a.ptr[i]) && is_digit(b.ptr[j]);
        if (digits) {
            while (i < a.len && is_digit(a.ptr[i]))
                i++;
            while (j < b.len && is_digit(b.ptr[j]))
                j++;
        } else if (i < a.len && j < b.len && a.ptr[i] == b.ptr[j]) {
            i++;
            j++;
        } else {
            return false;
        }
    }
    return true;
}

bool gg_spelling_same_object(struct gg_str a, struct gg_str b)
{
    return same_but_for_digits(library_of(a), library_of(b));
}

/* What all have in front, up to a number in which they differ; what they have behind it. */
static const char *join(struct gg_arena *arena, const struct gg_str *names, size_t count)
{
    struct gg_str first = library_of(names[0]);
    size_t front = first.len, back = first.len;
    for (size_t i = 1; i < count; i++) {
        struct gg_str other = library_of(names[i]);
        size_t same = 0;
        while (same < front && same < other.len && first.ptr[same] == other.ptr[same])
            same++;
        front = same;
        for (same = 0; same < back && same < other.len &&
                       first.ptr[first.len - 1 - same] == other.ptr[other.len - 1 - same];)
            same++;
        back = same;
    }
    if (front == first.len)
        return writable(arena, first);
    while (front && is_digit(first.ptr[front - 1]))
        front--;
    while (back && (is_digit(first.ptr[first.len - back]) || back + front > first.len))
        back--;
    return gg_arena_printf(arena, "%s*%s", writable(arena, gg_str_n(first.ptr, front)),
                           writable(arena, gg_str_n(first.ptr + first.len - back, back)));
}

const char *gg_spelling_object(struct gg_arena *arena, const struct gg_str *names, size_t count)
{
    bool plain = false, versions = false, placed = true;
    for (size_t i = 0; i < count; i++) {
        struct gg_str name = last_part(names[i]);
        bool versioned = version_at(name) < name.len;
        plain = plain || !versioned;
        versions = versions || versioned;
        placed = placed && name.len < names[i].len;
    }
    return gg_arena_printf(arena, "%s%s%s", placed ? "*/" : "*", join(arena, names, count),
                           !versions ? ""
                           : plain   ? "*"
                                     : ".*");
}
