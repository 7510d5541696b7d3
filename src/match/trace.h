/*
 * Trace: the frames of a finding as rules see them.
 *
 * These are not quite the frames of the report. For suppressions names are the linker's (mangled),
 * unknown ones are "???", bytes are the program's own; src: lines are compared by address, of which
 * inlined frames share one; below main stand the frames that valgrind does not show. JSON rules see
 * the frames that are shown, with names as reports have them.
 */
#ifndef GG_MATCH_TRACE_H
#define GG_MATCH_TRACE_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/model.h"
#include "match/pattern.h"

/* What counts of the options a finding's program ran with. */
struct gg_trace_options {
    unsigned callers;      /* --num-callers */
    bool shows_below_main; /* --show-below-main=yes */
    bool mangled;          /* --demangle=no: every symbol is as the linker knows it */
    unsigned strays;       /* what valgrind takes for frames behind the program's beginning */
};

/* Frames behind which valgrind hides others when they are the outermost that it shows: main or,
 * in a stack without it, what calls main, or where the program begins. */
enum gg_trace_bottom { GG_BOTTOM_NONE, GG_BOTTOM_MAIN, GG_BOTTOM_CALLER, GG_BOTTOM_START };

struct gg_trace_frame {
    /* SOURCE is that of the address which valgrind compares: of the i-th address for the i-th
     * frame; empty: unknown, then nothing fits it. */
    struct gg_str names[GG_PLACES];
    uint32_t line; /* of SOURCE */
    enum gg_trace_bottom bottom;
    bool readable; /* the symbol is a demangled name, the report has no other */
};

struct gg_trace {
    struct gg_arena scratch; /* names that had to be rewritten */
    struct gg_trace_frame *frames;
    size_t count, room;
    size_t shown;     /* of the frames: those of the report; JSON rules see no others */
    bool readable;    /* one of the frames is */
    unsigned callers; /* so many lines of a suppression count */
};

/* What a report's traces have in common. */
struct gg_trace_setting {
    struct gg_trace_options *runs;
    size_t run_count;
    const char *libc;
    const char *program; /* the object of a main */
};

struct gg_trace_options gg_trace_options(const struct gg_run *run);

/* A libc of the report, for the frames below main; a usual one when it has none. */
const char *gg_trace_libc(const struct gg_report *report);

/* The object of a main in the report; "???" when it shows none. */
const char *gg_trace_program(const struct gg_report *report);

struct gg_trace_setting gg_trace_setting(struct gg_arena *arena, const struct gg_report *report);

/* Of the finding's runs the options that show most. */
struct gg_trace_options gg_trace_options_of(const struct gg_trace_setting *setting,
                                            const struct gg_finding *finding);

/* Fills the trace with the finding's own stack; without one it is empty. Reuses its memory. */
void gg_trace_set(struct gg_trace *trace, const struct gg_finding *finding,
                  const struct gg_trace_setting *setting);

void gg_trace_free(struct gg_trace *trace);

/* The stack that rules are compared with; NULL: none. */
const struct gg_stack *gg_trace_stack(const struct gg_finding *finding);

/* The linker's name of the finding's i-th frame as a generated suppression has it, if there is one:
 * *symbol is then the name, NULL for a frame without one. */
bool gg_trace_generated(const struct gg_finding *finding, const struct gg_stack *stack, size_t i,
                        const char **symbol);

/* All but what depends on the frames around it and on options: no SOURCE, `readable` by the looks
 * of the symbol. `symbol` may be another than the frame's. */
struct gg_trace_frame gg_trace_frame_of(struct gg_arena *arena, const struct gg_frame *frame,
                                        const char *symbol);

/* The file that src: is compared with; empty: unknown. */
struct gg_str gg_trace_source(struct gg_arena *arena, const struct gg_frame *frame);

/* Where frames of one address stand together, is this one of another address than `first`, the
 * innermost of those before it? The same frame again is a recursive call's. NULL: there is none. */
bool gg_trace_begins_address(const struct gg_frame *first, const struct gg_frame *frame);

/* How many of the frames below main are not hidden but shown, where this is the outermost. */
size_t gg_trace_shown_below(enum gg_trace_bottom bottom);

/* What calls main, from the inner to the outer: `count` of them. */
enum { GG_TRACE_BELOW_MAX = 3 };
void gg_trace_below_main(struct gg_str program, const char *libc,
                         struct gg_trace_frame below[GG_TRACE_BELOW_MAX], size_t *count);

#endif
