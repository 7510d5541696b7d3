#include "match/common.h"
#include "match/readable.h"
#include "match/spelling.h"

#include <stdlib.h>

enum { FUNCTION = 4, OBJECT = 1 }; /* what a likeness is worth */

static void add_name(struct gg_arena *arena, gg_name_list *names, struct gg_str name)
{
    for (size_t i = 0; i < names->len; i++) {
        if (gg_str_eq(names->at[i], name))
            return;
    }
    *gg_vec_push(arena, names) = gg_str_n(gg_arena_strndup(arena, name.ptr, name.len), name.len);
}

static bool is_known(struct gg_str name)
{
    return name.len && !gg_str_is(name, "???");
}

static struct gg_str name_of(const struct gg_trace *trace, size_t frame, enum gg_place place)
{
    return trace->frames[frame].names[place];
}

gg_shared_list gg_common_begin(struct gg_arena *arena, const struct gg_trace *trace, size_t count)
{
    gg_shared_list common = {0};
    size_t after = 0;
    for (size_t i = 0; i < count; i++) {
        struct gg_str function = name_of(trace, i, GG_PLACE_SYMBOL);
        struct gg_str object = name_of(trace, i, GG_PLACE_OBJECT);
        if (!is_known(function) && !is_known(object))
            continue;
        struct gg_shared *shared = gg_vec_push(arena, &common);
        *shared = (struct gg_shared){.first = i, .last = i, .gap = i != after};
        if (is_known(function))
            add_name(arena, &shared->functions, function);
        if (is_known(object))
            add_name(arena, &shared->objects, object);
        after = i + 1;
    }
    return common;
}

/* A demangled name is compared with what the linker's means. */
static bool same_function(struct gg_str name, const struct gg_trace *trace, size_t frame)
{
    struct gg_str other = name_of(trace, frame, GG_PLACE_SYMBOL);
    if (!trace->frames[frame].readable)
        return gg_spelling_same_function(name, other);
    struct gg_arena scratch = {0};
    bool same = gg_readable_fits(&scratch, name, other);
    gg_arena_free(&scratch);
    return same;
}

/* How alike a shared frame and one of the trace are; 0: they are not the same. */
static unsigned likeness(const struct gg_shared *shared, const struct gg_trace *trace, size_t frame)
{
    struct gg_str function = name_of(trace, frame, GG_PLACE_SYMBOL);
    struct gg_str object = name_of(trace, frame, GG_PLACE_OBJECT);
    bool same_object = shared->objects.len && is_known(object) &&
                       gg_spelling_same_object(shared->objects.at[0], object);
    if (shared->functions.len && is_known(function))
        return same_function(shared->functions.at[0], trace, frame)
                   ? FUNCTION + (same_object ? OBJECT : 0)
                   : 0;
    return same_object ? OBJECT : 0;
}

/* best[i * (count + 1) + j]: what the rest of both from i and j on is worth at most. */
static unsigned *weigh(const gg_shared_list *common, const struct gg_trace *trace, size_t count)
{
    size_t width = count + 1;
    unsigned *best = gg_alloc((common->len + 1) * width * sizeof *best);
    for (size_t i = common->len; i-- > 0;) {
        for (size_t j = count; j-- > 0;) {
            unsigned alike = likeness(&common->at[i], trace, j);
            unsigned most = best[(i + 1) * width + j];
            if (best[i * width + j + 1] > most)
                most = best[i * width + j + 1];
            if (alike && alike + best[(i + 1) * width + j + 1] > most)
                most = alike + best[(i + 1) * width + j + 1];
            best[i * width + j] = most;
        }
    }
    return best;
}

static void keep(struct gg_arena *arena, gg_shared_list *kept, const struct gg_shared *from,
                 const struct gg_trace *trace, size_t frame, bool gap)
{
    struct gg_str function = name_of(trace, frame, GG_PLACE_SYMBOL);
    struct gg_str object = name_of(trace, frame, GG_PLACE_OBJECT);
    struct gg_shared *shared = gg_vec_push(arena, kept);
    *shared = *from;
    shared->gap = gap;
    if (is_known(function) && from->functions.len && !trace->frames[frame].readable)
        add_name(arena, &shared->functions, function);
    else if (!is_known(function))
        shared->functions = (gg_name_list){0};
    if (is_known(object) && from->objects.len)
        add_name(arena, &shared->objects, object);
    else
        shared->objects = (gg_name_list){0};
    if (frame < shared->first)
        shared->first = frame;
    if (frame > shared->last)
        shared->last = frame;
}

gg_shared_list gg_common_with(struct gg_arena *arena, const gg_shared_list *common,
                              const struct gg_trace *trace, size_t count)
{
    gg_shared_list kept = {0};
    unsigned *best = weigh(common, trace, count);
    size_t width = count + 1, i = 0, j = 0;
    bool gap = false;
    while (i < common->len && j < count) {
        unsigned here = best[i * width + j], alike = likeness(&common->at[i], trace, j);
        if (alike && here == alike + best[(i + 1) * width + j + 1]) {
            keep(arena, &kept, &common->at[i], trace, j, gap || common->at[i].gap);
            gap = false;
            i++;
            j++;
            continue;
        }
        gap = true;
        if (here == best[(i + 1) * width + j])
            i++;
        else
            j++;
    }
    free(best);
    return kept;
}
