#include "match/trace.h"
#include "base/esc.h"
#include "base/fs.h"
#include "match/readable.h"
#include "match/supp.h"

#include <stdlib.h>
#include <string.h>

/* The program's beginning was not called, but valgrind goes on: what stands on the stack there it
 * takes for return addresses, until one would be 0. On x86-64 these are two words, then the number
 * of arguments less one and, unless that is 0, where they are. */
static unsigned strays_of(const struct gg_run *run)
{
    unsigned arguments = 0; /* the program's name is one */
    while (run->command && run->command[arguments] && arguments < GG_CALLERS_MAX)
        arguments++;
    return arguments < 2 ? arguments * 2 : arguments + 3;
}

struct gg_trace_options gg_trace_options(const struct gg_run *run)
{
    /* Without any option known (another tool's report) nothing is cut. */
    bool known = run->options && run->options[0];
    struct gg_trace_options options = {.callers = known ? GG_CALLERS_DEFAULT : GG_CALLERS_MAX,
                                       .mangled = run->mangled,
                                       .strays = strays_of(run)};
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
    /* Few objects are in all frames: those that were just looked at need no second look. */
    const char *others[64] = {NULL};
    for (size_t f = 0; f < report->finding_count; f++) {
        const struct gg_finding *finding = &report->findings[f];
        for (size_t s = 0; s < finding->stack_count; s++) {
            for (size_t i = 0; i < finding->stacks[s].len; i++) {
                const char *object = finding->stacks[s].frames[i]->object;
                const char **other = &others[(uintptr_t)object / 16 % 64];
                if (object == *other)
                    continue;
                if (is_libc(object))
                    return object;
                *other = object;
            }
        }
    }
    return "/usr/lib/x86_64-linux-gnu/libc.so.6";
}

static bool is_main(const struct gg_frame *frame)
{
    return frame->symbol && strcmp(frame->symbol, "main") == 0 && frame->object;
}

const char *gg_trace_program(const struct gg_report *report)
{
    for (size_t f = 0; f < report->finding_count; f++) {
        const struct gg_finding *finding = &report->findings[f];
        for (size_t s = 0; s < finding->stack_count; s++) {
            size_t len = finding->stacks[s].len;
            if (len && is_main(finding->stacks[s].frames[len - 1]))
                return finding->stacks[s].frames[len - 1]->object;
        }
    }
    return "???";
}

struct gg_trace_setting gg_trace_setting(struct gg_arena *arena, const struct gg_report *report)
{
    struct gg_trace_setting setting = {.run_count = report->run_count,
                                       .libc = gg_trace_libc(report),
                                       .program = gg_trace_program(report)};
    setting.runs = gg_arena_alloc(arena, report->run_count * sizeof *setting.runs);
    for (size_t i = 0; i < report->run_count; i++)
        setting.runs[i] = gg_trace_options(&report->runs[i]);
    return setting;
}

struct gg_trace_options gg_trace_options_of(const struct gg_trace_setting *setting,
                                            const struct gg_finding *finding)
{
    struct gg_trace_options options = {.callers = finding->witness_count ? 0 : GG_CALLERS_MAX,
                                       .mangled = finding->witness_count > 0};
    for (size_t i = 0; i < finding->witness_count; i++) {
        uint32_t at = finding->witnesses[i].run;
        if (at >= setting->run_count)
            continue;
        const struct gg_trace_options *run = &setting->runs[at];
        if (run->callers > options.callers)
            options.callers = run->callers;
        options.shows_below_main = options.shows_below_main || run->shows_below_main;
        options.mangled = options.mangled && run->mangled;
        if (run->strays > options.strays)
            options.strays = run->strays;
    }
    return options;
}

const struct gg_stack *gg_trace_stack(const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (finding->stacks[i].role == GG_ROLE_ERROR)
            return &finding->stacks[i];
    }
    return NULL;
}

/* "fun:_ZN1A1fEv" -> "_ZN1A1fEv"; valgrind writes "obj:..." for a frame without a function. */
bool gg_trace_generated(const struct gg_finding *finding, const struct gg_stack *stack, size_t i,
                        const char **symbol)
{
    if (!finding->supp_frames || finding->supp_frame_count != stack->len)
        return false;
    const char *text = finding->supp_frames[i];
    *symbol = strncmp(text, "fun:", 4) == 0 ? text + 4 : NULL;
    return true;
}

static struct gg_str name_of(struct gg_arena *arena, const char *text)
{
    return text ? gg_str(gg_esc_undo(arena, text)) : gg_str("???");
}

static struct gg_str shown(const char *text)
{
    return gg_str(text ? text : "");
}

/* With its directory, where the report has that. */
static struct gg_str file_of(struct gg_arena *arena, const struct gg_frame *frame)
{
    if (!frame->file || !frame->dir || frame->file[0] == '/')
        return shown(frame->file);
    return gg_str(gg_arena_printf(arena, "%s/%s", frame->dir, frame->file));
}

static enum gg_trace_bottom bottom_of(struct gg_str name, const char *object)
{
    if (gg_str_is(name, "main"))
        return GG_BOTTOM_MAIN;
    if (!gg_str_is(name, "(below main)"))
        return GG_BOTTOM_NONE;
    return is_libc(object) ? GG_BOTTOM_CALLER : GG_BOTTOM_START;
}

