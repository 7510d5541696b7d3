/*
 * Scratch: a repository of one file, for a program of grindgate's own.
 */
#ifndef GG_VCS_SCRATCH_H
#define GG_VCS_SCRATCH_H

#include <stdbool.h>

#include "base/str.h"
#include "grindgate/error.h"

/* Makes the directory, which is there, a work tree that holds and tracks a file of this name.
 * Nothing is committed. */
bool gg_scratch_make(const char *directory, const char *name, struct gg_str text,
                     struct gg_error *err);

#endif
