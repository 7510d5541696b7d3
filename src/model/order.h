/*
 * Order: the one order in which findings, stacks and notes stand in every output. It looks at
 * content only, never at the order in which things were read.
 */
#ifndef GG_MODEL_ORDER_H
#define GG_MODEL_ORDER_H

#include "base/arena.h"
#include "grindgate/model.h"

/* strcmp, with NULL before everything. */
int gg_order_text(const char *a, const char *b);
int gg_order_frame(const struct gg_frame *a, const struct gg_frame *b);
int gg_order_stack(const struct gg_stack *a, const struct gg_stack *b);

/* By name, then by how it went. */
int gg_order_test(const struct gg_test *a, const struct gg_test *b);

/* Crashes first, then by fate, severity, path, line, kind, message, fingerprint, stacks. */
int gg_order_finding(const struct gg_finding *a, const struct gg_finding *b);

/* Sorts the findings and gives each its id: the first digits of its fingerprint, with "-2", "-3"
 * behind the ids of further findings with the same one. */
void gg_order_findings(struct gg_arena *arena, struct gg_report *report);

#endif
