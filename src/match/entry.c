#include "match/entry.h"

static struct gg_pattern pattern_of(const struct gg_supp_frame *frame)
{
    static const enum gg_place places[] = {[GG_PLACE_FUN] = GG_PLACE_SYMBOL,
                                           [GG_PLACE_OBJ] = GG_PLACE_OBJECT,
                                           [GG_PLACE_SRC] = GG_PLACE_SOURCE};
    return (struct gg_pattern){.place = places[frame->place],
                               .form = GG_PATTERN_WILDCARD,
                               .text = frame->pattern,
                               .line = frame->line};
}

/* "..." becomes what the next step may skip; behind the last it changes nothing. */
static void add_steps(struct gg_arena *arena, const struct gg_supp *supp, struct gg_entry *entry)
{
    struct gg_step *steps = gg_arena_alloc(arena, supp->frame_count * sizeof *steps);
    struct gg_pattern *patterns = gg_arena_alloc(arena, supp->frame_count * sizeof *patterns);
    bool skips = false;
    for (size_t i = 0; i < supp->frame_count; i++) {
        if (supp->frames[i].place == GG_PLACE_ANY) {
            skips = true;
            continue;
        }
        struct gg_pattern *pattern = &patterns[entry->step_count];
        *pattern = pattern_of(&supp->frames[i]);
        steps[entry->step_count++] =
            (struct gg_step){.skips = skips, .patterns = pattern, .count = 1};
        skips = false;
    }
    entry->steps = steps;
}

struct gg_entry *gg_entry_of_supp(struct gg_arena *arena, const struct gg_supp *supp)
{
    struct gg_entry *entry = gg_arena_alloc(arena, sizeof *entry);
    entry->rule = supp->rule;
    entry->supp = supp;
    add_steps(arena, supp, entry);
    return entry;
}

static bool supp_covers(const struct gg_supp *supp, const struct gg_supp_subject *subject)
{
    const struct gg_supp_kind *kind = supp->kind;
    if (!kind)
        return false;
    if (kind->extra == GG_EXTRA_LEAK)
        return supp->leaks & subject->leak;
    if (subject->kind != kind->kinds[0] && subject->kind != kind->kinds[1])
        return false;
    switch (kind->extra) {
    case GG_EXTRA_PARAM:
        return subject->param.len && gg_str_eq(supp->param, subject->param);
    case GG_EXTRA_FISHY:
        return subject->function.len && gg_str_eq(supp->function, subject->function) &&
               gg_str_eq(supp->argument, subject->argument);
    default:
        return kind->size == 0 || kind->size == subject->size;
    }
}

bool gg_entry_covers(const struct gg_entry *entry, const struct gg_supp_subject *subject)
{
    if (entry->supp)
        return supp_covers(entry->supp, subject);
    return !entry->condition.kinds || entry->condition.kinds[subject->kind];
}

size_t gg_entry_steps(const struct gg_entry *entry, unsigned callers)
{
    const struct gg_supp *supp = entry->supp;
    if (!supp)
        return entry->step_count;
    if (supp->cut && callers > supp->frame_count)
        return SIZE_MAX;
    size_t count = 0;
    for (size_t i = 0; i < callers && i < supp->frame_count; i++)
        count += supp->frames[i].place != GG_PLACE_ANY;
    /* Nothing but "..." is refused as well. */
    return count ? count : SIZE_MAX;
}
