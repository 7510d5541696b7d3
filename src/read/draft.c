#include "read/draft.h"

#include <stdlib.h>
#include <string.h>

/* A longer one is not looked for in the message: that would cost the product of both. */
#define PATH_LENGTH 4096u

void gg_draft_begin(struct gg_draft *draft)
{
    memset(draft->fields, 0, sizeof draft->fields);
    draft->text.len = 0;
    draft->aux = (struct gg_piece){0};
    draft->stack_count = draft->frame_count = draft->open_stack = 0;
    draft->own = GG_DRAFT_STACKS;
    draft->note_count = draft->sframe_count = draft->thread_count = 0;
    draft->has_unique = draft->has_bytes = false;
    draft->leaked_bytes = draft->leaked_blocks = 0;
    draft->cut = false;
}

void gg_draft_free(struct gg_draft *draft)
{
    gg_buffer_free(&draft->text);
    free(draft->frames);
    free(draft->sframes);
    *draft = (struct gg_draft){0};
}

static struct gg_piece keep(struct gg_draft *draft, const char *prefix, struct gg_str text)
{
    size_t more = strlen(prefix) + text.len;
    if (draft->text.len + more > GG_DRAFT_TEXT) {
        draft->cut = true;
        return (struct gg_piece){0};
    }
    struct gg_piece piece = {draft->text.len, more};
    gg_buffer_text(&draft->text, prefix);
    gg_buffer_add(&draft->text, text.ptr, text.len);
    return piece;
}

static struct gg_str str(const struct gg_draft *draft, struct gg_piece piece)
{
    return piece.len ? gg_str_n(draft->text.ptr + piece.at, piece.len) : gg_str("");
}

void gg_draft_set(struct gg_draft *draft, enum gg_draft_field field, struct gg_str text)
{
    if (draft->fields[field].len == 0)
        draft->fields[field] = keep(draft, "", gg_str_trim(text));
}

struct gg_str gg_draft_get(const struct gg_draft *draft, enum gg_draft_field field)
{
    return str(draft, draft->fields[field]);
}

static void add_note(struct gg_draft *draft, struct gg_piece note)
{
    if (note.len == 0)
        return;
    if (draft->note_count < GG_DRAFT_NOTES)
        draft->notes[draft->note_count++] = note;
    else
        draft->cut = true;
}

void gg_draft_aux(struct gg_draft *draft, struct gg_str text)
{
    add_note(draft, draft->aux);
    draft->aux = keep(draft, "", gg_str_trim(text));
}

void gg_draft_sframe(struct gg_draft *draft, const char *prefix, struct gg_str name)
{
    if (draft->sframe_count == GG_DRAFT_SFRAMES) {
        draft->cut = true;
        return;
    }
    if (draft->sframe_count == draft->sframe_cap) {
        draft->sframe_cap = draft->sframe_cap ? draft->sframe_cap * 2 : 64;
        draft->sframes = gg_realloc(draft->sframes, draft->sframe_cap * sizeof *draft->sframes);
    }
    draft->sframes[draft->sframe_count++] = keep(draft, prefix, name);
}

void gg_draft_thread(struct gg_draft *draft, uint64_t thread)
{
    for (size_t i = 0; i < draft->thread_count; i++) {
        if (draft->threads[i] == thread)
            return;
    }
    if (draft->thread_count < GG_DRAFT_THREADS)
        draft->threads[draft->thread_count++] = thread;
    else
        draft->cut = true;
}

void gg_draft_stack_begin(struct gg_draft *draft)
{
    draft->open_stack = draft->frame_count;
}

void gg_draft_frame(struct gg_draft *draft, struct gg_frame *frame)
{
    if (draft->frame_count == GG_DRAFT_FRAMES) {
        draft->cut = true;
        return;
    }
    if (draft->frame_count == draft->frame_cap) {
        draft->frame_cap = draft->frame_cap ? draft->frame_cap * 2 : 128;
        draft->frames = gg_realloc(draft->frames, draft->frame_cap * sizeof(*draft->frames));
    }
    draft->frames[draft->frame_count++] = frame;
}

