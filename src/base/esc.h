/*
 * Esc: the one place where untrusted text is made safe for an output format.
 *
 * First what all sinks share: text is made visible. A byte that is not UTF-8 becomes \xNN, a
 * control, bidirectional or zero-width character becomes \x1b or \u{202e}. Then one function a
 * sink, each pure. Never reuse one sink's function for another.
 */
#ifndef GG_BASE_ESC_H
#define GG_BASE_ESC_H

#include "base/arena.h"
#include "base/out.h"
#include "base/str.h"

/* The length of the UTF-8 sequence at the start of `text`, its code point in *code;
 * 0 when the bytes are not UTF-8 (overlong, surrogate, cut, above U+10FFFF). */
size_t gg_utf8_decode(struct gg_str text, uint32_t *code);

/* For a terminal or a log: visible text. */
void gg_esc_terminal(struct gg_out *out, struct gg_str text);

/* Columns that gg_esc_terminal fills, every visible character taken for one. */
size_t gg_esc_width(struct gg_str text);

/* Inside a JSON string, without the quotes: always valid UTF-8, never an unescaped control. */
void gg_esc_json(struct gg_out *out, struct gg_str text);

/* XML text and double-quoted attribute values: visible text, with & < > " ' as entities. */
void gg_esc_xml(struct gg_out *out, struct gg_str text);

/* The path part of a relative URI reference (RFC 3986): all but A-Za-z0-9-._~/ in %XX, byte by
 * byte, so that raw path bytes survive. */
void gg_esc_uri_path(struct gg_out *out, struct gg_str path);

/* The bytes behind text of a report: each \xNN that stands for a control or for a byte from 0x7f
 * up becomes that byte again. `text` itself when there is nothing to undo. */
const char *gg_esc_undo(struct gg_arena *arena, const char *text);

/* The text of which gg_esc_json made this string, for readers of our own JSON: each \u{N} and \x7f
 * is that character again; bytes that were no UTF-8 stay \xNN, as reports have them. Other controls
 * that hostile JSON may hold become \xNN. `text` itself when there is nothing to change. */
const char *gg_esc_json_undo(struct gg_arena *arena, const char *text);

#endif
