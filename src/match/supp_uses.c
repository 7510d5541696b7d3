#include "match/supp_uses.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* One name in one run. */
struct sighting {
    const char *name;
    uint32_t run;
    uint64_t count;
};

static int by_name(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static struct sighting *sightings_of(const struct gg_report *report, size_t *count)
{
    *count = 0;
    for (size_t r = 0; r < report->run_count; r++)
        *count += report->runs[r].suppcount_count;
    struct sighting *sightings = gg_alloc(*count * sizeof *sightings), *next = sightings;
    for (size_t r = 0; r < report->run_count; r++) {
        const struct gg_run *run = &report->runs[r];
        for (size_t i = 0; i < run->suppcount_count; i++)
            *next++ =
                (struct sighting){run->suppcounts[i].name, (uint32_t)r, run->suppcounts[i].count};
    }
    if (*count)
        qsort(sightings, *count, sizeof *sightings, by_name);
    return sightings;
}

const struct gg_supp_use *gg_supp_uses(struct gg_arena *arena, const struct gg_report *report,
                                       size_t *count)
{
    size_t seen;
    struct sighting *sightings = sightings_of(report, &seen);
    uint32_t *runs = gg_arena_alloc(arena, seen * sizeof *runs);
    GG_VEC(struct gg_supp_use) uses = {0};
    struct gg_supp_use *use = NULL;
    for (size_t i = 0; i < seen; i++) {
        /* Two of one name, in one file or two, are one. */
        if (!use || strcmp(use->name, sightings[i].name) != 0) {
            use = gg_vec_push(arena, &uses);
            *use = (struct gg_supp_use){.name = sightings[i].name, .runs = runs};
        }
        use->count += sightings[i].count;
        if (use->run_count == 0 || runs[-1] != sightings[i].run) {
            *runs++ = sightings[i].run;
            use->run_count++;
        }
    }
    free(sightings);
    *count = uses.len;
    return uses.at;
}
