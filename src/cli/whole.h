/*
 * Whole: are the reports all there? What they do not hold cannot be told, or suggested, or missed.
 */
#ifndef GG_CLI_WHOLE_H
#define GG_CLI_WHOLE_H

#include "grindgate/model.h"

/* Says on standard error what is not whole. */
void gg_whole_complain(const struct gg_report *report);

#endif
