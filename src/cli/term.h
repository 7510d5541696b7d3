/*
 * Term: what standard output and standard error are.
 */
#ifndef GG_CLI_TERM_H
#define GG_CLI_TERM_H

#include <stdbool.h>

/* `choice` is --color's: 0 auto, 1 always, 2 never. auto honours NO_COLOR and TERM=dumb. */
bool gg_term_color(unsigned choice);

/* Columns of a descriptor; 0 when it is no terminal, or does not say. */
unsigned gg_term_width(int fd);

/* Can a line on it be taken back? */
bool gg_term_can_erase(int fd);

struct gg_term_size {
    unsigned rows, columns; /* 0: it does not say */
};

struct gg_term_size gg_term_size(int fd);

/* Do programs print there, one line below the other, and no more? Not where it is unknown what the
 * terminal can do, nor while one draws on it: that one (an editor) reads keys one by one. */
bool gg_term_has_lines(int fd);

#endif
