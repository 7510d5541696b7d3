#include "match/block.h"
#include "base/esc.h"
#include "match/common.h"
#include "match/spelling.h"
#include "model/fingerprint.h"

#include <stdlib.h>
#include <string.h>

/* Frames of a block at most: more lines than valgrind's manual once allowed, and than anybody
 * reads. */
enum { LINES_MAX = 24, NAME_MOST = 80, COMMENTS_MAX = 3 };

struct writing {
    struct gg_arena *arena;
    const struct gg_trace_setting *setting;
    struct gg_trace *trace;
};

/* --- frames ----------------------------------------------------------------------------- */

/* Down to main: what calls it is not shown. */
static size_t usable_frames(const struct gg_trace *trace, const struct gg_finding *finding)
{
    const struct gg_stack *stack = gg_trace_stack(finding);
    for (size_t i = 0; i < trace->shown; i++) {
        if (gg_fingerprint_below_main(stack->frames[i]))
            return i;
        if (gg_str_is(trace->frames[i].names[GG_PLACE_SYMBOL], "main"))
            return i + 1;
    }
    return trace->shown;
}

static bool is_readable(const struct gg_trace *trace, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (trace->frames[i].readable)
            return true;
    }
    return false;
}

/* Puts one with the linker's names in front: a block is made of those. NULL, or why none can be. */
static const char *why_unusable(const struct writing *w, struct gg_block *block)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < block->wanted.len; i++) {
        gg_trace_set(w->trace, block->wanted.at[i], w->setting);
        size_t count = usable_frames(w->trace, block->wanted.at[i]);
        if (count == 0)
            return "it has no stack that a suppression could name";
        if (is_readable(w->trace, count))
            block->guesses = true;
        else if (first == SIZE_MAX)
            first = i;
    }
    if (first == SIZE_MAX)
        return "the report has demangled names only, and valgrind compares the linker's: make "
               "it again with --demangle=no or --gen-suppressions=all";
    const struct gg_finding *finding = block->wanted.at[first];
    block->wanted.at[first] = block->wanted.at[0];
    block->wanted.at[0] = finding;
    return NULL;
}

/* The lines that valgrind reads: it keeps as many of a block as it has callers. */
static size_t lines_at_most(const struct gg_trace_setting *setting, const struct gg_block *block)
{
    size_t most = LINES_MAX;
    for (size_t i = 0; i < block->wanted.len; i++) {
        const struct gg_finding *finding = block->wanted.at[i];
        for (size_t w = 0; w < finding->witness_count; w++) {
            uint32_t run = finding->witnesses[w].run;
            if (run < setting->run_count && setting->runs[run].callers < most)
                most = setting->runs[run].callers;
        }
    }
    return most;
}

/* What valgrind itself runs, and main, stand in nearly every stack. */
static void mark_telling(gg_shared_list *common, const struct gg_trace *trace,
                         const struct gg_finding *finding)
{
    const struct gg_stack *stack = gg_trace_stack(finding);
    for (size_t i = 0; i < common->len; i++) {
        size_t at = common->at[i].first;
        common->at[i].telling = stack->frames[at]->zone != GG_ZONE_TOOL &&
                                !gg_str_is(trace->frames[at].names[GG_PLACE_SYMBOL], "main");
    }
}

static bool is_main(const struct gg_shared *shared)
{
    return shared->functions.len && gg_str_is(shared->functions.at[0], "main");
}

/* Of frames that nearly every stack has even all together, down to main, are a place. */
static const char *why_vague(const gg_shared_list *common)
{
    if (common->len == 0)
        return "their stacks have no frame in common";
    bool whole = is_main(&common->at[common->len - 1]);
    for (size_t i = 0; i < common->len; i++) {
        if (common->at[i].telling)
            return NULL;
        whole = whole && !common->at[i].gap;
    }
    return whole ? NULL
                 : "their stacks have no frame in common but those that nearly every stack has";
}

static bool share(const struct writing *w, struct gg_block *block, gg_shared_list *common)
{
    block->why = why_unusable(w, block);
    for (size_t i = 0; i < block->wanted.len && !block->why; i++) {
        gg_trace_set(w->trace, block->wanted.at[i], w->setting);
        size_t count = usable_frames(w->trace, block->wanted.at[i]);
        *common = i == 0 ? gg_common_begin(w->arena, w->trace, count)
                         : gg_common_with(w->arena, common, w->trace, count);
        if (i == 0)
            mark_telling(common, w->trace, block->wanted.at[0]);
    }
    if (block->why)
        return false;
    block->why = why_vague(common);
    /* That it comes from main at last says nothing. */
    while (common->len > 1 && common->at[common->len - 1].gap &&
           is_main(&common->at[common->len - 1]))
        common->len--;
    return !block->why;
}

