/*
 * View: what several writers say of a finding, in one wording.
 *
 * Pure functions of the report. The text they give lives in the arena, is one line without a full
 * stop unless said so, and is as untrusted as the report: each writer escapes it for its own sink.
 */
#ifndef GG_WRITE_VIEW_H
#define GG_WRITE_VIEW_H

#include "base/arena.h"
#include "grindgate/model.h"

/* "Invalid read of size 4", "40 bytes in 1 block are definitely lost": what is wrong. */
char *gg_view_title(struct gg_arena *arena, const struct gg_finding *finding);

/* The report's own words where they are not the title yet; else NULL. */
const char *gg_view_detail(const struct gg_finding *finding);

/* What the site is when the error's own stack passes no line of the repository; else NULL. */
const char *gg_view_via(const struct gg_finding *finding);

/* Why a finding has its fate where a rule comes into it that did not set it aside: one that changes
 * what it counts, or one that is over; else NULL. */
const char *gg_view_ruling(const struct gg_finding *finding);

/* "unreliable: the process died of SIGSEGV before it could free", of a leak; NULL: nothing speaks
 * against it. */
char *gg_view_doubt(struct gg_arena *arena, const struct gg_report *report,
                    const struct gg_finding *finding);

/* "Last changed by Ada Lovelace in 3f2a9c1 (2024-03-02): Free early", or why that cannot be told;
 * NULL when it was not asked. */
char *gg_view_blame(struct gg_arena *arena, const struct gg_blame *blame);

/* "Seen 3 times in 2 processes in tests a, b"; NULL when there is nothing but one occurrence. */
char *gg_view_count(struct gg_arena *arena, const struct gg_report *report,
                    const struct gg_finding *finding);

/* Names of the tests whose runs show the finding, sorted, each once. */
const char **gg_view_tests(struct gg_arena *arena, const struct gg_report *report,
                           const struct gg_finding *finding, size_t *count);

/* "Where it was freed", or the report's sentence about this stack. */
const char *gg_view_stack_title(const struct gg_finding *finding, const struct gg_stack *stack);

/* What to show of a stack at one index: a frame, or how many are folded there. */
struct gg_view_row {
    const struct gg_frame *frame; /* NULL: frames are folded */
    size_t first, folded;
};

/* Fills the row at frame `at` and gives the index of the next row; the stack is shown when that
 * is its length. Runs of foreign frames keep their ends only, and the far end of a very long stack
 * is folded, unless `full`. */
size_t gg_view_row(const struct gg_stack *stack, size_t at, bool full, struct gg_view_row *row);

/* "7 frames in libstdc++" */
char *gg_view_folded(struct gg_arena *arena, const struct gg_stack *stack,
                     const struct gg_view_row *row);

/* "src/list.c:42", "libc.so.6", "valgrind": where a frame is, for people. */
char *gg_view_place(struct gg_arena *arena, const struct gg_frame *frame);

/* The function, or the address where there is none. */
char *gg_view_function(struct gg_arena *arena, const struct gg_frame *frame);

/* The text, or its first `most` bytes (cut between characters) and "...". */
const char *gg_view_cut(struct gg_arena *arena, const char *text, size_t most);

/* "2024-03-02T10:11:12+01:00" (the date is its first ten characters); false for years that have
 * not four digits. */
#define GG_VIEW_TIME 26
bool gg_view_time(char text[GG_VIEW_TIME], int64_t time, int offset);

/* Minutes east of UTC, or 0 where a commit claims what no clock can show. */
int gg_view_zone(int offset);

/* Does the note say that the canary was caught before the program ran? The last line has that in a
 * word. */
bool gg_view_is_proof(const struct gg_note *note);

/* Is the note of a rule that does not do what it says? It must not be overlooked. */
bool gg_view_is_loud(const struct gg_note *note);

/* A path that stays below the repository's root: relative, without empty, "." or ".." parts. */
bool gg_view_is_inside(const char *path);

/* The least severity that fails the gate, found from the verdict's count; above GG_ERROR when no
 * finding fails. */
int gg_view_bar(const struct gg_report *report, const struct gg_verdict *verdict);

#endif
