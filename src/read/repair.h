/*
 * Repair: bytes that no XML parser takes become visible text.
 *
 * valgrind copies names and arguments as they are: Latin-1, terminal escapes, cut characters. A
 * byte that is not part of a UTF-8 character, or of one that XML 1.0 forbids (a control character
 * other than tab, LF and CR, a surrogate, U+FFFE, U+FFFF), is spelled \xNN; every other byte stays
 * as it is, so nothing is lost and nothing repaired can be taken for markup.
 *
 *     caf\351 \033[1m     becomes     caf\xe9 \x1b[1m
 */
#ifndef GG_READ_REPAIR_H
#define GG_READ_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/buffer.h"

/* Appends the repaired bytes to `out` and adds the number of bad ones to *bad. Returns how many
 * bytes were used: all, or, when `last` is false, all but the beginning of a character (at most
 * three bytes) that goes on in the bytes to come. */
size_t gg_repair(struct gg_buffer *out, const char *bytes, size_t len, bool last, uint64_t *bad);

#endif
