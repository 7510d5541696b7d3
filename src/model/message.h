/*
 * Message: the sentence of an error without what varies from run to run.
 */
#ifndef GG_MODEL_MESSAGE_H
#define GG_MODEL_MESSAGE_H

#include "base/atom.h"
#include "base/str.h"
#include "grindgate/model.h"

/* Appends to `buffer` (room for message.len bytes) the part of the sentence by which two errors of
 * this kind are told apart; returns its length.
 *   "Invalid read of size 4"                      as it stands
 *   "Source and destination overlap in memcpy(0x1FFEFFE5C3, 0x1FFEFFE5C0, 10)"   without numbers
 *   "1,234 bytes in 5 blocks are definitely lost in loss record 4 of 6"          nothing */
size_t gg_message_key(enum gg_kind kind, struct gg_str message, char *buffer);

/* For people: addresses become 0x..., trailing white space goes, line breaks become blanks. An
 * atom: thousands of findings share a sentence. */
const char *gg_message_text(struct gg_atoms *atoms, struct gg_str message);

/* "233 (24 direct, 209 indirect) bytes in 1 block are definitely lost" from the finding's numbers,
 * which may come from several runs. */
char *gg_message_leak(struct gg_arena *arena, const struct gg_finding *finding);

#endif
