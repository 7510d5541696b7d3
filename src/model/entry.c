#include "model/entry.h"
#include "model/order.h"

#include <string.h>

static const char *copy_str(struct gg_arena *arena, struct gg_str text)
{
    return text.len ? gg_arena_strndup(arena, text.ptr, text.len) : NULL;
}

static const char *const *copy_list(struct gg_arena *arena, const struct gg_str *list, size_t count)
{
    if (!count)
        return NULL;
    const char **copy = gg_arena_alloc(arena, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = gg_arena_strndup(arena, list[i].ptr, list[i].len);
    return copy;
}

static void copy_stacks(struct gg_arena *arena, struct gg_finding *finding,
                        const struct gg_raw_error *error)
{
    struct gg_stack *stacks = gg_arena_alloc(arena, error->stack_count * sizeof *stacks);
    for (size_t i = 0; i < error->stack_count; i++) {
        const struct gg_raw_stack *raw = &error->stacks[i];
        struct gg_frame **frames = gg_arena_alloc(arena, raw->len * sizeof *frames);
        if (raw->len)
            memcpy(frames, raw->frames, raw->len * sizeof *frames);
        stacks[i] = (struct gg_stack){raw->role, copy_str(arena, raw->text), raw->len, frames};
    }
    finding->stacks = stacks;
    finding->stack_count = error->stack_count;
}

static void show(struct gg_arena *arena, struct gg_entry *entry, const struct gg_raw_error *error)
{
    struct gg_finding *finding = &entry->finding;
    entry->sentence = copy_str(arena, error->message);
    finding->message = gg_message_text(arena, error->message);
    finding->thread = copy_str(arena, error->thread);
    finding->notes = copy_list(arena, error->notes, error->note_count);
    finding->note_count = error->note_count;
    finding->supp_kind = copy_str(arena, error->supp_kind);
    finding->supp_extra = copy_str(arena, error->supp_extra);
    finding->supp_frames = copy_list(arena, error->supp_frames, error->supp_frame_count);
    finding->supp_frame_count = error->supp_frame_count;
    copy_stacks(arena, finding, error);
}

struct gg_entry *gg_entry_new(struct gg_arena *arena, struct gg_atoms *atoms, enum gg_kind kind,
                              const struct gg_raw_error *error)
{
    struct gg_entry *entry = gg_arena_alloc(arena, sizeof *entry);
    entry->finding.kind = kind;
    entry->finding.kind_name = gg_atom_n(atoms, error->kind.ptr, error->kind.len);
    entry->finding.is_leak = error->has_leak;
    show(arena, entry, error);
    return entry;
}

static int order_str(struct gg_str a, const char *b)
{
    struct gg_str other = gg_str(b);
    size_t len = a.len < other.len ? a.len : other.len;
    int order = len ? memcmp(a.ptr, other.ptr, len) : 0;
    return order ? order : (a.len > other.len) - (a.len < other.len);
}

/* Less than zero: the error's stacks sort before the finding's. */
static int order_stacks(const struct gg_raw_error *error, const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct gg_raw_stack *raw = &error->stacks[i];
        struct gg_stack ours = {raw->role, finding->stacks[i].text, raw->len, raw->frames};
        int order = gg_order_stack(&ours, &finding->stacks[i]);
        if (!order)
            order = order_str(raw->text, finding->stacks[i].text);
        if (order)
            return order;
    }
    return 0;
}

static int order_notes(const struct gg_raw_error *error, const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->note_count; i++) {
        int order = order_str(error->notes[i], finding->notes[i]);
        if (order)
            return order;
    }
    return 0;
}

/* Numbers may differ between errors that are one finding; a leak's are counted, not shown. */
static int order_message(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    return error->has_leak ? 0 : order_str(error->message, entry->sentence);
}

/* More first, then what sorts first. */
static int order_error(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    const struct gg_finding *finding = &entry->finding;
    if (error->stack_count != finding->stack_count)
        return error->stack_count > finding->stack_count ? -1 : 1;
    if (error->note_count != finding->note_count)
        return error->note_count > finding->note_count ? -1 : 1;
    if (error->supp_frame_count != finding->supp_frame_count)
        return error->supp_frame_count > finding->supp_frame_count ? -1 : 1;
    int order = order_stacks(error, finding);
    if (!order)
        order = order_notes(error, finding);
    if (!order)
        order = order_str(error->thread, finding->thread);
    return order ? order : order_message(error, entry);
}

void gg_entry_prefer(struct gg_arena *arena, struct gg_entry *entry,
                     const struct gg_raw_error *error)
{
    if (order_error(error, entry) < 0)
        show(arena, entry, error);
}
