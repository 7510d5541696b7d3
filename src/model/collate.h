/*
 * Collate: many reports in, one list of findings out.
 *
 * Readers hand over one error at a time; what is equal is folded at once, so memory grows with the
 * distinct findings and not with the reports. Equal means: the same kind, the same message but for
 * what varies from run to run, and the same places (object, function, file, line) in the error's
 * own stack, whatever the process, thread, report or address. Which of the equal errors is shown
 * does not depend on the order of the reports.
 *
 * All pointers in the raw structures are borrowed for the call only; frames come from
 * gg_collate_frames.
 */
#ifndef GG_MODEL_COLLATE_H
#define GG_MODEL_COLLATE_H

#include "base/atom.h"
#include "base/beat.h"
#include "base/str.h"
#include "grindgate/model.h"
#include "model/frames.h"

struct gg_raw_stack {
    enum gg_role role;
    struct gg_str text; /* the sentence before the stack; empty: none */
    struct gg_frame *const *frames;
    size_t len;
};

struct gg_raw_leak {
    uint64_t bytes, direct, blocks;
    bool final; /* from the leak check at exit */
};

struct gg_raw_error {
    struct gg_str kind;
    struct gg_str message; /* <what>, or <text> of <xwhat>; entities decoded */
    struct gg_str thread;  /* empty: none */
    bool has_leak;
    struct gg_raw_leak leak;
    const struct gg_raw_stack *stacks; /* the error's own first if it has one */
    size_t stack_count;
    const struct gg_str *notes; /* sentences without a stack */
    size_t note_count;
    struct gg_str supp_kind, supp_extra; /* of a generated suppression; empty: none */
    const struct gg_str *supp_frames;    /* "fun:..." or "obj:..." */
    size_t supp_frame_count;
    bool has_unique;
    uint32_t unique; /* key of <errorcounts> within the document */
};

struct gg_collate;

struct gg_collate *gg_collate_new(struct gg_arena *arena, struct gg_atoms *atoms);

struct gg_frames *gg_collate_frames(struct gg_collate *collate);
struct gg_arena *gg_collate_arena(struct gg_collate *collate);
struct gg_atoms *gg_collate_atoms(struct gg_collate *collate);

/* A new run, zeroed but for pid and ppid -1, exit_code -1, empty strings and lists; fill it
 * through gg_collate_run_at (the pointer is good until the next gg_collate_run). */
uint32_t gg_collate_run(struct gg_collate *collate);
struct gg_run *gg_collate_run_at(struct gg_collate *collate, uint32_t run);
uint32_t gg_collate_run_count(const struct gg_collate *collate);

/* Different errors so far. */
size_t gg_collate_error_total(const struct gg_collate *collate);

/* Who is told while reports are read; NULL: nobody. Lives until gg_collate_finish. */
void gg_collate_set_beat(struct gg_collate *collate, struct gg_beat *beat);
struct gg_beat *gg_collate_beat(const struct gg_collate *collate);

void gg_collate_error(struct gg_collate *collate, uint32_t run, const struct gg_raw_error *error);

/* A pair of <errorcounts>: the error with this `unique` of this run happened `count` times in all.
 * A unique without an error (a forked child lists its parent's) is ignored. */
void gg_collate_error_count(struct gg_collate *collate, uint32_t run, uint32_t unique,
                            uint64_t count);

/* The document of the run is over: its uniques are forgotten. */
void gg_collate_run_done(struct gg_collate *collate);

/* `text` is formatted like printf; equal notes are counted, not repeated. */
void gg_collate_note(struct gg_collate *collate, const char *kind, const char *where,
                     bool incomplete, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Moves everything to the report: runs in a stable order, findings with their witnesses, forked
 * copies marked, notes sorted. The collate is used up. */
void gg_collate_finish(struct gg_collate *collate, struct gg_report *report);

/* Frees what only reading needs; gg_collate_finish does it first. For a collate that is given up.
 */
void gg_collate_close(struct gg_collate *collate);

#endif
