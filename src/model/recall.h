/*
 * Recall: what a report of grindgate's own tells, where errors are folded and counted already.
 *
 * Its runs are runs like others (gg_collate_run) with `told_by` set. Everything given here is
 * borrowed for the call only.
 */
#ifndef GG_MODEL_RECALL_H
#define GG_MODEL_RECALL_H

#include "model/collate.h"

/* A finding as an error, what each of its runs saw of it, and what is said to have come of it, or
 * NULL; the error's own leak does not count. Runs are those of the collate. */
void gg_recall_error(struct gg_collate *collate, const struct gg_raw_error *error,
                     const struct gg_witness *witnesses, size_t count, const struct gg_told *told);

/* A later stage that notes the same again does not count it twice. */
void gg_recall_note(struct gg_collate *collate, const struct gg_note *note);

void gg_recall_test(struct gg_collate *collate, const struct gg_test *test);

/* The sentence by which the report says that the program itself failed. */
void gg_recall_failure(struct gg_collate *collate, const char *sentence);

/* For gg_collate_finish: tests and failures, sorted. */
void gg_recall_finish(struct gg_collate *collate, struct gg_report *report);

#endif
