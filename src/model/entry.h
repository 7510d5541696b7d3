/*
 * Entry: a finding while reports are still being read, and the collate's own state.
 * Private to the model: collate.c, entry.c and finish.c.
 */
#ifndef GG_MODEL_ENTRY_H
#define GG_MODEL_ENTRY_H

#include "base/vec.h"
#include "model/collate.h"
#include "model/message.h"

/* What is shown of a finding, and who saw it. There may be as many as reports have errors, so it
 * holds no more than that; the finding itself is made at the end. */
struct gg_entry {
    enum gg_kind kind;
    bool is_leak;
    const char *kind_name;
    const char *message; /* as read; an atom */
    const char *thread;
    const char *supp_kind, *supp_extra;
    const struct gg_stack *stacks;
    const char *const *notes;
    const char *const *supp_frames; /* atoms */
    uint32_t stack_count, note_count, supp_frame_count;
    uint32_t index; /* among the entries */
    GG_VEC(struct gg_witness) witnesses;
    struct gg_told *told; /* see recall.h */
};

struct gg_unique {
    uint32_t unique;
    uint32_t entry; /* index into entries */
};

struct gg_collate {
    struct gg_arena *arena;
    struct gg_atoms *atoms;
    struct gg_beat *beat;
    struct gg_frames frames;
    GG_VEC(struct gg_run) runs;
    GG_VEC(struct gg_entry *) entries;
    GG_VEC(struct gg_note *) notes;
    GG_VEC(struct gg_test) tests;  /* see recall.h */
    GG_VEC(const char *) failures; /* see recall.h; atoms */
    struct gg_arena keys;          /* of the maps: needed only while reports are read */
    struct gg_map by_key, by_note;
    char *key; /* scratch */
    size_t key_len, key_cap;
    struct gg_unique *uniques; /* of the document being read */
    size_t unique_len, unique_cap;
    bool uniques_sorted;
};

struct gg_entry *gg_entry_new(struct gg_atoms *atoms, enum gg_kind kind,
                              const struct gg_raw_error *error);

/* Shows `error` instead of what the entry shows, if it says more, or as much and sorts before it:
 * so the one shown does not depend on which was read first. */
void gg_entry_prefer(struct gg_atoms *atoms, struct gg_entry *entry,
                     const struct gg_raw_error *error);

/* The entry of this error, which it now shows if it says more. */
struct gg_entry *gg_collate_entry(struct gg_collate *collate, const struct gg_raw_error *error);

/* What the entry knows of a run; zeroed when it is new. */
struct gg_witness *gg_collate_witness(struct gg_collate *collate, struct gg_entry *entry,
                                      uint32_t run);

/* The note of this kind, place and text, with a count of 0 when it is new. */
struct gg_note *gg_collate_note_of(struct gg_collate *collate, const char *kind, const char *where,
                                   const char *text);

/* The finding the entry has become, but for its witnesses. */
struct gg_finding gg_entry_finding(struct gg_atoms *atoms, const struct gg_entry *entry);

#endif
