#include "match/packs.h"

#include "match/pack_table.h"
#include "match/wildcard.h"

#include <stdlib.h>
#include <string.h>

const struct gg_pack *gg_packs(size_t *count)
{
    *count = gg_pack_count;
    return gg_pack_table;
}

const struct gg_pack *gg_pack_find(const char *name)
{
    for (size_t i = 0; i < gg_pack_count; i++) {
        if (strcmp(gg_pack_table[i].name, name) == 0)
            return &gg_pack_table[i];
    }
    return NULL;
}

static bool fits(const char *const *wildcards, const char *name)
{
    for (; name && *wildcards; wildcards++) {
        if (gg_wildcard_match(gg_str(*wildcards), gg_str(name)))
            return true;
    }
    return false;
}

/* Frames by their id: most stacks of a report pass the same ones. */
struct seen {
    bool *frames;
    size_t len;
};

static bool seen_before(struct seen *seen, const struct gg_frame *frame)
{
    if (frame->id >= seen->len) {
        size_t len = 2 * (size_t)frame->id + 1024;
        seen->frames = gg_realloc(seen->frames, len);
        memset(seen->frames + seen->len, 0, len - seen->len);
        seen->len = len;
    }
    bool before = seen->frames[frame->id];
    seen->frames[frame->id] = true;
    return before;
}

static bool passes(const struct gg_pack *pack, const struct gg_stack *stack, struct seen *seen)
{
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (!seen_before(seen, frame) &&
            (fits(pack->objects, frame->object) || fits(pack->functions, frame->symbol)))
            return true;
    }
    return false;
}

bool gg_pack_applies(const struct gg_pack *pack, const struct gg_report *report)
{
    struct seen seen = {0};
    bool found = false;
    for (size_t i = 0; i < report->finding_count && !found; i++) {
        const struct gg_finding *finding = &report->findings[i];
        for (size_t j = 0; j < finding->stack_count && !found; j++)
            found = passes(pack, &finding->stacks[j], &seen);
    }
    free(seen.frames);
    return found;
}
