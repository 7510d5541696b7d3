#include "base/str.h"

#include <string.h>

struct gg_str gg_str(const char *text)
{
    return (struct gg_str){text, text ? strlen(text) : 0};
}

struct gg_str gg_str_n(const char *ptr, size_t len)
{
    return (struct gg_str){ptr, len};
}

bool gg_str_eq(struct gg_str a, struct gg_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool gg_str_is(struct gg_str a, const char *text)
{
    return gg_str_eq(a, gg_str(text));
}

bool gg_str_starts(struct gg_str text, const char *prefix)
{
    size_t len = strlen(prefix);
    return text.len >= len && (len == 0 || memcmp(text.ptr, prefix, len) == 0);
}

bool gg_str_ends(struct gg_str text, const char *suffix)
{
    size_t len = strlen(suffix);
    return text.len >= len && (len == 0 || memcmp(text.ptr + text.len - len, suffix, len) == 0);
}

bool gg_str_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct gg_str gg_str_trim(struct gg_str text)
{
    while (text.len && gg_str_is_space(text.ptr[0])) {
        text.ptr++;
        text.len--;
    }
    while (text.len && gg_str_is_space(text.ptr[text.len - 1]))
        text.len--;
    return text;
}

bool gg_str_cut(struct gg_str text, char separator, struct gg_str *head, struct gg_str *rest)
{
    const char *at = text.len ? memchr(text.ptr, separator, text.len) : NULL;
    if (!at) {
        *head = text;
        *rest = gg_str_n(text.ptr ? text.ptr + text.len : NULL, 0);
        return false;
    }
    size_t len = (size_t)(at - text.ptr);
    *head = gg_str_n(text.ptr, len);
    *rest = gg_str_n(at + 1, text.len - len - 1);
    return true;
}

size_t gg_str_find(struct gg_str text, const char *needle)
{
    size_t len = strlen(needle);
    for (size_t i = 0; i + len <= text.len; i++) {
        const char *hit = memchr(text.ptr + i, needle[0], text.len - len - i + 1);
        if (!hit)
            return SIZE_MAX;
        i = (size_t)(hit - text.ptr);
        if (memcmp(hit, needle, len) == 0)
            return i;
    }
    return SIZE_MAX;
}

bool gg_str_line(struct gg_str *rest, struct gg_str *line)
{
    if (rest->len == 0)
        return false;
    struct gg_str tail;
    gg_str_cut(*rest, '\n', line, &tail);
    *rest = tail;
    return true;
}

bool gg_str_u64(struct gg_str text, bool commas, uint64_t *value)
{
    uint64_t sum = 0;
    bool any = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == ',' && commas && any)
            continue;
        if (c < '0' || c > '9')
            return false;
        uint64_t digit = (uint64_t)(c - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
        any = true;
    }
    *value = sum;
    return any;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool gg_str_hex(struct gg_str text, uint64_t *value)
{
    if (gg_str_starts(text, "0x") || gg_str_starts(text, "0X"))
        text = gg_str_n(text.ptr + 2, text.len - 2);
    if (text.len == 0 || text.len > 16)
        return false;
    uint64_t sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = hex_digit(text.ptr[i]);
        if (digit < 0)
            return false;
        sum = sum << 4 | (uint64_t)digit;
    }
    *value = sum;
    return true;
}
