/*
 * Program: which one a report is of, looked up before it is read.
 */
#ifndef GG_READ_PROGRAM_H
#define GG_READ_PROGRAM_H

#include "base/arena.h"

/* argv[0] of the first document in a regular file, as it was given to valgrind; NULL when the file
 * is none, or does not say so near its beginning. */
const char *gg_read_program(struct gg_arena *arena, const char *path);

#endif
