/*
 * Summary: what decided, and how many of what there are, for the last line of the text.
 */
#ifndef GG_WRITE_SUMMARY_H
#define GG_WRITE_SUMMARY_H

#include "base/out.h"
#include "grindgate/model.h"

/* "3 open findings of severity error; 2 suppressed; 3 runs complete" */
void gg_summary_put(struct gg_out *out, const struct gg_report *report,
                    const struct gg_verdict *verdict);

#endif
