#include "model/collate.h"
#include "model/entry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gg_collate *gg_collate_new(struct gg_arena *arena, struct gg_atoms *atoms)
{
    struct gg_collate *collate = gg_arena_alloc(arena, sizeof *collate);
    collate->arena = arena;
    collate->atoms = atoms;
    gg_arena_init(&collate->keys);
    gg_frames_init(&collate->frames, arena, atoms);
    return collate;
}

struct gg_frames *gg_collate_frames(struct gg_collate *collate)
{
    return &collate->frames;
}

struct gg_arena *gg_collate_arena(struct gg_collate *collate)
{
    return collate->arena;
}

struct gg_atoms *gg_collate_atoms(struct gg_collate *collate)
{
    return collate->atoms;
}

uint32_t gg_collate_run(struct gg_collate *collate)
{
    static const char *const none[] = {NULL};
    struct gg_run *run = gg_vec_push(collate->arena, &collate->runs);
    *run = (struct gg_run){.pid = -1,
                           .ppid = -1,
                           .exit_code = -1,
                           .tool = "",
                           .version = "",
                           .source = "",
                           .command = none,
                           .options = none};
    return (uint32_t)(collate->runs.len - 1);
}

struct gg_run *gg_collate_run_at(struct gg_collate *collate, uint32_t run)
{
    return &collate->runs.at[run];
}

uint32_t gg_collate_run_count(const struct gg_collate *collate)
{
    return (uint32_t)collate->runs.len;
}

size_t gg_collate_error_total(const struct gg_collate *collate)
{
    return collate->entries.len;
}

void gg_collate_set_beat(struct gg_collate *collate, struct gg_beat *beat)
{
    collate->beat = beat;
}

struct gg_beat *gg_collate_beat(const struct gg_collate *collate)
{
    return collate->beat;
}

static void key_bytes(struct gg_collate *collate, const void *bytes, size_t len)
{
    if (collate->key_cap - collate->key_len < len) {
        collate->key_cap = (collate->key_len + len) * 2;
        collate->key = gg_realloc(collate->key, collate->key_cap);
    }
    if (len)
        memcpy(collate->key + collate->key_len, bytes, len);
    collate->key_len += len;
}

/* A stack that reaches a main with a source line passes the program under test. */
static bool passes_program(const struct gg_raw_stack *stack)
{
    for (size_t i = stack->len; i-- > 0;) {
        const struct gg_frame *frame = stack->frames[i];
        if (frame->file && frame->symbol && strcmp(frame->symbol, "main") == 0)
            return true;
    }
    return false;
}

/* The places of the error's own stack tell errors apart; where it may pass no line of the
 * repository (a library's thread, stripped or generated code) all stacks do, for one of them may,
 * and decides then whose the error is. */
static void key_stacks(struct gg_collate *collate, const struct gg_raw_error *error)
{
    size_t count = error->stack_count;
    if (count && passes_program(&error->stacks[0]))
        count = 1;
    for (size_t i = 0; i < count; i++) {
        const struct gg_raw_stack *stack = &error->stacks[i];
        uint32_t head[2] = {(uint32_t)stack->role, (uint32_t)stack->len};
        key_bytes(collate, head, sizeof head);
        for (size_t f = 0; f < stack->len; f++)
            key_bytes(collate, &stack->frames[f]->place, sizeof stack->frames[f]->place);
    }
}

static void make_key(struct gg_collate *collate, enum gg_kind kind,
                     const struct gg_raw_error *error)
{
    collate->key_len = 0;
    key_bytes(collate, error->kind.ptr, error->kind.len);
    key_bytes(collate, "", 1);
    char *message = gg_alloc(error->message.len + 1);
    key_bytes(collate, message, gg_message_key(kind, error->message, message));
    key_bytes(collate, "", 1);
    free(message);
    key_stacks(collate, error);
}

struct gg_witness *gg_collate_witness(struct gg_collate *collate, struct gg_entry *entry,
                                      uint32_t run)
{
    if (entry->witnesses.len && entry->witnesses.at[entry->witnesses.len - 1].run == run)
        return &entry->witnesses.at[entry->witnesses.len - 1];
    if (entry->witnesses.cap == 0) { /* most have but one */
        entry->witnesses.at = gg_arena_alloc(collate->arena, sizeof *entry->witnesses.at);
        entry->witnesses.cap = 1;
    }
    struct gg_witness *witness = gg_vec_push(collate->arena, &entry->witnesses);
    witness->run = run;
    return witness;
}

/* A check the program asked for shows a leak that the check at exit shows again: the last word is
 * the exit's. Between two checks of the first sort the larger counts. Records of one check add up.
 */
