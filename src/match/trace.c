#include "match/trace.h"
#include "base/esc.h"
#include "base/fs.h"
#include "match/supp.h"

#include <stdlib.h>
#include <string.h>

struct gg_trace_options gg_trace_options(const struct gg_run *run)
{
    /* Without any option known (another tool's report) nothing is cut. */
    bool known = run->options && run->options[0];
    struct gg_trace_options options = {.callers = known ? GG_CALLERS_DEFAULT : GG_CALLERS_MAX};
    for (const char *const *at = run->options; at && *at; at++) {
        struct gg_str name, value;
        uint64_t number;
        gg_str_cut(gg_str(*at), '=', &name, &value);
        if (gg_str_is(name, "--num-callers") && gg_str_u64(value, false, &number) && number)
            options.callers = number < GG_CALLERS_MAX ? (unsigned)number : GG_CALLERS_MAX;
        else if (gg_str_is(name, "--show-below-main"))
            options.shows_below_main = gg_str_is(value, "yes");
    }
    return options;
}

/* libc.so.6, libc-2.31.so */
static bool is_libc(const char *object)
{
    const char *base = object ? gg_fs_basename(object) : "";
    return strcmp(base, "libc.so.6") == 0 || strncmp(base, "libc-2.", 7) == 0;
}

const char *gg_trace_libc(const struct gg_report *report)
{
    for (size_t f = 0; f < report->finding_count; f++) {
        const struct gg_finding *finding = &report->findings[f];
        for (size_t s = 0; s < finding->stack_count; s++) {
            for (size_t i = 0; i < finding->stacks[s].len; i++) {
                if (is_libc(finding->stacks[s].frames[i]->object))
                    return finding->stacks[s].frames[i]->object;
            }
        }
    }
    return "/usr/lib/x86_64-linux-gnu/libc.so.6";
}

static const struct gg_stack *own_stack(const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (finding->stacks[i].role == GG_ROLE_ERROR)
            return &finding->stacks[i];
    }
    return NULL;
}

static struct gg_str name_of(struct gg_trace *trace, const char *text)
{
    return text ? gg_str(gg_esc_undo(&trace->scratch, text)) : gg_str("???");
}

/* "fun:_ZN1A1fEv" -> "_ZN1A1fEv"; valgrind writes "obj:..." for a frame without a function. */
static const char *suppression_name(const char *text)
{
    return strncmp(text, "fun:", 4) == 0 ? text + 4 : NULL;
}

static void add_stack(struct gg_trace *trace, const struct gg_finding *finding,
                      const struct gg_stack *stack)
{
    bool generated = finding->supp_frames && finding->supp_frame_count == stack->len;
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        const char *symbol = generated ? suppression_name(finding->supp_frames[i]) : frame->symbol;
        trace->frames[trace->count++] = (struct gg_trace_frame){
            .function = name_of(trace, symbol), .object = name_of(trace, frame->object)};
    }
}

/* Frames of one address stand together; the same frame again is a recursive call's. */
static void add_sources(struct gg_trace *trace, const struct gg_stack *stack)
{
    const struct gg_frame *first = NULL;
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (first && frame != first && frame->ip == first->ip)
            continue;
        first = frame;
        trace->sources[trace->source_count++] = (struct gg_trace_source){
            .file = frame->file ? name_of(trace, frame->file) : (struct gg_str){0},
            .line = frame->line};
    }
}

/* What calls main. glibc before 2.34 (libc-2.31.so) has one function less, and both of its are
 * among those that valgrind calls "(below main)". */
static void add_below_main(struct gg_trace *trace, struct gg_trace_options options,
                           const char *libc)
{
    bool old = strncmp(gg_fs_basename(libc), "libc-2.", 7) == 0;
    if (options.shows_below_main || !gg_str_is(trace->frames[trace->count - 1].function, "main"))
        return;
    struct gg_str program = trace->frames[trace->count - 1].object;
    struct gg_trace_frame below[3];
    size_t count = 0;
    below[count++] = (struct gg_trace_frame){gg_str("(below main)"), gg_str(libc), false};
    if (!old)
        below[count++] =
            (struct gg_trace_frame){gg_str("__libc_start_main@@GLIBC_2.34"), gg_str(libc), false};
    below[count++] = (struct gg_trace_frame){gg_str("(below main)"), program, false};
    for (size_t i = 0; i < count && trace->source_count + i < options.callers; i++)
        trace->frames[trace->count++] = below[i];
}

/* The functions that valgrind renames unless it is told to show what is below main. */
static bool is_start(struct gg_str name)
{
    return gg_str_is(name, "_start") || gg_str_is(name, "__libc_start_main") ||
           gg_str_is(name, "__libc_start_call_main") || gg_str_is(name, "generic_start_main") ||
           gg_str_starts(name, "__libc_start_main.") || gg_str_starts(name, "generic_start_main.");
}

static void make_room(struct gg_trace *trace, size_t count)
{
    if (count <= trace->room)
        return;
    trace->room = count * 2;
    trace->frames = gg_realloc(trace->frames, trace->room * sizeof *trace->frames);
    trace->sources = gg_realloc(trace->sources, trace->room * sizeof *trace->sources);
}

void gg_trace_set(struct gg_trace *trace, const struct gg_finding *finding,
                  struct gg_trace_options options, const char *libc)
{
    const struct gg_stack *stack = own_stack(finding);
    gg_arena_free(&trace->scratch);
    trace->count = trace->source_count = 0;
    if (!stack || stack->len == 0)
        return;
    make_room(trace, stack->len + 3);
    add_stack(trace, finding, stack);
    add_sources(trace, stack);
    add_below_main(trace, options, libc);
    for (size_t i = 0; options.shows_below_main && i < trace->count; i++)
        trace->frames[i].start = is_start(trace->frames[i].function);
}

void gg_trace_free(struct gg_trace *trace)
{
    gg_arena_free(&trace->scratch);
    free(trace->frames);
    free(trace->sources);
    *trace = (struct gg_trace){0};
}
