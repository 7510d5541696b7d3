#include "base/esc.h"

#include <string.h>

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

size_t gg_utf8_decode(struct gg_str text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (text.len == 0)
        return 0;
    const unsigned char *s = (const unsigned char *)text.ptr;
    size_t len = s[0] < 0x80             ? 1
                 : (s[0] & 0xE0) == 0xC0 ? 2
                 : (s[0] & 0xF0) == 0xE0 ? 3
                 : (s[0] & 0xF8) == 0xF0 ? 4
                                         : 0;
    if (len == 0 || len > text.len)
        return 0;
    uint32_t value = len == 1 ? s[0] : s[0] & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(s[i]))
            return 0;
        value = value << 6 | (s[i] & 0x3Fu);
    }
    if (value < least[len] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *code = value;
    return len;
}

/* Characters that move the cursor, reorder or hide text; see Unicode UAX #9 and TR #36. */
static bool is_invisible(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE007F) || (c & 0xFFFE) == 0xFFFE;
}

/* One character as it is shown: itself, or its code in ASCII. */
struct spelling {
    char text[12]; /* at most \u{10ffff} */
    size_t len;
    size_t columns; /* on a terminal, taking every visible character for one column */
    size_t taken;   /* bytes of the input */
};

static size_t put_hex(char *text, uint32_t value, unsigned least)
{
    static const char digits[] = "0123456789abcdef";
    unsigned count = least;
    while (count < 8 && value >> (4 * count))
        count++;
    for (unsigned i = 0; i < count; i++)
        text[i] = digits[value >> (4 * (count - 1 - i)) & 15];
    return count;
}

static void spell_byte(struct spelling *spelling, uint32_t byte)
{
    memcpy(spelling->text, "\\x", 2);
    spelling->len = spelling->columns = 2 + put_hex(spelling->text + 2, byte, 2);
}

static void spell_code(struct spelling *spelling, uint32_t code)
{
    memcpy(spelling->text, "\\u{", 3);
    size_t len = 3 + put_hex(spelling->text + 3, code, 1);
    spelling->text[len++] = '}';
    spelling->len = spelling->columns = len;
}

/* The first character of a text that is not empty. */
static struct spelling spell(struct gg_str text)
{
    struct spelling spelling = {.columns = 1};
    uint32_t code = 0;
    spelling.taken = gg_utf8_decode(text, &code);
    if (spelling.taken == 0) {
        spelling.taken = 1;
        spell_byte(&spelling, (unsigned char)text.ptr[0]);
    } else if (code < 0x20 || code == 0x7F) {
        spell_byte(&spelling, code);
    } else if (is_invisible(code)) {
        spell_code(&spelling, code);
    } else {
        spelling.len = spelling.taken;
        memcpy(spelling.text, text.ptr, spelling.len);
    }
    return spelling;
}

typedef void (*put_char)(struct gg_out *out, char c);

/* The visible form of the text, byte by byte through `put`. */
static void visible(struct gg_out *out, put_char put, struct gg_str text)
{
    while (text.len) {
        if (text.ptr[0] >= ' ' && text.ptr[0] <= '~') { /* nearly all there is */
            put(out, text.ptr[0]);
            text = gg_str_n(text.ptr + 1, text.len - 1);
            continue;
        }
        struct spelling spelling = spell(text);
        for (size_t i = 0; i < spelling.len; i++)
            put(out, spelling.text[i]);
        text = gg_str_n(text.ptr + spelling.taken, text.len - spelling.taken);
    }
}

size_t gg_esc_width(struct gg_str text)
{
    size_t columns = 0;
    while (text.len) {
        struct spelling spelling = spell(text);
        columns += spelling.columns;
        text = gg_str_n(text.ptr + spelling.taken, text.len - spelling.taken);
    }
    return columns;
}

/* Where the first bracket of "##[" or "##vso[" stands; SIZE_MAX: nowhere. */
static size_t find_command(struct gg_str text)
{
    size_t log = gg_str_find(text, "##["), vso = gg_str_find(text, "##vso[");
    if (log == SIZE_MAX && vso == SIZE_MAX)
        return SIZE_MAX;
    return log < vso ? log + strlen("##") : vso + strlen("##vso");
}

/* These begin a command wherever they stand in a CI log (GitHub, Azure), whatever the format is
 * that is printed there: the bracket gets another spelling in each. */
static void printable(struct gg_out *out, put_char put, struct gg_str text, const char *bracket)
{
    for (;;) {
        size_t at = find_command(text);
        if (at == SIZE_MAX)
            break;
        visible(out, put, gg_str_n(text.ptr, at));
        gg_out_text(out, bracket);
        text = gg_str_n(text.ptr + at + 1, text.len - at - 1);
    }
    visible(out, put, text);
}