/* The function for people whose symbol this is in the finding's stack; else the symbol. */
static const char *readable_name(struct gg_arena *arena, const struct gg_finding *finding,
                                 const struct gg_shared *shared)
{
    const struct gg_stack *stack = gg_trace_stack(finding);
    const struct gg_frame *frame = stack->frames[shared->first];
    for (size_t i = shared->first; i <= shared->last && i < stack->len; i++) {
        const char *symbol = stack->frames[i]->symbol;
        if (symbol && shared->functions.len && gg_str_is(shared->functions.at[0], symbol))
            frame = stack->frames[i];
    }
    if (shared->functions.len && frame->function)
        return frame->function;
    return shared->functions.len
               ? gg_spelling_function(arena, shared->functions.at, shared->functions.len)
               : gg_spelling_object(arena, shared->objects.at, shared->objects.len);
}

static bool same_site(const struct gg_block *block)
{
    const struct gg_finding *first = block->wanted.at[0];
    for (size_t i = 0; i < block->wanted.len; i++) {
        const struct gg_finding *finding = block->wanted.at[i];
        if (!finding->has_site || finding->site.via != GG_VIA_ERROR || !finding->site.function ||
            strcmp(finding->site.function, first->site.function) != 0)
            return false;
    }
    return true;
}

/* Whose it is: the function of the line that all are laid to, else the innermost that they share
 * and that not every stack has. */
static const char *owner_of(struct gg_arena *arena, const struct gg_block *block,
                            const gg_shared_list *common)
{
    const struct gg_finding *finding = block->wanted.at[0];
    if (same_site(block))
        return finding->site.function;
    size_t at = 0;
    for (size_t i = common->len; i-- > 0;) {
        if (common->at[i].telling)
            at = i;
    }
    return readable_name(arena, finding, &common->at[at]);
}

/* Of the frames that they share the innermost of another function: NULL when there is none but
 * those that nearly every stack has. That a leak was allocated tells nothing of it. */
static const char *beside_owner(struct gg_arena *arena, const struct gg_block *block,
                                const gg_shared_list *common, const char *owner)
{
    for (size_t i = 0; i < common->len; i++) {
        const struct gg_shared *shared = &common->at[i];
        bool tells = shared->telling || (!block->wanted.at[0]->is_leak && !is_main(shared));
        const char *name = tells ? readable_name(arena, block->wanted.at[0], shared) : NULL;
        if (name && strcmp(name, owner) != 0)
            return name;
    }
    return NULL;
}

/* Before the first frame that is shared: when it is the same number of frames in each stack, that
 * many of any name; else "...". */
static size_t gap_lines(const struct gg_shared *shared, bool first)
{
    if (!shared->gap)
        return 0;
    return first && shared->first == shared->last ? shared->first : 1;
}

static void put_gap(struct gg_out *out, const struct gg_shared *shared, bool first)
{
    bool counted = first && shared->first == shared->last;
    for (size_t i = gap_lines(shared, first); i; i--)
        gg_out_text(out, counted ? "   obj:*\n" : "   ...\n");
}

static void put_shared(struct gg_arena *arena, struct gg_out *out, const struct gg_shared *shared)
{
    if (shared->functions.len)
        gg_out_printf(out, "   fun:%s\n",
                      gg_spelling_function(arena, shared->functions.at, shared->functions.len));
    else
        gg_out_printf(out, "   obj:%s\n",
                      gg_spelling_object(arena, shared->objects.at, shared->objects.len));
}

static void put_frames(const struct writing *w, struct gg_out *out, struct gg_block *block,
                       const gg_shared_list *common)
{
    size_t lines = 0, most = lines_at_most(w->setting, block);
    for (size_t i = 0; i < common->len; i++) {
        size_t gap = gap_lines(&common->at[i], i == 0);
        if (lines + gap + 1 > most)
            break;
        put_gap(out, &common->at[i], i == 0);
        put_shared(w->arena, out, &common->at[i]);
        lines += gap + 1;
    }
    if (lines == 0)
        block->why = "the frames that they share lie deeper than valgrind keeps lines "
                     "(--num-callers)";
}

