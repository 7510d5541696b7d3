#include "match/names.h"

#include <stdlib.h>
#include <string.h>

/* A frame that was seen; its names are worked out once. */
struct seen {
    const struct gg_frame *frame;
    uint32_t named;
    const char *generated;    /* the symbol of the last generated suppression for it, */
    uint32_t generated_named; /* and what it is called with that; 0: there was none */
};

/* What is needed only while names are collected. */
struct collecting {
    struct gg_names *names;
    struct gg_arena scratch;
    struct gg_map known[GG_PLACES + 1]; /* text -> number; the last for readable names */
    struct gg_map combinations;         /* gg_named -> position */
    GG_VEC(struct seen) seen;
    uint32_t *by_id; /* a frame's id -> position in seen + 1 */
    size_t id_room;
    struct gg_map strays;  /* frame -> the same, for ids that do not serve */
    GG_VEC(uint64_t) uses; /* by position in named */
};

/* The number of the name, which is copied when it is new. */
static uint32_t intern(struct collecting *collecting, enum gg_place place, bool readable,
                       struct gg_str text)
{
    struct gg_names *names = collecting->names;
    struct gg_map *known = &collecting->known[readable ? GG_PLACES : place];
    void **number = gg_map_find(known, text.ptr, text.len);
    if (number)
        return (uint32_t)(uintptr_t)*number;
    text.ptr = gg_arena_strndup(names->arena, text.ptr, text.len);
    uint32_t next = (uint32_t)names->all.len;
    *gg_vec_push(names->arena, &names->all) =
        (struct gg_name){.text = text, .place = place, .readable = readable};
    *gg_map_put(known, text.ptr, text.len) = (void *)(uintptr_t)next;
    return next;
}

/* What a frame is called if this is its symbol. */
static uint32_t name_frame(struct collecting *collecting, const struct gg_frame *frame,
                           const char *symbol, bool generated)
{
    struct gg_names *names = collecting->names;
    struct gg_named named, *kept;
    memset(&named, 0, sizeof named); /* it is a key of a map, with what lies between its members */
    struct gg_trace_frame trace = gg_trace_frame_of(&collecting->scratch, frame, symbol);
    trace.names[GG_PLACE_SOURCE] = gg_trace_source(&collecting->scratch, frame);
    for (enum gg_place place = 0; place < GG_PLACES; place++) {
        bool unknown = place == GG_PLACE_SOURCE && trace.names[place].len == 0;
        if (names->wanted[place] && !unknown)
            named.names[place] = intern(collecting, place, false, trace.names[place]);
    }
    named.guess = trace.readable && !generated && names->wanted[GG_PLACE_SYMBOL];
    if (named.guess)
        named.readable = intern(collecting, GG_PLACE_SYMBOL, true, trace.names[GG_PLACE_SYMBOL]);
    named.bottom = trace.bottom;
    void **known = gg_map_find(&collecting->combinations, &named, sizeof named);
    if (known)
        return (uint32_t)(uintptr_t)*known;
    kept = gg_arena_alloc(&collecting->scratch, sizeof *kept);
    memcpy(kept, &named, sizeof named);
    uint32_t position = (uint32_t)names->named.len;
    *gg_map_put(&collecting->combinations, kept, sizeof *kept) = (void *)(uintptr_t)position;
    *gg_vec_push(names->arena, &names->named) = named;
    gg_vec_push(&collecting->scratch, &collecting->uses);
    return position;
}

/* Ids number the frames, so there are about as many as frames; by an id that is larger, or that
 * another frame has, a frame is not found. */
static bool file_by_id(struct collecting *collecting, const struct gg_frame *frame)
{
    size_t room = 4 * collecting->seen.len + 1024;
    if (frame->id >= room)
        return false;
    if (frame->id >= collecting->id_room) {
        collecting->by_id = gg_realloc(collecting->by_id, room * sizeof *collecting->by_id);
        memset(collecting->by_id + collecting->id_room, 0,
               (room - collecting->id_room) * sizeof *collecting->by_id);
        collecting->id_room = room;
    }
    if (collecting->by_id[frame->id])
        return false;
    collecting->by_id[frame->id] = (uint32_t)collecting->seen.len;
    return true;
}

static struct seen *add_frame(struct collecting *collecting, const struct gg_frame *frame)
{
    uint32_t named = name_frame(collecting, frame, frame->symbol, false);
    struct seen *seen = gg_vec_push(&collecting->scratch, &collecting->seen);
    *seen = (struct seen){.frame = frame, .named = named};
    if (!file_by_id(collecting, frame)) {
        const struct gg_frame **key = gg_arena_alloc(&collecting->scratch, sizeof *key);
        *key = frame;
        *gg_map_put(&collecting->strays, key, sizeof *key) = (void *)collecting->seen.len;
    }
    return seen;
}

static struct seen *see(struct collecting *collecting, const struct gg_frame *frame)
{
    uint32_t at = frame->id < collecting->id_room ? collecting->by_id[frame->id] : 0;
    if (at && collecting->seen.at[at - 1].frame == frame)
        return &collecting->seen.at[at - 1];
    void **stray = gg_map_find(&collecting->strays, &frame, sizeof frame);
    return stray ? &collecting->seen.at[(uintptr_t)*stray - 1] : add_frame(collecting, frame);
}

static uint32_t named_of(struct collecting *collecting, const struct gg_finding *finding,
                         const struct gg_stack *stack, size_t i)
{
    struct seen *seen = see(collecting, stack->frames[i]);
    const char *symbol;
    if (!gg_trace_generated(finding, stack, i, &symbol))
        return seen->named;
    if (!seen->generated_named || seen->generated != symbol) {
        seen->generated = symbol;
        seen->generated_named = name_frame(collecting, seen->frame, symbol, true);
    }
    return seen->generated_named;
}

