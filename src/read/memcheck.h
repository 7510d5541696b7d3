/*
 * Memcheck: the meaning of valgrind's XML, between the stream of elements and the collate.
 * Private to memcheck_xml.c (elements), memcheck_text.c (what their texts say) and memcheck_run.c
 * (a document as a whole).
 */
#ifndef GG_READ_MEMCHECK_H
#define GG_READ_MEMCHECK_H

#include "base/vec.h"
#include "read/draft.h"
#include "read/vocabulary.h"
#include "read/xmlstream.h"

/* More than a system lets a command line have. */
#define GG_ARGUMENT_BYTES (8u * 1024u * 1024u)
#define GG_LEAF_MAX 65536u
#define GG_NAMES_MAX 16u
#define GG_MESSAGES_MAX 256u
#define GG_THREADS_MAX 65536u
#define GG_SUPPCOUNTS_MAX 65536u
#define GG_PAIRS_MAX 1048576u

/* A thread that helgrind announced, and where it was created. */
struct gg_thread {
    struct gg_thread *next;
    uint64_t number;
    size_t len; /* 0: the first thread */
    struct gg_frame *frames[];
};

struct gg_count_pair {
    uint64_t count, unique;
};

/* Notes that a document gives once, however often there is cause. */
struct gg_noted {
    bool text_cut, error_cut, stray_text, stray_stack, trace, argument, thread, version, pair,
        names_cut;
    const char *names[GG_NAMES_MAX]; /* unknown elements, kinds, tools: atoms */
    size_t name_count;
    unsigned messages;
};

struct gg_memcheck {
    struct gg_collate *collate;
    struct gg_arena *arena;
    struct gg_frames *frames;
    const char *source;
    uint32_t documents; /* begun so far */

    /* where in the document */
    enum gg_state states[GG_XML_DEPTH + 1];
    unsigned depth;
    unsigned wrapper;       /* tag of the open GG_IN_WRAPPER */
    struct gg_buffer *into; /* gets the text of the open element; NULL: not wanted */
    size_t leaf;            /* where in `into` this text begins */
    struct gg_buffer text, blob;

    /* the item being read */
    struct gg_draft draft;
    uint64_t thread; /* announced */
    struct gg_buffer message;
    struct gg_count_pair pair;
    struct gg_str supp_name; /* in the arena */

    /* the document */
    uint32_t run;
    bool has_arguments, saw_fatal, first_error_only;
    size_t argument_bytes;
    GG_VEC(const char *) options;
    GG_VEC(const char *) command;
    GG_VEC(struct gg_suppcount) suppcounts;
    struct gg_count_pair *pairs; /* <errorcounts>, its own memory */
    size_t pair_count, pair_cap;
    struct gg_thread *threads; /* each its own memory */
    struct gg_map threads_by_number;
    struct gg_noted noted;

    /* the document before, when it ended early and this one follows at once */
    bool cut_before;
    uint32_t run_before;
};

struct gg_run *gg_memcheck_run(struct gg_memcheck *m);

/* true the first time for this word in the document (up to GG_NAMES_MAX words). */
bool gg_memcheck_first(struct gg_memcheck *m, struct gg_str word);

/* The text of a leaf is whole. */
void gg_memcheck_text(struct gg_memcheck *m, enum gg_state state, struct gg_str text);

/* An item is whole. */
void gg_memcheck_error(struct gg_memcheck *m);
void gg_memcheck_fatal(struct gg_memcheck *m);
void gg_memcheck_message(struct gg_memcheck *m);
void gg_memcheck_announced(struct gg_memcheck *m);
void gg_memcheck_pair(struct gg_memcheck *m);
void gg_memcheck_suppcount(struct gg_memcheck *m);

void gg_memcheck_begin(struct gg_memcheck *m);
void gg_memcheck_end(struct gg_memcheck *m, const struct gg_xmldoc *doc);

#endif