struct gg_trace_frame gg_trace_frame_of(struct gg_arena *arena, const struct gg_frame *frame,
                                        const char *symbol)
{
    struct gg_trace_frame result = {
        .names = {[GG_PLACE_SYMBOL] = name_of(arena, symbol),
                  [GG_PLACE_OBJECT] = name_of(arena, frame->object),
                  [GG_PLACE_FUNCTION] = shown(frame->function),
                  [GG_PLACE_FILE] = file_of(arena, frame),
                  [GG_PLACE_PATH] = shown(frame->path)},
    };
    struct gg_str name = result.names[GG_PLACE_SYMBOL];
    /* A mangled one is not what people read. */
    bool same = symbol && (!frame->function || strcmp(symbol, frame->function) == 0);
    result.readable = same && gg_readable_looks(name);
    result.bottom = bottom_of(name, frame->object);
    return result;
}

static void add_stack(struct gg_trace *trace, const struct gg_finding *finding,
                      const struct gg_stack *stack, struct gg_trace_options options)
{
    for (size_t i = 0; i < stack->len; i++) {
        const char *symbol = stack->frames[i]->symbol;
        bool generated = gg_trace_generated(finding, stack, i, &symbol);
        struct gg_trace_frame *frame = &trace->frames[trace->count++];
        *frame = gg_trace_frame_of(&trace->scratch, stack->frames[i], symbol);
        frame->readable = frame->readable && !generated && !options.mangled;
        trace->readable = trace->readable || frame->readable;
    }
    trace->shown = trace->count;
}

struct gg_str gg_trace_source(struct gg_arena *arena, const struct gg_frame *frame)
{
    return frame->file ? name_of(arena, frame->file) : (struct gg_str){0};
}

bool gg_trace_begins_address(const struct gg_frame *first, const struct gg_frame *frame)
{
    return !first || frame == first || frame->ip != first->ip;
}

/* Each address shows its innermost frame's source. The result is how many addresses there are. */
static size_t add_sources(struct gg_trace *trace, const struct gg_stack *stack)
{
    const struct gg_frame *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < stack->len; i++) {
        if (!gg_trace_begins_address(first, stack->frames[i]))
            continue;
        first = stack->frames[i];
        /* valgrind takes the position among the frames for one among the addresses. */
        struct gg_trace_frame *compared = &trace->frames[count++];
        compared->names[GG_PLACE_SOURCE] = gg_trace_source(&trace->scratch, first);
        compared->line = first->line;
    }
    return count;
}

void gg_trace_below_main(struct gg_str program, const char *libc,
                         struct gg_trace_frame below[GG_TRACE_BELOW_MAX], size_t *count)
{
    /* glibc before 2.34 (libc-2.31.so) has one function less, and both of its are among those that
     * valgrind calls "(below main)". */
    bool old = strncmp(gg_fs_basename(libc), "libc-2.", 7) == 0;
    struct gg_str name = gg_str("(below main)"), between = gg_str("__libc_start_main@@GLIBC_2.34");
    *count = 0;
    below[(*count)++] = (struct gg_trace_frame){
        .names = {[GG_PLACE_SYMBOL] = name, [GG_PLACE_OBJECT] = gg_str(libc)}};
    if (!old)
        below[(*count)++] = (struct gg_trace_frame){
            .names = {[GG_PLACE_SYMBOL] = between, [GG_PLACE_OBJECT] = gg_str(libc)}};
    below[(*count)++] =
        (struct gg_trace_frame){.names = {[GG_PLACE_SYMBOL] = name, [GG_PLACE_OBJECT] = program}};
}

size_t gg_trace_shown_below(enum gg_trace_bottom bottom)
{
    return bottom == GG_BOTTOM_START ? GG_TRACE_BELOW_MAX : bottom == GG_BOTTOM_CALLER;
}

static void add_below_main(struct gg_trace *trace, struct gg_trace_options options,
                           const struct gg_trace_setting *setting, size_t addresses)
{
    const struct gg_trace_frame *last = &trace->frames[trace->count - 1];
    if (options.shows_below_main || last->bottom == GG_BOTTOM_NONE)
        return;
    struct gg_str program = last->names[GG_PLACE_OBJECT];
    if (last->bottom == GG_BOTTOM_CALLER)
        program = gg_str(setting->program);
    struct gg_trace_frame below[GG_TRACE_BELOW_MAX];
    size_t count, i = gg_trace_shown_below(last->bottom);
    gg_trace_below_main(program, setting->libc, below, &count);
    for (; i < count && addresses < options.callers; i++, addresses++)
        trace->frames[trace->count++] = below[i];
    struct gg_str unknown = gg_str("???");
    for (i = 0; i < options.strays && addresses < options.callers; i++, addresses++)
        trace->frames[trace->count++] = (struct gg_trace_frame){
            .names = {[GG_PLACE_SYMBOL] = unknown, [GG_PLACE_OBJECT] = unknown}};
}

static void make_room(struct gg_trace *trace, size_t count)
{
    if (count <= trace->room)
        return;
    trace->room = count * 2;
    trace->frames = gg_realloc(trace->frames, trace->room * sizeof *trace->frames);
}

void gg_trace_set(struct gg_trace *trace, const struct gg_finding *finding,
                  const struct gg_trace_setting *setting)
{
    const struct gg_stack *stack = gg_trace_stack(finding);
    struct gg_trace_options options = gg_trace_options_of(setting, finding);
    gg_arena_free(&trace->scratch);
    trace->count = trace->shown = 0;
    trace->readable = false;
    trace->callers = options.callers;
    if (!stack || stack->len == 0)
        return;
    make_room(trace, stack->len + GG_TRACE_BELOW_MAX + options.strays);
    add_stack(trace, finding, stack, options);
    add_below_main(trace, options, setting, add_sources(trace, stack));
}

void gg_trace_free(struct gg_trace *trace)
{
    gg_arena_free(&trace->scratch);
    free(trace->frames);
    *trace = (struct gg_trace){0};
}