static void count_leak(struct gg_witness *witness, const struct gg_raw_leak *leak)
{
    bool first_final = leak->final && !witness->final;
    if (first_final || witness->count == 0) {
        witness->final = leak->final;
        witness->count = 1;
        witness->bytes = leak->bytes;
        witness->direct = leak->direct;
        witness->blocks = leak->blocks;
    } else if (leak->final) {
        witness->count++;
        witness->bytes += leak->bytes;
        witness->direct += leak->direct;
        witness->blocks += leak->blocks;
    } else if (!witness->final && leak->bytes > witness->bytes) {
        witness->bytes = leak->bytes;
        witness->direct = leak->direct;
        witness->blocks = leak->blocks;
    }
}

static void remember_unique(struct gg_collate *collate, const struct gg_raw_error *error,
                            const struct gg_entry *entry)
{
    if (!error->has_unique)
        return;
    if (collate->unique_len == collate->unique_cap) {
        collate->unique_cap = collate->unique_cap ? collate->unique_cap * 2 : 64;
        collate->uniques =
            gg_realloc(collate->uniques, collate->unique_cap * sizeof *collate->uniques);
    }
    collate->uniques[collate->unique_len++] = (struct gg_unique){error->unique, entry->index};
    collate->uniques_sorted = false;
}

struct gg_entry *gg_collate_entry(struct gg_collate *collate, const struct gg_raw_error *error)
{
    enum gg_kind kind = gg_kind_of(error->kind.ptr, error->kind.len);
    if (gg_str_is(error->kind, gg_kind_table[GG_KIND_FatalSignal].name))
        kind = GG_KIND_FatalSignal;
    make_key(collate, kind, error);
    void **known = gg_map_find(&collate->by_key, collate->key, collate->key_len);
    struct gg_entry *entry;
    if (known) {
        entry = *known;
        gg_entry_prefer(collate->atoms, entry, error);
    } else {
        entry = gg_entry_new(collate->atoms, kind, error);
        entry->index = (uint32_t)collate->entries.len;
        *gg_vec_push(collate->arena, &collate->entries) = entry;
        char *key = gg_arena_strndup(&collate->keys, collate->key, collate->key_len);
        *gg_map_put(&collate->by_key, key, collate->key_len) = entry;
    }
    return entry;
}

void gg_collate_error(struct gg_collate *collate, uint32_t run, const struct gg_raw_error *error)
{
    struct gg_entry *entry = gg_collate_entry(collate, error);
    struct gg_witness *witness = gg_collate_witness(collate, entry, run);
    if (error->has_leak)
        count_leak(witness, &error->leak);
    else
        witness->count++;
    remember_unique(collate, error, entry);
}

static int by_unique(const void *a, const void *b)
{
    uint32_t left = ((const struct gg_unique *)a)->unique;
    uint32_t right = ((const struct gg_unique *)b)->unique;
    return (left > right) - (left < right);
}

void gg_collate_error_count(struct gg_collate *collate, uint32_t run, uint32_t unique,
                            uint64_t count)
{
    if (!collate->uniques_sorted && collate->unique_len)
        qsort(collate->uniques, collate->unique_len, sizeof *collate->uniques, by_unique);
    collate->uniques_sorted = true;
    struct gg_unique wanted = {.unique = unique};
    struct gg_unique *found = collate->unique_len
                                  ? bsearch(&wanted, collate->uniques, collate->unique_len,
                                            sizeof *collate->uniques, by_unique)
                                  : NULL;
    struct gg_entry *entry = found ? collate->entries.at[found->entry] : NULL;
    if (entry && count > 1 && !entry->is_leak)
        gg_collate_witness(collate, entry, run)->count += count - 1;
}

void gg_collate_run_done(struct gg_collate *collate)
{
    collate->unique_len = 0;
}

struct gg_note *gg_collate_note_of(struct gg_collate *collate, const char *kind, const char *where,
                                   const char *text)
{
    char *key = gg_arena_printf(&collate->keys, "%s\1%s\1%s", kind, where ? where : "", text);
    void **known = gg_map_put(&collate->by_note, key, strlen(key));
    if (!*known)
        *known = gg_arena_alloc(collate->arena, sizeof(struct gg_note));
    struct gg_note *note = *known;
    if (note->count == 0) {
        note->kind = gg_atom(collate->atoms, kind);
        note->where = where ? gg_atom(collate->atoms, where) : NULL;
        note->text = gg_arena_strdup(collate->arena, text);
        *gg_vec_push(collate->arena, &collate->notes) = note;
    }
    return note;
}

void gg_collate_note(struct gg_collate *collate, const char *kind, const char *where,
                     bool incomplete, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct gg_note *note = gg_collate_note_of(collate, kind, where, text);
    note->count++;
    note->incomplete = note->incomplete || incomplete;
}
