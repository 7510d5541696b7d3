#include "model/entry.h"
#include "model/order.h"

#include <string.h>

static const char *copy_str(struct gg_arena *arena, struct gg_str text)
{
    return text.len ? gg_arena_strndup(arena, text.ptr, text.len) : NULL;
}

static const char *intern(struct gg_atoms *atoms, struct gg_str text)
{
    return text.len ? gg_atom_n(atoms, text.ptr, text.len) : NULL;
}

static const char *const *copy_notes(struct gg_arena *arena, const struct gg_raw_error *error)
{
    const char **copy = gg_arena_alloc(arena, error->note_count * sizeof *copy);
    for (size_t i = 0; i < error->note_count; i++)
        copy[i] = gg_arena_strndup(arena, error->notes[i].ptr, error->notes[i].len);
    return error->note_count ? copy : NULL;
}

static const char *const *intern_names(struct gg_atoms *atoms, const struct gg_raw_error *error)
{
    const char **names = gg_arena_alloc(atoms->arena, error->supp_frame_count * sizeof *names);
    for (size_t i = 0; i < error->supp_frame_count; i++)
        names[i] = gg_atom_n(atoms, error->supp_frames[i].ptr, error->supp_frames[i].len);
    return error->supp_frame_count ? names : NULL;
}

static const struct gg_stack *copy_stacks(struct gg_arena *arena, const struct gg_raw_error *error)
{
    struct gg_stack *stacks = gg_arena_alloc(arena, error->stack_count * sizeof *stacks);
    for (size_t i = 0; i < error->stack_count; i++) {
        const struct gg_raw_stack *raw = &error->stacks[i];
        struct gg_frame **frames = gg_arena_alloc(arena, raw->len * sizeof *frames);
        if (raw->len)
            memcpy(frames, raw->frames, raw->len * sizeof *frames);
        stacks[i] = (struct gg_stack){raw->role, copy_str(arena, raw->text), raw->len, frames};
    }
    return stacks;
}

static void show(struct gg_atoms *atoms, struct gg_entry *entry, const struct gg_raw_error *error)
{
    entry->message = gg_atom_n(atoms, error->message.ptr, error->message.len);
    entry->thread = intern(atoms, error->thread);
    entry->supp_kind = intern(atoms, error->supp_kind);
    entry->supp_extra = intern(atoms, error->supp_extra);
    entry->supp_frames = intern_names(atoms, error);
    entry->supp_frame_count = (uint32_t)error->supp_frame_count;
    entry->notes = copy_notes(atoms->arena, error);
    entry->note_count = (uint32_t)error->note_count;
    entry->stacks = copy_stacks(atoms->arena, error);
    entry->stack_count = (uint32_t)error->stack_count;
}

struct gg_entry *gg_entry_new(struct gg_atoms *atoms, enum gg_kind kind,
                              const struct gg_raw_error *error)
{
    struct gg_entry *entry = gg_arena_alloc(atoms->arena, sizeof *entry);
    entry->kind = kind;
    entry->kind_name = gg_atom_n(atoms, error->kind.ptr, error->kind.len);
    entry->is_leak = error->has_leak;
    show(atoms, entry, error);
    return entry;
}

static int order_str(struct gg_str a, const char *b)
{
    struct gg_str other = gg_str(b);
    size_t len = a.len < other.len ? a.len : other.len;
    int order = len ? memcmp(a.ptr, other.ptr, len) : 0;
    return order ? order : (a.len > other.len) - (a.len < other.len);
}

/* Less than zero: the error's stacks sort before the entry's. */
static int order_stacks(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    for (size_t i = 0; i < entry->stack_count; i++) {
        const struct gg_raw_stack *raw = &error->stacks[i];
        const struct gg_stack *shown = &entry->stacks[i];
        struct gg_stack other = {raw->role, shown->text, raw->len, raw->frames};
        int order = gg_order_stack(&other, shown);
        if (!order)
            order = order_str(raw->text, shown->text);
        if (order)
            return order;
    }
    return 0;
}

static int order_notes(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    for (size_t i = 0; i < entry->note_count; i++) {
        int order = order_str(error->notes[i], entry->notes[i]);
        if (order)
            return order;
    }
    return 0;
}

/* Numbers may differ between errors that are one finding; a leak's are counted, not shown. */
static int order_message(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    return entry->is_leak ? 0 : order_str(error->message, entry->message);
}

/* More first, then what sorts first. */
static int order_error(const struct gg_raw_error *error, const struct gg_entry *entry)
{
    if (error->stack_count != entry->stack_count)
        return error->stack_count > entry->stack_count ? -1 : 1;
    if (error->note_count != entry->note_count)
        return error->note_count > entry->note_count ? -1 : 1;
    if (error->supp_frame_count != entry->supp_frame_count)
        return error->supp_frame_count > entry->supp_frame_count ? -1 : 1;
    int order = order_stacks(error, entry);
    if (!order)
        order = order_notes(error, entry);
    if (!order)
        order = order_str(error->thread, entry->thread);
    return order ? order : order_message(error, entry);
}

void gg_entry_prefer(struct gg_atoms *atoms, struct gg_entry *entry,
                     const struct gg_raw_error *error)
{
    if (order_error(error, entry) < 0)
        show(atoms, entry, error);
}

struct gg_finding gg_entry_finding(struct gg_atoms *atoms, const struct gg_entry *entry)
{
    return (struct gg_finding){
        .kind = entry->kind,
        .kind_name = entry->kind_name,
        .message = gg_message_text(atoms, gg_str(entry->message)),
        .is_leak = entry->is_leak,
        .stacks = entry->stacks,
        .stack_count = entry->stack_count,
        .notes = entry->notes,
        .note_count = entry->note_count,
        .thread = entry->thread,
        .supp_kind = entry->supp_kind,
        .supp_extra = entry->supp_extra,
        .supp_frames = entry->supp_frames,
        .supp_frame_count = entry->supp_frame_count,
        .told = entry->told,
    };
}