static void collect_stacks(struct collecting *collecting)
{
    struct gg_names *names = collecting->names;
    for (size_t f = 0; f < names->finding_count; f++) {
        const struct gg_finding *finding = &names->findings[f];
        const struct gg_stack *stack = gg_trace_stack(finding);
        unsigned callers = gg_trace_options_of(&names->setting, finding).callers;
        names->callers = callers < names->callers ? callers : names->callers;
        uint32_t *to = names->stacks + names->starts[f];
        for (size_t i = 0; stack && i < stack->len; i++) {
            to[i] = named_of(collecting, finding, stack, i);
            collecting->uses.at[to[i]]++;
        }
    }
}

static void make_room(struct gg_names *names)
{
    size_t total = 0;
    names->starts =
        gg_arena_alloc(names->arena, (names->finding_count + 1) * sizeof *names->starts);
    for (size_t f = 0; f < names->finding_count; f++) {
        const struct gg_stack *stack = gg_trace_stack(&names->findings[f]);
        size_t len = stack ? stack->len : 0;
        names->longest = len > names->longest ? len : names->longest;
        names->starts[f] = total;
        total += len;
    }
    names->starts[names->finding_count] = total;
    names->stacks = gg_arena_alloc(names->arena, total * sizeof *names->stacks);
}

/* The frames that reports do not show. Each stack has them, or so it may be taken. */
static void add_hidden(struct collecting *collecting)
{
    struct gg_names *names = collecting->names;
    struct gg_trace_frame below[GG_TRACE_BELOW_MAX];
    gg_trace_below_main(gg_str(""), names->setting.libc, below, &names->below);
    if (names->wanted[GG_PLACE_SYMBOL]) {
        names->below_main =
            intern(collecting, GG_PLACE_SYMBOL, false, below[0].names[GG_PLACE_SYMBOL]);
        names->between =
            intern(collecting, GG_PLACE_SYMBOL, false, below[1].names[GG_PLACE_SYMBOL]);
        names->stray = intern(collecting, GG_PLACE_SYMBOL, false, gg_str("???"));
    }
    if (names->wanted[GG_PLACE_OBJECT]) {
        names->libc = intern(collecting, GG_PLACE_OBJECT, false, below[0].names[GG_PLACE_OBJECT]);
        names->stray_object = intern(collecting, GG_PLACE_OBJECT, false, gg_str("???"));
        names->program = intern(collecting, GG_PLACE_OBJECT, false, gg_str(names->setting.program));
    }
}

static void count_uses(struct collecting *collecting)
{
    struct gg_names *names = collecting->names;
    for (size_t n = 0; n < names->named.len; n++) {
        const struct gg_named *named = &names->named.at[n];
        for (enum gg_place place = 0; place < GG_PLACES; place++)
            names->all.at[named->names[place]].uses += collecting->uses.at[n];
        names->all.at[named->readable].uses += collecting->uses.at[n];
    }
    const uint32_t hidden[] = {names->below_main, names->between,      names->libc,
                               names->stray,      names->stray_object, names->program};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        names->all.at[hidden[i]].uses += names->finding_count;
}

void gg_names_collect(struct gg_names *names, struct gg_arena *arena,
                      const struct gg_report *report, const bool wanted[GG_PLACES])
{
    *names = (struct gg_names){.arena = arena,
                               .setting = gg_trace_setting(arena, report),
                               .findings = report->findings,
                               .finding_count = report->finding_count,
                               .callers = UINT32_MAX};
    memcpy(names->wanted, wanted, sizeof names->wanted);
    struct collecting collecting = {.names = names};
    gg_arena_init(&collecting.scratch);
    gg_vec_push(arena, &names->all); /* number 0 */
    gg_vec_push(arena, &names->named);
    gg_vec_push(&collecting.scratch, &collecting.uses);
    make_room(names);
    add_hidden(&collecting);
    collect_stacks(&collecting);
    count_uses(&collecting);
    for (size_t i = 0; i < GG_PLACES + 1; i++)
        gg_map_free(&collecting.known[i]);
    gg_map_free(&collecting.combinations);
    gg_map_free(&collecting.strays);
    free(collecting.by_id);
    gg_arena_free(&collecting.scratch);
}

static bool is_empty(const struct gg_named *named)
{
    uint32_t any = named->readable;
    for (enum gg_place place = 0; place < GG_PLACES; place++)
        any |= named->names[place];
    return any == 0 && !named->bottom;
}

void gg_names_forget(struct gg_names *names, const bool *live)
{
    for (size_t n = 0; n < names->named.len; n++) {
        struct gg_named *named = &names->named.at[n];
        for (enum gg_place place = 0; place < GG_PLACES; place++) {
            if (!live[named->names[place]])
                named->names[place] = 0;
        }
        if (!live[named->readable])
            named->readable = 0;
    }
    size_t total = names->starts[names->finding_count];
    for (size_t i = 0; i < total; i++) {
        if (is_empty(&names->named.at[names->stacks[i]]))
            names->stacks[i] = 0;
    }
}

const uint32_t *gg_names_stack(const struct gg_names *names, const struct gg_finding *finding,
                               size_t *count)
{
    if (finding < names->findings || finding >= names->findings + names->finding_count)
        return NULL;
    size_t at = (size_t)(finding - names->findings);
    *count = names->starts[at + 1] - names->starts[at];
    return names->stacks + names->starts[at];
}
