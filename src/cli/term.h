/*
 * Term: what standard output is.
 */
#ifndef GG_CLI_TERM_H
#define GG_CLI_TERM_H

#include <stdbool.h>

/* `choice` is --color's: 0 auto, 1 always, 2 never. auto honours NO_COLOR and TERM=dumb. */
bool gg_term_color(unsigned choice);

/* Columns; 0 when it is no terminal. */
unsigned gg_term_width(void);

#endif
