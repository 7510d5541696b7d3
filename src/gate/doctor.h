/*
 * Doctor: what the options that valgrind ran with keep a report from showing.
 *
 * Every report holds them (<args>), so the advice is there for reports that others made, too.
 * Options of which a report may look clean though errors happened make it incomplete; the others
 * are told. What an option really does where valgrind writes XML was measured: some that one would
 * fear do nothing there. Call after gg_decide_fates.
 */
#ifndef GG_GATE_DOCTOR_H
#define GG_GATE_DOCTOR_H

#include "base/arena.h"
#include "grindgate/model.h"

void gg_doctor(struct gg_arena *arena, struct gg_report *report);

/* Suppressions that valgrind itself was given: what they hid is counted, but cannot be shown. */
void gg_doctor_hidden(struct gg_arena *arena, struct gg_report *report);

#endif
