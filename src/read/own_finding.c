/* A finding of grindgate's own JSON as the error it was made from. */
#include "base/esc.h"
#include "model/recall.h"
#include "read/own.h"

#include <stdio.h>
#include <string.h>

/* --- frames and stacks ------------------------------------------------------------------ */

static void add_tagged(struct gg_buffer *blob, enum gg_frame_tag tag, const char *text)
{
    char byte = (char)tag;
    if (!text)
        return;
    gg_buffer_add(blob, &byte, 1);
    gg_buffer_text(blob, text);
}

/* The linker's name is left out where it is the name for people. */
static struct gg_frame *read_frame(struct gg_own *own, const json_t *frame, struct gg_buffer *blob)
{
    char line[16];
    const char *symbol = gg_own_text(own, frame, "symbol");
    uint32_t number = (uint32_t)gg_own_int(own, frame, "line", 0, UINT32_MAX, 0);
    blob->len = 0;
    add_tagged(blob, GG_FRAME_IP, gg_own_need_text(own, frame, "ip"));
    add_tagged(blob, GG_FRAME_OBJ, gg_own_text(own, frame, "object"));
    add_tagged(blob, GG_FRAME_FN, symbol ? symbol : gg_own_text(own, frame, "function"));
    add_tagged(blob, GG_FRAME_DIR, gg_own_text(own, frame, "dir"));
    add_tagged(blob, GG_FRAME_FILE, gg_own_text(own, frame, "file"));
    snprintf(line, sizeof line, "%lu", (unsigned long)number);
    add_tagged(blob, GG_FRAME_LINE, number ? line : NULL);
    return gg_frames_intern(gg_collate_frames(own->collate), blob->ptr, blob->len);
}

static enum gg_role read_role(struct gg_own *own, const json_t *stack)
{
    const char *name = gg_own_need_text(own, stack, "role");
    for (unsigned role = GG_ROLE_ERROR; role <= GG_ROLE_OTHER; role++) {
        if (strcmp(name, gg_role_name((enum gg_role)role)) == 0)
            return (enum gg_role)role;
    }
    if (!own->wrong)
        own->wrong = "role";
    return GG_ROLE_OTHER;
}

static void read_stack(struct gg_own *own, const json_t *from, struct gg_raw_stack *stack)
{
    const json_t *list = gg_own_list(own, from, "frames");
    const char *text = gg_own_text(own, from, "text");
    size_t len = json_array_size(list);
    if (!list && !own->wrong)
        own->wrong = "frames";
    struct gg_frame **frames = gg_arena_alloc(&own->scratch, len * sizeof *frames);
    struct gg_buffer blob = {0};
    for (size_t i = 0; i < len; i++)
        frames[i] = read_frame(own, json_array_get(list, i), &blob);
    gg_buffer_free(&blob);
    *stack = (struct gg_raw_stack){.role = read_role(own, from),
                                   .text = gg_str(text ? text : ""),
                                   .frames = frames,
                                   .len = len};
}

static void read_stacks(struct gg_own *own, const json_t *finding, struct gg_raw_error *error)
{
    const json_t *list = gg_own_list(own, finding, "stacks");
    size_t count = json_array_size(list);
    struct gg_raw_stack *stacks = gg_arena_alloc(&own->scratch, count * sizeof *stacks);
    if (!list && !own->wrong)
        own->wrong = "stacks";
    for (size_t i = 0; i < count; i++)
        read_stack(own, json_array_get(list, i), &stacks[i]);
    error->stacks = stacks;
    error->stack_count = count;
}

/* --- the other words of the error ------------------------------------------------------- */

static const struct gg_str *read_texts(struct gg_own *own, const json_t *object, const char *key,
                                       size_t *count)
{
    const json_t *list = gg_own_list(own, object, key);
    *count = json_array_size(list);
    struct gg_str *texts = gg_arena_alloc(&own->scratch, *count * sizeof *texts);
    for (size_t i = 0; i < *count; i++)
        texts[i] = gg_str(gg_own_item(own, list, i, key));
    return texts;
}

static void read_suppression(struct gg_own *own, const json_t *finding, struct gg_raw_error *error)
{
    const json_t *suppression = gg_own_object(own, finding, "suppression");
    if (!suppression)
        return;
    const char *extra = gg_own_text(own, suppression, "extra");
    error->supp_kind = gg_str(gg_own_need_text(own, suppression, "kind"));
    error->supp_extra = gg_str(extra ? extra : "");
    error->supp_frames = read_texts(own, suppression, "frames", &error->supp_frame_count);
}

