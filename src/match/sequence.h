/*
 * Sequence: do the frames of a suppression match the beginning of a trace?
 */
#ifndef GG_MATCH_SEQUENCE_H
#define GG_MATCH_SEQUENCE_H

#include "match/supp.h"
#include "match/trace.h"

bool gg_sequence_match(const struct gg_supp_frame *frames, size_t count,
                       const struct gg_trace *trace);

#endif