/* --- blocks ----------------------------------------------------------------------------- */

static void put_leaks(struct gg_out *out, unsigned leaks)
{
    static const char *const names[] = {"definite", "indirect", "possible", "reachable"};
    const char *between = "   match-leak-kinds: ";
    for (unsigned i = 0; i < 4; i++) {
        if (!(leaks & 1u << i))
            continue;
        gg_out_printf(out, "%s%s", between, names[i]);
        between = ",";
    }
    gg_out_char(out, '\n');
}

static void put_extra(struct gg_out *out, const struct gg_block *block)
{
    const struct gg_supp_subject *subject = &block->subject;
    switch (block->kind->extra) {
    case GG_EXTRA_LEAK:
        put_leaks(out, subject->leak);
        break;
    case GG_EXTRA_PARAM:
        gg_out_printf(out, "   %.*s\n", (int)subject->param.len, subject->param.ptr);
        break;
    case GG_EXTRA_FISHY:
        gg_out_printf(out, "   %.*s(%.*s)\n", (int)subject->function.len, subject->function.ptr,
                      (int)subject->argument.len, subject->argument.ptr);
        break;
    default:
        break;
    }
}

static void put_visible(struct gg_out *out, const char *text)
{
    struct gg_str piece = gg_str(text);
    if (piece.len > NAME_MOST)
        piece.len = NAME_MOST;
    gg_esc_terminal(out, piece);
}

static const char *take(struct gg_arena *arena, struct gg_out *out)
{
    size_t len;
    char *text = gg_out_take(out, &len);
    const char *copy = gg_arena_strndup(arena, text, len);
    free(text);
    return copy;
}

/* "OWNER KIND", "OWNER KIND (BESIDE)" */
static const char *name_of(struct gg_arena *arena, const struct gg_block *block, const char *owner,
                           const char *beside)
{
    struct gg_out *out = gg_out_memory();
    put_visible(out, owner);
    gg_out_printf(out, " %s", block->kind->name);
    if (beside) {
        gg_out_text(out, " (");
        put_visible(out, beside);
        gg_out_char(out, ')');
    }
    return take(arena, out);
}

static void name_block(struct gg_arena *arena, struct gg_block *block, const gg_shared_list *common)
{
    const char *owner = owner_of(arena, block, common);
    const char *beside = beside_owner(arena, block, common, owner);
    block->name = name_of(arena, block, owner, NULL);
    block->longer_name = beside ? name_of(arena, block, owner, beside) : block->name;
}

void gg_block_write(struct gg_arena *arena, const struct gg_trace_setting *setting,
                    struct gg_trace *trace, struct gg_block *block)
{
    struct writing w = {arena, setting, trace};
    gg_shared_list common = {0};
    if (!block->kind)
        block->why = "valgrind has no suppressions for errors of this kind";
    if (block->why || !share(&w, block, &common))
        return;
    struct gg_out *out = gg_out_memory();
    gg_out_printf(out, "   %s:%s\n", gg_supp_tool_name(block->kind->tool), block->kind->name);
    put_extra(out, block);
    name_block(arena, block, &common);
    put_frames(&w, out, block, &common);
    const char *body = take(arena, out);
    block->body = block->why ? NULL : body;
}

const char *gg_block_text(struct gg_arena *arena, const struct gg_block *block)
{
    return gg_arena_printf(arena, "{\n   %s\n%s}\n", block->name, block->body);
}

const char *gg_block_comment(struct gg_arena *arena, const struct gg_block *block)
{
    struct gg_out *out = gg_out_memory();
    for (size_t i = 0; i < block->wanted.len && i < COMMENTS_MAX; i++) {
        gg_out_printf(out, "# %s: ", block->wanted.at[i]->id);
        gg_esc_terminal(out, gg_str(block->wanted.at[i]->message));
        gg_out_char(out, '\n');
    }
    if (block->wanted.len > COMMENTS_MAX)
        gg_out_printf(out, "# and %zu more\n", block->wanted.len - COMMENTS_MAX);
    if (block->guesses)
        gg_out_text(out, "# not all reports have the linker's names: those of the others are "
                         "guessed to fit\n");
    return take(arena, out);
}
