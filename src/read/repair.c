#include "read/repair.h"
#include "base/esc.h"

/* A block of this size is tested without a branch, which compilers turn into vector code. */
#define BLOCK 128u

static bool is_plain_block(const char *bytes)
{
    int8_t odd = 0;
    for (unsigned i = 0; i < BLOCK; i++) {
        int8_t c = (int8_t)bytes[i]; /* not ASCII: negative */
        int8_t low = (int8_t) - (c < 0x20), line_end = (int8_t) - (c == '\n');
        odd |= (int8_t)(low & ~line_end);
    }
    return odd == 0;
}

static bool is_xml_ascii(unsigned char c)
{
    return (c >= 0x20 && c < 0x80) || c == '\n' || c == '\t' || c == '\r';
}

/* The length of the character that begins here; 0 when it is none that XML allows. */
static size_t char_length(const char *bytes, size_t len)
{
    unsigned char c = (unsigned char)bytes[0];
    if (c < 0x80)
        return is_xml_ascii(c) ? 1 : 0;
    uint32_t code = 0;
    size_t n = gg_utf8_decode(gg_str_n(bytes, len), &code);
    return code == 0xFFFE || code == 0xFFFF ? 0 : n;
}

/* The beginning of a character whose rest may follow. What cannot become one is caught later. */
static bool is_cut(const char *bytes, size_t len)
{
    unsigned char lead = (unsigned char)bytes[0];
    size_t whole = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    if (lead >= 0xF8 || len >= whole)
        return false;
    for (size_t i = 1; i < len; i++) {
        if (((unsigned char)bytes[i] & 0xC0) != 0x80)
            return false;
    }
    return true;
}

static size_t good_length(const char *bytes, size_t len)
{
    size_t at = 0;
    while (at < len) {
        if (len - at >= BLOCK && is_plain_block(bytes + at)) {
            at += BLOCK;
            continue;
        }
        size_t stop = len - at >= BLOCK ? at + BLOCK : len;
        while (at < stop) {
            size_t n = char_length(bytes + at, len - at);
            if (n == 0)
                return at;
            at += n;
        }
    }
    return len;
}

size_t gg_repair(struct gg_buffer *out, const char *bytes, size_t len, bool last, uint64_t *bad)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (;;) {
        size_t good = good_length(bytes + at, len - at);
        gg_buffer_add(out, bytes + at, good);
        at += good;
        if (at == len || (!last && is_cut(bytes + at, len - at)))
            return at;
        unsigned char byte = (unsigned char)bytes[at++];
        char text[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        gg_buffer_add(out, text, sizeof text);
        ++*bad;
    }
}
