/*
 * Reliability: what is to be made of findings in processes that died.
 *
 * A process that a signal ends frees nothing more, so its leaks may be none; they keep their
 * severity and are marked. One that was started to die (a death test of GoogleTest) is no fault
 * for that: its crash and its leaks become notes. Call after gg_decide_fates.
 */
#ifndef GG_GATE_RELIABILITY_H
#define GG_GATE_RELIABILITY_H

#include "base/arena.h"
#include "grindgate/model.h"

void gg_decide_reliability(struct gg_arena *arena, struct gg_report *report);

#endif
