/*
 * Within: is this process itself part of a run?
 */
#ifndef GG_CAPTURE_WITHIN_H
#define GG_CAPTURE_WITHIN_H

#include <stdbool.h>

/* true when this very process is under the valgrind of a run of grindgate's. What it becomes (exec)
 * leaves its report with that run, and another valgrind could not start in it. */
bool gg_within_run(void);

#endif