static void push_stack(struct gg_draft *draft, enum gg_role role, struct gg_piece text)
{
    if (draft->stack_count == GG_DRAFT_STACKS) {
        draft->cut = true;
        return;
    }
    draft->stacks[draft->stack_count++] =
        (struct gg_draft_stack){.role = role,
                                .text = text,
                                .first = draft->open_stack,
                                .len = draft->frame_count - draft->open_stack};
    draft->open_stack = draft->frame_count;
}

enum gg_role gg_draft_role(struct gg_str text)
{
    if (gg_str_starts(text, "Uninitialised value was created"))
        return GG_ROLE_ORIGIN;
    if (gg_str_starts(text, "Block was alloc'd") || gg_str_ends(text, " alloc'd"))
        return GG_ROLE_ALLOCATED;
    /* "Address 0x0 is not stack'd, malloc'd or (recently) free'd" speaks of no block. */
    if (gg_str_ends(text, " free'd") && !gg_str_ends(text, "(recently) free'd"))
        return GG_ROLE_FREED;
    return GG_ROLE_OTHER;
}

void gg_draft_stack_end(struct gg_draft *draft)
{
    enum gg_role role = GG_ROLE_OTHER;
    struct gg_piece text = draft->aux;
    draft->aux = (struct gg_piece){0};
    if (text.len) {
        role = gg_draft_role(str(draft, text));
    } else if (draft->own == GG_DRAFT_STACKS) {
        /* valgrind 3.24 prints the own stack of FdBadUse behind the others. */
        role = GG_ROLE_ERROR;
        draft->own = draft->stack_count;
    }
    push_stack(draft, role, text);
}

void gg_draft_stack_end_as(struct gg_draft *draft, enum gg_role role, struct gg_str text)
{
    struct gg_piece piece = draft->aux.len ? draft->aux : keep(draft, "", text);
    draft->aux = (struct gg_piece){0};
    push_stack(draft, role, piece);
}

void gg_draft_stack(struct gg_draft *draft, struct gg_str text, struct gg_frame *const *frames,
                    size_t len)
{
    gg_draft_stack_begin(draft);
    for (size_t i = 0; i < len; i++)
        gg_draft_frame(draft, frames[i]);
    push_stack(draft, GG_ROLE_OTHER, keep(draft, "", text));
}

/* The number that ends here, a delta behind it left out: "1,024 (+24)" -> 1024. */
static bool number_before(struct gg_str text, uint64_t *value)
{
    text = gg_str_trim(text);
    if (gg_str_ends(text, ")")) {
        while (text.len && text.ptr[text.len - 1] != '(')
            text.len--;
        text = gg_str_trim(gg_str_n(text.ptr, text.len ? text.len - 1 : 0));
    }
    size_t start = text.len;
    while (start && (text.ptr[start - 1] == ',' ||
                     (text.ptr[start - 1] >= '0' && text.ptr[start - 1] <= '9')))
        start--;
    return gg_str_u64(gg_str_n(text.ptr + start, text.len - start), true, value);
}

uint64_t gg_draft_direct(struct gg_str text, uint64_t bytes)
{
    size_t at = gg_str_find(text, " direct,");
    uint64_t direct;
    return at != SIZE_MAX && number_before(gg_str_n(text.ptr, at), &direct) ? direct : bytes;
}

static void append(struct gg_draft *draft, const char *before, enum gg_draft_field field)
{
    struct gg_piece piece = draft->fields[field];
    if (piece.len == 0)
        return;
    gg_buffer_text(&draft->text, before);
    gg_buffer_room(&draft->text, piece.len);
    gg_buffer_add(&draft->text, draft->text.ptr + piece.at, piece.len);
}

void gg_draft_fatal(struct gg_draft *draft)
{
    gg_draft_set(draft, GG_DRAFT_KIND, gg_str("FatalSignal"));
    struct gg_piece sentence = {.at = draft->text.len};
    gg_buffer_text(&draft->text, "Killed by ");
    append(draft, "", GG_DRAFT_SIGNAME);
    append(draft, ": ", GG_DRAFT_EVENT);
    append(draft, " at address ", GG_DRAFT_SIADDR);
    sentence.len = draft->text.len - sentence.at;
    draft->fields[GG_DRAFT_WHAT] = sentence;
}

