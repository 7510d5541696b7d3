/*
 * Note: adding to a finished report's notes; stages behind collate use this.
 */
#ifndef GG_MODEL_NOTE_H
#define GG_MODEL_NOTE_H

#include <stddef.h>

#include "base/arena.h"
#include "grindgate/model.h"

/* Puts the note where it belongs in the order; a note that is there already is counted. */
void gg_report_note(struct gg_arena *arena, struct gg_report *report, const struct gg_note *note);

/* What makes a run incomplete first, then by place, kind and text. */
int gg_order_note(const struct gg_note *a, const struct gg_note *b);

#endif
