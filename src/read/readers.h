/*
 * Readers: from a file, a directory's file or standard input to the collate, whatever the format.
 */
#ifndef GG_READ_READERS_H
#define GG_READ_READERS_H

#include "grindgate/error.h"
#include "grindgate/seams.h"

/* Reads one input with the reader that bids highest for its first bytes. `path` "-" is standard
 * input; `name` is how runs and notes call it. An input that is empty, or that no reader knows,
 * becomes a run that did not finish and an `incomplete` note. false only for I/O errors. */
bool gg_read(struct gg_collate *collate, const char *path, const char *name, struct gg_error *err);

/* The readers; each in its own file, listed in readers.c. */
extern const struct gg_reader gg_reader_memcheck;
extern const struct gg_reader gg_reader_own_json;

#endif