void gg_esc_terminal(struct gg_out *out, struct gg_str text)
{
    printable(out, gg_out_char, text, "\\[");
}

static void json_char(struct gg_out *out, char c)
{
    if (c == '"' || c == '\\')
        gg_out_char(out, '\\');
    gg_out_char(out, c);
}

void gg_esc_json(struct gg_out *out, struct gg_str text)
{
    while (text.len) {
        /* Line breaks and tabs are text that people write; JSON has its own escapes for them. */
        size_t plain = 0;
        while (plain < text.len && text.ptr[plain] != '\n' && text.ptr[plain] != '\t')
            plain++;
        printable(out, json_char, gg_str_n(text.ptr, plain), "\\u005b");
        if (plain < text.len)
            gg_out_text(out, text.ptr[plain++] == '\n' ? "\\n" : "\\t");
        text = gg_str_n(text.ptr + plain, text.len - plain);
    }
}

static void xml_char(struct gg_out *out, char c)
{
    switch (c) {
    case '&':
        gg_out_text(out, "&amp;");
        break;
    case '<':
        gg_out_text(out, "&lt;");
        break;
    case '>':
        gg_out_text(out, "&gt;");
        break;
    case '"':
        gg_out_text(out, "&quot;");
        break;
    case '\'':
        gg_out_text(out, "&apos;");
        break;
    default:
        gg_out_char(out, c);
    }
}

void gg_esc_xml(struct gg_out *out, struct gg_str text)
{
    printable(out, xml_char, text, "&#91;");
}

static bool is_word(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (c && strchr("-._/", c));
}

void gg_esc_uri_path(struct gg_out *out, struct gg_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        if (is_word(path.ptr[i]) || path.ptr[i] == '~')
            gg_out_char(out, path.ptr[i]);
        else
            gg_out_printf(out, "%%%02X", (unsigned)(unsigned char)path.ptr[i]);
    }
}

/* The byte of "\xNN" at `s`; 0 when there is none, or one that text holds as it is. */
static unsigned char spelled_byte(const char *s)
{
    uint64_t byte = 0;
    if (s[0] != '\\' || s[1] != 'x' || !s[2] || !s[3] || !gg_str_hex(gg_str_n(s + 2, 2), &byte))
        return 0;
    return byte < 0x20 || byte >= 0x7F ? (unsigned char)byte : 0;
}

const char *gg_esc_undo(struct gg_arena *arena, const char *text)
{
    if (!strstr(text, "\\x"))
        return text;
    char *bytes = gg_arena_alloc(arena, strlen(text) + 1);
    size_t len = 0;
    while (*text) {
        unsigned char byte = spelled_byte(text);
        bytes[len++] = byte ? (char)byte : *text;
        text += byte ? 4 : 1;
    }
    return bytes;
}

/* The length of "\u{202e}" at `s`, its character in *code; 0 when there is none, or one that
 * gg_esc_json does not spell. */
static size_t spelled_code(const char *s, uint32_t *code)
{
    uint64_t value = 0;
    if (strncmp(s, "\\x7f", 4) == 0) {
        *code = 0x7F;
        return 4;
    }
    size_t digits = strncmp(s, "\\u{", 3) == 0 ? strspn(s + 3, "0123456789abcdef") : 0;
    if (digits == 0 || digits > 6 || s[3 + digits] != '}' ||
        !gg_str_hex(gg_str_n(s + 3, digits), &value) || value < 0x80 || value > 0x10FFFF ||
        !is_invisible((uint32_t)value))
        return 0;
    *code = (uint32_t)value;
    return 4 + digits;
}

static size_t encode(uint32_t code, char *bytes)
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)((len == 2 ? 0xC0 : len == 3 ? 0xE0 : 0xF0) | code);
    return len;
}

static bool is_stray(char c)
{
    return c > 0 && c < ' ' && c != '\n' && c != '\t';
}

const char *gg_esc_json_undo(struct gg_arena *arena, const char *text)
{
    size_t strays = 0, len = 0;
    for (const char *c = text; *c; c++, len++)
        strays += is_stray(*c);
    if (strays == 0 && !strchr(text, '\\'))
        return text;
    char *bytes = gg_arena_alloc(arena, len + 3 * strays + 1);
    for (len = 0; *text;) {
        uint32_t code = 0;
        size_t taken = *text == '\\' ? spelled_code(text, &code) : 0;
        if (taken) {
            len += encode(code, bytes + len);
        } else if (is_stray(*text)) {
            struct spelling spelling = spell(gg_str_n(text, 1));
            memcpy(bytes + len, spelling.text, spelling.len);
            len += spelling.len;
        } else {
            bytes[len++] = *text;
        }
        text += taken ? taken : 1;
    }
    return bytes;
}
