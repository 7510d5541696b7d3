#include "match/marks.h"

#include <stdlib.h>
#include <string.h>

void gg_marks_init(struct gg_marks *marks, struct gg_arena *arena, const struct gg_names *names)
{
    *marks = (struct gg_marks){.names = names};
    marks->of_name = gg_arena_alloc(arena, names->all.len * sizeof *marks->of_name);
    if (names->wanted[GG_PLACE_SOURCE])
        marks->lines = gg_arena_alloc(arena, GG_MARKS_FRAMES_MAX * sizeof *marks->lines);
}

void gg_marks_free(struct gg_marks *marks)
{
    free(marks->present);
    free(marks->bits);
}

static void add_slot(struct gg_marks *marks, uint32_t name, struct gg_mark *mark)
{
    if (marks->slots == marks->present_room) {
        marks->present_room = marks->present_room ? 2 * marks->present_room : 64;
        marks->present = gg_realloc(marks->present, marks->present_room * sizeof *marks->present);
    }
    if ((marks->slots + 1) * marks->words > marks->bits_room) {
        marks->bits_room = 2 * (marks->slots + 1) * marks->words;
        marks->bits = gg_realloc(marks->bits, marks->bits_room * sizeof *marks->bits);
    }
    *mark = (struct gg_mark){marks->stamp, (uint32_t)marks->slots};
    marks->present[marks->slots] = name;
    memset(marks->bits + marks->slots * marks->words, 0, marks->words * sizeof *marks->bits);
    marks->slots++;
}

static void put(struct gg_marks *marks, uint32_t name, size_t frame)
{
    if (name == 0)
        return;
    struct gg_mark *mark = &marks->of_name[name];
    if (mark->stamp != marks->stamp)
        add_slot(marks, name, mark);
    marks->bits[mark->slot * marks->words + frame / 64] |= (uint64_t)1 << frame % 64;
}

static void put_symbol(struct gg_marks *marks, const struct gg_named *named, size_t frame,
                       const struct gg_trace_options *options)
{
    bool guess = named->guess && !options->mangled;
    put(marks, guess ? named->readable : named->names[GG_PLACE_SYMBOL], frame);
    marks->readable = marks->readable || (guess && named->readable);
}

static void put_stack(struct gg_marks *marks, const uint32_t *stack,
                      const struct gg_trace_options *options)
{
    for (size_t i = 0; i < marks->shown; i++) {
        if (stack[i] == 0)
            continue;
        const struct gg_named *named = &marks->names->named.at[stack[i]];
        put_symbol(marks, named, i, options);
        put(marks, named->names[GG_PLACE_OBJECT], i);
        put(marks, named->names[GG_PLACE_FUNCTION], i);
        put(marks, named->names[GG_PLACE_FILE], i);
        put(marks, named->names[GG_PLACE_PATH], i);
    }
}

/* The result is how many addresses there are. */
static size_t put_sources(struct gg_marks *marks, const uint32_t *stack,
                          const struct gg_finding *finding)
{
    struct gg_frame *const *frames = gg_trace_stack(finding)->frames;
    const struct gg_frame *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < marks->shown; i++) {
        if (!gg_trace_begins_address(first, frames[i]))
            continue;
        first = frames[i];
        if (marks->names->wanted[GG_PLACE_SOURCE]) {
            marks->lines[count] = first->line;
            put(marks, marks->names->named.at[stack[i]].names[GG_PLACE_SOURCE], count);
        }
        count++;
    }
    return count;
}

static void put_below_main(struct gg_marks *marks, const struct gg_named *last, size_t addresses,
                           size_t strays)
{
    const struct gg_names *names = marks->names;
    uint32_t object =
        last->bottom == GG_BOTTOM_CALLER ? names->program : last->names[GG_PLACE_OBJECT];
    size_t i = gg_trace_shown_below(last->bottom);
    for (; i < names->below && addresses < marks->callers; i++, addresses++) {
        bool outer = i + 1 == names->below, between = i > 0 && !outer;
        put(marks, between ? names->between : names->below_main, marks->count);
        put(marks, outer ? object : names->libc, marks->count);
        marks->count++;
    }
    for (i = 0; i < strays && addresses < marks->callers; i++, addresses++) {
        put(marks, names->stray, marks->count);
        put(marks, names->stray_object, marks->count);
        marks->count++;
    }
}

bool gg_marks_set(struct gg_marks *marks, const struct gg_finding *finding)
{
    const struct gg_names *names = marks->names;
    size_t len;
    const uint32_t *stack = gg_names_stack(names, finding, &len);
    struct gg_trace_options options = gg_trace_options_of(&names->setting, finding);
    size_t hidden = GG_TRACE_BELOW_MAX + options.strays;
    size_t most = len + (hidden < options.callers ? hidden : options.callers);
    if (!stack || most > GG_MARKS_FRAMES_MAX)
        return false;
    marks->stamp++;
    marks->slots = 0;
    marks->words = most / 64 + 1;
    marks->count = marks->shown = len;
    marks->callers = options.callers;
    marks->readable = false;
    put_stack(marks, stack, &options);
    const struct gg_named *last = &names->named.at[len ? stack[len - 1] : 0];
    bool below = last->bottom && !options.shows_below_main;
    /* How many addresses there are counts only where callers may end the stack. */
    size_t addresses = len;
    if (names->wanted[GG_PLACE_SOURCE] || (below && len + hidden > options.callers))
        addresses = put_sources(marks, stack, finding);
    if (below)
        put_below_main(marks, last, addresses, options.strays);
    return true;
}