static bool contains(struct gg_str text, struct gg_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if (memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return true;
    }
    return false;
}

/* FdBadUse names the file in <path> only. */
static void note_path(struct gg_draft *draft)
{
    struct gg_str path = gg_draft_get(draft, GG_DRAFT_PATH);
    if (path.len == 0 ||
        (path.len <= PATH_LENGTH && contains(gg_draft_get(draft, GG_DRAFT_WHAT), path)))
        return;
    struct gg_piece note = {.at = draft->text.len};
    append(draft, "The file is ", GG_DRAFT_PATH);
    note.len = draft->text.len - note.at;
    add_note(draft, note);
}

/* <xwhat> and a <what> that adds to it: "... failed" "   with error code 16 (EBUSY ...)" */
static struct gg_str message(struct gg_draft *draft)
{
    struct gg_piece *first = &draft->fields[GG_DRAFT_XWHAT],
                    *second = &draft->fields[GG_DRAFT_WHAT];
    if (first->len == 0 || second->len == 0)
        return str(draft, first->len ? *first : *second);
    struct gg_piece both = {.at = draft->text.len};
    append(draft, "", GG_DRAFT_XWHAT);
    append(draft, ": ", GG_DRAFT_WHAT);
    both.len = draft->text.len - both.at;
    return str(draft, both);
}

static void fill_stacks(const struct gg_draft *draft, struct gg_raw_stack *stacks)
{
    size_t at = 0;
    bool has_own = draft->own < draft->stack_count;
    for (size_t i = 0; i < draft->stack_count; i++) {
        /* The own one first, the others in order behind it. */
        size_t from = !has_own ? i : i == 0 ? draft->own : i <= draft->own ? i - 1 : i;
        const struct gg_draft_stack *stack = &draft->stacks[from];
        stacks[at++] = (struct gg_raw_stack){.role = stack->role,
                                             .text = str(draft, stack->text),
                                             .frames = draft->frames + stack->first,
                                             .len = stack->len};
    }
}

static void fill_leak(const struct gg_draft *draft, struct gg_raw_error *error, bool final)
{
    error->has_leak = gg_str_starts(error->kind, "Leak_");
    if (!error->has_leak)
        return;
    uint64_t bytes = draft->leaked_bytes;
    if (!draft->has_bytes) {
        size_t end = gg_str_find(error->message, " bytes in ");
        struct gg_str head = gg_str_n(error->message.ptr, end == SIZE_MAX ? 0 : end);
        number_before(head, &bytes);
    }
    error->leak = (struct gg_raw_leak){.bytes = bytes,
                                       .direct = gg_draft_direct(error->message, bytes),
                                       .blocks = draft->leaked_blocks,
                                       .final = final};
}

void gg_draft_deliver(struct gg_draft *draft, struct gg_collate *collate, uint32_t run, bool final)
{
    add_note(draft, draft->aux);
    draft->aux = (struct gg_piece){0};
    note_path(draft);
    struct gg_raw_error error = {.message = message(draft)};
    struct gg_raw_stack stacks[GG_DRAFT_STACKS];
    struct gg_str notes[GG_DRAFT_NOTES + 1];
    struct gg_str sframes[GG_DRAFT_SFRAMES];
    error.kind = str(draft, draft->fields[GG_DRAFT_KIND]);
    error.thread = str(draft, draft->fields[GG_DRAFT_THREAD]);
    error.has_unique = draft->has_unique;
    error.unique = draft->unique;
    fill_leak(draft, &error, final);
    fill_stacks(draft, stacks);
    error.stacks = stacks;
    error.stack_count = draft->stack_count;
    for (size_t i = 0; i < draft->note_count; i++)
        notes[i] = str(draft, draft->notes[i]);
    error.notes = notes;
    error.note_count = draft->note_count;
    error.supp_kind = str(draft, draft->fields[GG_DRAFT_SKIND]);
    error.supp_extra = str(draft, draft->fields[GG_DRAFT_SKAUX]);
    for (size_t i = 0; i < draft->sframe_count; i++)
        sframes[i] = str(draft, draft->sframes[i]);
    error.supp_frames = sframes;
    error.supp_frame_count = draft->sframe_count;
    gg_collate_error(collate, run, &error);
}
