/*
 * Flag: what valgrind was told for a run, as its report says (<args>).
 */
#ifndef GG_MODEL_FLAG_H
#define GG_MODEL_FLAG_H

#include "grindgate/model.h"

/* The value of the last --NAME=VALUE among valgrind's options of this run, which is the one that
 * holds; NULL: there is none. */
const char *gg_flag(const struct gg_run *run, const char *name);

#endif
