/*
 * Writers: the table of output formats.
 */
#ifndef GG_WRITE_WRITERS_H
#define GG_WRITE_WRITERS_H

#include "grindgate/seams.h"

/* Ended by NULL. */
extern const struct gg_writer *const gg_writer_table[];

const struct gg_writer *gg_writer_find(const char *name);

#endif
