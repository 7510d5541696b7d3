/*
 * Suite lines: what CTest says while it runs, line by line.
 *
 *      3/21 Test  #2: parser ...........................***Failed    0.00 sec
 */
#ifndef GG_CAPTURE_SUITE_LINES_H
#define GG_CAPTURE_SUITE_LINES_H

#include "base/str.h"
#include "capture/suite.h"

/* Takes the counts and the remark from a line. */
void gg_suite_line(struct gg_arena *arena, struct gg_suite *suite, struct gg_str line);

#endif
