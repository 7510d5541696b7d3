#include "model/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Bytes of "0x1FFEFFE5C3" at the start of the text, or of the "0x..." that is shown for it; 0 when
 * there is no address. */
static size_t address(struct gg_str text)
{
    if (gg_str_starts(text, "0x..."))
        return 5;
    if (text.len < 3 || text.ptr[0] != '0' || text.ptr[1] != 'x' || !is_hex(text.ptr[2]))
        return 0;
    size_t len = 3;
    while (len < text.len && is_hex(text.ptr[len]))
        len++;
    return len;
}

static bool keeps_numbers(enum gg_kind kind)
{
    enum gg_group group = gg_kind_table[kind].group;
    return group == GG_GROUP_access || group == GG_GROUP_value;
}

size_t gg_message_key(enum gg_kind kind, struct gg_str message, char *buffer)
{
    if (gg_kind_table[kind].group == GG_GROUP_leak)
        return 0;
    bool numbers = keeps_numbers(kind);
    size_t len = 0;
    for (size_t i = 0; i < message.len;) {
        size_t hex = address(gg_str_n(message.ptr + i, message.len - i));
        if (hex)
            i += hex;
        else if (!numbers && is_digit(message.ptr[i]))
            i++;
        else
            buffer[len++] = message.ptr[i++];
    }
    return len;
}

const char *gg_message_text(struct gg_atoms *atoms, struct gg_str message)
{
    message = gg_str_trim(message);
    char *text = gg_alloc(message.len * 2 + 1);
    size_t len = 0;
    for (size_t i = 0; i < message.len;) {
        size_t hex = address(gg_str_n(message.ptr + i, message.len - i));
        if (hex) {
            memcpy(text + len, "0x...", 5);
            len += 5;
            i += hex;
        } else {
            char c = message.ptr[i++];
            text[len++] = c == '\n' || c == '\t' ? ' ' : c;
        }
    }
    const char *atom = gg_atom_n(atoms, text, len);
    free(text);
    return atom;
}

static const char *loss(enum gg_kind kind)
{
    switch (kind) {
    case GG_KIND_Leak_DefinitelyLost:
        return "definitely lost";
    case GG_KIND_Leak_IndirectlyLost:
        return "indirectly lost";
    case GG_KIND_Leak_PossiblyLost:
        return "possibly lost";
    case GG_KIND_Leak_StillReachable:
        return "still reachable";
    default:
        return "leaked";
    }
}

char *gg_message_leak(struct gg_arena *arena, const struct gg_finding *finding)
{
    uint64_t bytes = finding->leak_bytes, direct = finding->leak_direct;
    char parts[80] = "";
    if (direct < bytes)
        snprintf(parts, sizeof parts, " (%" PRIu64 " direct, %" PRIu64 " indirect)", direct,
                 bytes - direct);
    return gg_arena_printf(arena, "%" PRIu64 "%s byte%s in %" PRIu64 " block%s %s %s", bytes, parts,
                           bytes == 1 ? "" : "s", finding->leak_blocks,
                           finding->leak_blocks == 1 ? "" : "s", bytes == 1 ? "is" : "are",
                           loss(finding->kind));
}
