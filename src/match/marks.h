/*
 * Marks: one stack as bits. For each name that stands in it, at which frames.
 */
#ifndef GG_MATCH_MARKS_H
#define GG_MATCH_MARKS_H

#include "match/names.h"

/* A longer stack is none that valgrind writes; marks would take much memory. */
enum { GG_MARKS_FRAMES_MAX = 4000 };

struct gg_mark {
    uint32_t stamp; /* that of the marks: the name is there, at `slot` */
    uint32_t slot;
};

struct gg_marks {
    const struct gg_names *names;
    struct gg_mark *of_name;
    uint32_t stamp;
    /* by slot */
    uint32_t *present; /* the name */
    uint64_t *bits;    /* `words` of them */
    size_t slots, present_room, bits_room;
    size_t words;        /* bits for all frames and one more */
    size_t count, shown; /* frames, as in a trace */
    unsigned callers;
    bool readable;
    uint32_t *lines; /* of SOURCE, by frame */
};

void gg_marks_init(struct gg_marks *marks, struct gg_arena *arena, const struct gg_names *names);
void gg_marks_free(struct gg_marks *marks);

/* Marks the finding's stack. false when it is too long, or none of the report's. */
bool gg_marks_set(struct gg_marks *marks, const struct gg_finding *finding);

/* The frames at which the name stands; NULL: nowhere. */
static inline const uint64_t *gg_marks_of(const struct gg_marks *marks, uint32_t name)
{
    const struct gg_mark *mark = &marks->of_name[name];
    return mark->stamp == marks->stamp ? marks->bits + mark->slot * marks->words : NULL;
}

#endif