/* --- who saw it ------------------------------------------------------------------------- */

/* An index that the report has no run for makes the witness one of no run: false. */
static bool run_of(struct gg_own *own, int64_t index, uint32_t *run)
{
    if (index < 0 || index >= own->run_count) {
        if (!own->wrong)
            own->wrong = "runs";
        return false;
    }
    *run = own->first_run + (uint32_t)index;
    return true;
}

/* Only a leak of a forked child can be its parent's. */
static void check_copy(struct gg_own *own, const struct gg_witness *witness, bool leak)
{
    bool can_be = leak && gg_collate_run_at(own->collate, witness->run)->forked;
    if (witness->copy && !can_be && !own->wrong)
        own->wrong = "copy";
}

static size_t read_witnesses(struct gg_own *own, const json_t *list, bool leak,
                             struct gg_witness *witnesses)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        struct gg_witness *witness = &witnesses[count];
        *witness = (struct gg_witness){.count = gg_own_count(own, from, "count"),
                                       .bytes = gg_own_count(own, from, "bytes"),
                                       .direct = gg_own_count(own, from, "direct"),
                                       .blocks = gg_own_count(own, from, "blocks"),
                                       .final = gg_own_bool(own, from, "final"),
                                       .copy = gg_own_bool(own, from, "copy")};
        if (!run_of(own, gg_own_int(own, from, "run", 0, UINT32_MAX, -1), &witness->run))
            continue;
        check_copy(own, witness, leak);
        count++;
    }
    return count;
}

/* A report that only has what is promised: the runs and the count of all together. */
static size_t guess_witnesses(struct gg_own *own, const json_t *finding, const json_t *runs,
                              struct gg_witness *witnesses)
{
    const json_t *leak = gg_own_object(own, finding, "leak");
    uint64_t left = gg_own_count(own, finding, "count");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *index = json_array_get(runs, i);
        struct gg_witness *witness = &witnesses[count];
        *witness = (struct gg_witness){.count = 1,
                                       .bytes = gg_own_count(own, leak, "bytes"),
                                       .direct = gg_own_count(own, leak, "bytes"),
                                       .blocks = gg_own_count(own, leak, "blocks"),
                                       .final = leak != NULL};
        count +=
            run_of(own, json_is_integer(index) ? json_integer_value(index) : -1, &witness->run);
    }
    if (count && left > count)
        witnesses[0].count += left - count;
    return count;
}

/* Nothing depends on it, so it cannot be wrong. */
static const char *said(struct gg_own *own, const json_t *finding, const char *key)
{
    const char *text = json_string_value(json_object_get(finding, key));
    return text ? gg_esc_json_undo(&own->scratch, text) : NULL;
}

static void recall(struct gg_own *own, const json_t *finding, const struct gg_raw_error *error)
{
    const json_t *list = gg_own_list(own, finding, "witnesses");
    const json_t *runs = gg_own_list(own, finding, "runs");
    size_t most = list ? json_array_size(list) : json_array_size(runs);
    struct gg_witness *witnesses = gg_arena_alloc(&own->scratch, most * sizeof *witnesses);
    size_t count = list ? read_witnesses(own, list, error->has_leak, witnesses)
                        : guess_witnesses(own, finding, runs, witnesses);
    struct gg_told told = {
        .by = own->name, .fate = said(own, finding, "fate"), .why = said(own, finding, "why")};
    own->open = own->open || (told.fate && strcmp(told.fate, gg_fate_name(GG_OPEN)) == 0);
    if (count)
        gg_recall_error(own->collate, error, witnesses, count, told.fate ? &told : NULL);
    else if (!own->wrong)
        own->wrong = "runs";
}

void gg_own_finding(struct gg_own *own, const json_t *finding)
{
    const char *kind = gg_own_need_text(own, finding, "kind");
    const char *message = gg_own_need_text(own, finding, "message");
    const char *thread = gg_own_text(own, finding, "thread");
    struct gg_raw_error error = {.kind = gg_str(kind[0] ? kind : "Unknown"),
                                 .message = gg_str(message),
                                 .thread = gg_str(thread ? thread : ""),
                                 .has_leak = gg_str_starts(gg_str(kind), "Leak_")};
    read_stacks(own, finding, &error);
    error.notes = read_texts(own, finding, "notes", &error.note_count);
    read_suppression(own, finding, &error);
    recall(own, finding, &error);
}
