/*
 * Reports: what a run left in its directory, and whether it is of this run.
 */
#ifndef GG_CAPTURE_REPORTS_H
#define GG_CAPTURE_REPORTS_H

#include "capture/run.h"

/* Fills reports, log and words from what is in capture->directory. */
void gg_reports_list(struct gg_arena *arena, struct gg_capture *capture);

#endif
