#include "match/sequence.h"
#include "match/glob.h"
#include "match/readable.h"
#include "match/wildcard.h"

static bool is_any(struct gg_str pattern)
{
    size_t stars = 0;
    while (stars < pattern.len && pattern.ptr[stars] == '*')
        stars++;
    return stars && stars == pattern.len;
}

static enum gg_fit wildcard_fit(const struct gg_pattern *pattern,
                                const struct gg_trace_frame *frame)
{
    struct gg_str name = frame->names[pattern->place];
    if (pattern->place == GG_PLACE_SYMBOL && frame->readable && !is_any(pattern->text)) {
        struct gg_arena scratch = {0};
        bool fits = gg_readable_fits(&scratch, pattern->text, name);
        gg_arena_free(&scratch);
        return fits ? GG_FIT_APPROXIMATE : GG_FIT_NONE;
    }
    bool fits = gg_wildcard_match(pattern->text, name);
    if (pattern->place == GG_PLACE_SOURCE)
        fits = fits && name.len && (pattern->line == 0 || pattern->line == frame->line);
    return fits ? GG_FIT_EXACT : GG_FIT_NONE;
}

enum gg_fit gg_sequence_fit(const struct gg_pattern *pattern, const struct gg_trace *trace,
                            size_t frame)
{
    struct gg_str name = trace->frames[frame].names[pattern->place];
    switch (pattern->form) {
    case GG_PATTERN_WILDCARD:
        return wildcard_fit(pattern, &trace->frames[frame]);
    case GG_PATTERN_REGEX:
        return gg_regex_match(pattern->regex, name) ? GG_FIT_EXACT : GG_FIT_NONE;
    case GG_PATTERN_GLOB:
        return gg_glob_match(pattern->text, name) ? GG_FIT_EXACT : GG_FIT_NONE;
    }
    return GG_FIT_NONE;
}

/* The least sure of its tests counts. */
static enum gg_fit step_fit(const struct gg_step *step, const struct gg_trace *trace, size_t frame)
{
    enum gg_fit least = GG_FIT_EXACT;
    if (step->within && frame >= step->within)
        return GG_FIT_NONE;
    for (size_t i = 0; i < step->count && least != GG_FIT_NONE; i++) {
        enum gg_fit fit = gg_sequence_fit(&step->patterns[i], trace, frame);
        least = fit < least ? fit : least;
    }
    return least;
}

static void note_reach(struct gg_reach *reach, size_t met, size_t frame)
{
    if (met > reach->met || reach->frame == SIZE_MAX) {
        reach->met = met;
        reach->frame = frame;
    }
}

/* Are `count` steps met by frames that fit as surely as `wanted`?
 *
 * As with wildcards in a name: what stands between two places that skip is taken where it first
 * matches, since later places leave no more for the rest. The end needs no match. */
static bool meets(const struct gg_step *steps, size_t count, const struct gg_trace *trace,
                  size_t frames, enum gg_fit wanted, struct gg_reach *reach)
{
    size_t s = 0, f = 0, block = 0, retry = 0;
    bool skipped = false;
    while (s < count) {
        if (steps[s].skips && (!skipped || block != s)) {
            skipped = true;
            block = s;
            retry = f;
        }
        if (f < frames && step_fit(&steps[s], trace, f) >= wanted) {
            s++;
            f++;
            continue;
        }
        note_reach(reach, s, f);
        if (f == frames || !skipped)
            return false;
        s = block;
        f = ++retry;
    }
    reach->met = count;
    return true;
}

enum gg_fit gg_sequence_match(const struct gg_entry *entry, const struct gg_trace *trace,
                              struct gg_reach *reach)
{
    struct gg_reach ignored;
    reach = reach ? reach : &ignored;
    *reach = (struct gg_reach){.count = gg_entry_steps(entry, trace->callers), .frame = SIZE_MAX};
    if (reach->count == SIZE_MAX)
        return GG_FIT_NONE;
    size_t frames = entry->supp ? trace->count : trace->shown;
    if (meets(entry->steps, reach->count, trace, frames, GG_FIT_EXACT, reach))
        return GG_FIT_EXACT;
    if (!trace->readable)
        return GG_FIT_NONE;
    *reach = (struct gg_reach){.count = reach->count, .frame = SIZE_MAX};
    bool fits = meets(entry->steps, reach->count, trace, frames, GG_FIT_APPROXIMATE, reach);
    return fits ? GG_FIT_APPROXIMATE : GG_FIT_NONE;
}
