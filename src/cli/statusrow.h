/*
 * Statusrow: a line that changes on the last row of a terminal other programs print to.
 *
 * All they print scrolls above it, in a region of its own, and finds the cursor where they left
 * it. A row is bytes alone; each call's are to reach the terminal in one piece, for nobody else
 * may print in between.
 */
#ifndef GG_CLI_STATUSROW_H
#define GG_CLI_STATUSROW_H

#include "base/out.h"
#include "cli/term.h"

struct gg_statusrow {
    bool set;
    struct gg_term_size size; /* of the terminal at that time */
};

/* Is the terminal large enough? */
bool gg_statusrow_fits(struct gg_term_size size);

/* `text` is the line from now on; it must fit. */
void gg_statusrow_put(struct gg_statusrow *row, struct gg_out *out, struct gg_term_size size,
                      struct gg_str text);

/* The whole terminal is the programs' again. */
void gg_statusrow_leave(struct gg_statusrow *row, struct gg_out *out, struct gg_term_size size);

/* The same where no size can be asked for. */
#define GG_STATUSROW_LEAVE "\0337\033[m\033[r\033[999;1H\033[2K\0338"

#endif
