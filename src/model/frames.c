#include "model/frames.h"
#include "base/str.h"
#include "model/demangle.h"

#include <string.h>

void gg_frames_init(struct gg_frames *frames, struct gg_arena *arena, struct gg_atoms *atoms)
{
    *frames = (struct gg_frames){.arena = arena, .atoms = atoms};
    gg_arena_init(&frames->keys);
}

void gg_frames_close(struct gg_frames *frames)
{
    gg_arena_free(&frames->keys);
    gg_map_free(&frames->by_blob);
    gg_map_free(&frames->by_place);
    gg_map_free(&frames->demangled);
}

static const char *function_of(struct gg_frames *frames, const char *symbol)
{
    void **known = gg_map_put(&frames->demangled, symbol, strlen(symbol));
    if (!*known)
        *known = (void *)gg_atom(frames->atoms, gg_demangle(frames->arena, symbol));
    return *known;
}

static void set_field(struct gg_frames *frames, struct gg_frame *frame, int tag, struct gg_str text)
{
    uint64_t number = 0;
    switch (tag) {
    case GG_FRAME_IP:
        gg_str_hex(text, &frame->ip);
        break;
    case GG_FRAME_OBJ:
        frame->object = gg_atom_n(frames->atoms, text.ptr, text.len);
        break;
    case GG_FRAME_FN:
        frame->symbol = gg_atom_n(frames->atoms, text.ptr, text.len);
        frame->function = function_of(frames, frame->symbol);
        break;
    case GG_FRAME_DIR:
        frame->dir = gg_atom_n(frames->atoms, text.ptr, text.len);
        break;
    case GG_FRAME_FILE:
        frame->file = gg_atom_n(frames->atoms, text.ptr, text.len);
        break;
    case GG_FRAME_LINE:
        if (gg_str_u64(text, false, &number) && number <= UINT32_MAX)
            frame->line = (uint32_t)number;
        break;
    default:
        break;
    }
}

static bool is_tag(char c)
{
    return c >= GG_FRAME_IP && c <= GG_FRAME_LINE;
}

/* "\1" "0x10A3B3" "\2" "/obj" ... */
static void parse(struct gg_frames *frames, struct gg_frame *frame, struct gg_str blob)
{
    size_t at = 0;
    while (at < blob.len) {
        int tag = blob.ptr[at++];
        size_t start = at;
        while (at < blob.len && !is_tag(blob.ptr[at]))
            at++;
        set_field(frames, frame, tag, gg_str_n(blob.ptr + start, at - start));
    }
}

/* What tells one place from another when addresses do not count: the source line and its object (a
 * suppression may name one program of several); failing that the symbol in its object; failing that
 * (stripped, generated code) the address after all. Atoms, so comparing the bytes of the key
 * compares the texts. */
struct place {
    const char *symbol, *object, *dir, *file;
    uint64_t number;
};

static struct place place_key(const struct gg_frame *frame)
{
    if (frame->file)
        return (struct place){frame->symbol, frame->object, frame->dir, frame->file, frame->line};
    if (frame->symbol)
        return (struct place){frame->symbol, frame->object, NULL, NULL, 0};
    return (struct place){NULL, frame->object, NULL, NULL, frame->ip};
}

static uint32_t place_of(struct gg_frames *frames, const struct gg_frame *frame)
{
    struct place key = place_key(frame);
    void **known = gg_map_find(&frames->by_place, &key, sizeof key);
    if (known)
        return (uint32_t)(uintptr_t)*known;
    struct place *kept = gg_arena_alloc(&frames->keys, sizeof *kept);
    *kept = key;
    void **place = gg_map_put(&frames->by_place, kept, sizeof *kept);
    *place = (void *)(uintptr_t)frames->by_place.count;
    return (uint32_t)(uintptr_t)*place;
}

struct gg_frame *gg_frames_intern(struct gg_frames *frames, const char *blob, size_t len)
{
    void **known = gg_map_find(&frames->by_blob, blob, len);
    if (known)
        return *known;
    char *key = gg_arena_strndup(&frames->keys, blob, len);
    struct gg_frame *frame = gg_arena_alloc(frames->arena, sizeof *frame);
    parse(frames, frame, gg_str_n(key, len));
    frame->id = (uint32_t)frames->all.len;
    frame->place = place_of(frames, frame);
    *gg_vec_push(frames->arena, &frames->all) = frame;
    *gg_map_put(&frames->by_blob, key, len) = frame;
    return frame;
}
