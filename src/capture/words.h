/*
 * Words: what lines of valgrind's log mean.
 */
#ifndef GG_CAPTURE_WORDS_H
#define GG_CAPTURE_WORDS_H

#include "capture/log.h"

/* Fills the word and returns true when the line is one that matters. `further`: a line of the same
 * log mattered already, so that one which only ends its paragraph adds nothing. */
bool gg_word_of(struct gg_arena *arena, const char *line, bool further, struct gg_word *word);

#endif
