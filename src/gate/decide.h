/*
 * Decide: each finding's severity and fate, then pass or fail.
 *
 * gg_decide_fates writes severity, fate and why of findings; gg_decide_verdict reads everything
 * and changes nothing but the verdict. The exit statuses are the contract's, see README.md.
 */
#ifndef GG_GATE_DECIDE_H
#define GG_GATE_DECIDE_H

#include "base/arena.h"
#include "grindgate/grindgate.h"
#include "model/worktree.h"

/* What is known of the program that grindgate itself ran. */
struct gg_program {
    bool ran;
    int exit_code;      /* -1: killed by a signal */
    const char *signal; /* "SIGSEGV"; NULL: none */
};

void gg_decide_fates(struct gg_arena *arena, const struct gg_options *options,
                     struct gg_report *report);

/* Where external findings may be this repository's after all. A program that was built without
 * debug information has no lines: a note says which, and how to build it; when it is what was
 * tested the run is incomplete. When not one file of all reports is known here, and one has the
 * name of a tracked file, the paths need a map: that makes the run incomplete. So does a rule that
 * makes findings count and was too dear to match. Call after gg_decide_fates. */
void gg_decide_evidence(struct gg_arena *arena, const struct gg_worktree *worktree,
                        struct gg_report *report);

/* Fate open and severity at or above the bar. */
bool gg_decide_fails(const struct gg_options *options, const struct gg_finding *finding);

void gg_decide_verdict(struct gg_arena *arena, const struct gg_options *options,
                       const struct gg_program *program, const struct gg_report *report,
                       struct gg_verdict *verdict);

/* A report could not be written: a pass becomes undecided. */
void gg_decide_output_failed(struct gg_arena *arena, struct gg_verdict *verdict,
                             const char *reason);

#endif
