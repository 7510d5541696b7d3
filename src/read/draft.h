/*
 * Draft: one error of a report while it is being read, handed to the collate when it is whole.
 *
 * Children may come in any order. A stack's role follows from the sentence before it; a sentence
 * that no stack follows becomes a note of the finding. One draft serves all errors of an input; its
 * memory is that of the largest.
 */
#ifndef GG_READ_DRAFT_H
#define GG_READ_DRAFT_H

#include "model/collate.h"
#include "read/buffer.h"

/* More than any report has: valgrind prints at most 500 addresses a stack, inlined calls apart. */
#define GG_DRAFT_FRAMES 16384u
#define GG_DRAFT_STACKS 64u
#define GG_DRAFT_NOTES 64u
#define GG_DRAFT_THREADS 16u
#define GG_DRAFT_SFRAMES 4096u
#define GG_DRAFT_TEXT (1024u * 1024u)

/* A piece of the draft's text; len 0: none. */
struct gg_piece {
    size_t at, len;
};

enum gg_draft_field {
    GG_DRAFT_KIND,
    GG_DRAFT_WHAT,
    GG_DRAFT_XWHAT,
    GG_DRAFT_THREAD,
    GG_DRAFT_PATH,
    GG_DRAFT_SKIND,
    GG_DRAFT_SKAUX,
    GG_DRAFT_SIGNAME,
    GG_DRAFT_EVENT,
    GG_DRAFT_SIADDR,
    GG_DRAFT_FIELDS
};

struct gg_draft_stack {
    enum gg_role role;
    struct gg_piece text;
    size_t first, len; /* in `frames` */
};

struct gg_draft {
    struct gg_buffer text;
    struct gg_piece fields[GG_DRAFT_FIELDS];
    struct gg_piece aux; /* the sentence that waits for its stack */
    struct gg_draft_stack stacks[GG_DRAFT_STACKS];
    size_t stack_count;
    size_t own; /* index of the error's own stack; GG_DRAFT_STACKS: none yet */
    struct gg_frame **frames;
    size_t frame_count, frame_cap;
    size_t open_stack; /* first frame of the stack being read */
    struct gg_piece notes[GG_DRAFT_NOTES];
    size_t note_count;
    struct gg_piece *sframes;
    size_t sframe_count, sframe_cap;
    uint64_t threads[GG_DRAFT_THREADS]; /* helgrind's numbers of those the error speaks of */
    size_t thread_count;
    bool has_unique, has_bytes;
    uint32_t unique;
    uint64_t leaked_bytes, leaked_blocks;
    bool cut; /* larger than any error of a report: not all of it is here */
};

void gg_draft_begin(struct gg_draft *draft);
void gg_draft_free(struct gg_draft *draft);

/* The first value of a field counts. */
void gg_draft_set(struct gg_draft *draft, enum gg_draft_field field, struct gg_str text);

struct gg_str gg_draft_get(const struct gg_draft *draft, enum gg_draft_field field);

/* A sentence: the text of the next stack or a note. */
void gg_draft_aux(struct gg_draft *draft, struct gg_str text);

/* A frame of a generated suppression, "fun:" or "obj:" and the name. */
void gg_draft_sframe(struct gg_draft *draft, const char *prefix, struct gg_str name);

void gg_draft_thread(struct gg_draft *draft, uint64_t thread);

void gg_draft_stack_begin(struct gg_draft *draft);
void gg_draft_frame(struct gg_draft *draft, struct gg_frame *frame);

/* The stack of the error itself, or with a sentence before it one of another role. */
void gg_draft_stack_end(struct gg_draft *draft);

/* A stack that comes without a sentence and is not the error's own: the one that waits is its
 * text, else `text`. */
void gg_draft_stack_end_as(struct gg_draft *draft, enum gg_role role, struct gg_str text);

/* The same from frames at hand. */
void gg_draft_stack(struct gg_draft *draft, struct gg_str text, struct gg_frame *const *frames,
                    size_t len);

/* The draft of a <fatal_signal> becomes that of an error, "Killed by SIGSEGV: Access not within
 * mapped region at address 0x10". */
void gg_draft_fatal(struct gg_draft *draft);

/* `final`: what leaks at this point of the report leaks at exit. */
void gg_draft_deliver(struct gg_draft *draft, struct gg_collate *collate, uint32_t run, bool final);

/* "233 (24 direct, 209 indirect) bytes in ..." -> 24; `bytes` when there is no such part. */
uint64_t gg_draft_direct(struct gg_str text, uint64_t bytes);

/* What the sentence before a stack says of it. */
enum gg_role gg_draft_role(struct gg_str text);

#endif
