/*
 * Expect: what the user says must have been there (--expect, --require-kind); where it is not, the
 * run is incomplete.
 */
#ifndef GG_GATE_EXPECT_H
#define GG_GATE_EXPECT_H

#include <stddef.h>

#include "base/arena.h"
#include "grindgate/grindgate.h"

/* Is every required kind one that there is? */
bool gg_expect_check(const struct gg_options *options, struct gg_error *err);

/* Programs that ran to their end: of those that grindgate launched the program itself, of other
 * reports each whose parent has none. A process counts once, whatever it became (exec). */
size_t gg_expect_programs(const struct gg_report *report);

/* Notes what is missing. */
void gg_expect(struct gg_arena *arena, const struct gg_options *options, struct gg_report *report);

#endif
