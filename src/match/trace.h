/*
 * Trace: the frames of a finding as valgrind's matcher sees them.
 *
 * These are not quite the frames of the report. Names are the linker's (mangled), unknown ones are
 * "???", bytes are the program's own. src: lines are compared by address, of which inlined frames
 * share one. Below main stand the frames that valgrind does not show.
 */
#ifndef GG_MATCH_TRACE_H
#define GG_MATCH_TRACE_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/model.h"

/* What counts of the options a finding's program ran with. */
struct gg_trace_options {
    unsigned callers;      /* --num-callers */
    bool shows_below_main; /* --show-below-main=yes */
};

struct gg_trace_frame {
    struct gg_str function, object;
    bool start; /* runs before main: "(below main)" is its name, too */
};

/* Where an address is: the innermost of its frames. */
struct gg_trace_source {
    struct gg_str file; /* empty: unknown */
    uint32_t line;
};

struct gg_trace {
    struct gg_arena scratch; /* names that had to be rewritten */
    struct gg_trace_frame *frames;
    size_t count, room;
    struct gg_trace_source *sources; /* by address, not by frame */
    size_t source_count;
};

struct gg_trace_options gg_trace_options(const struct gg_run *run);

/* A libc of the report, for the frames below main; a usual one when it has none. */
const char *gg_trace_libc(const struct gg_report *report);

/* Fills the trace with the finding's own stack; without one it is empty. Reuses its memory. */
void gg_trace_set(struct gg_trace *trace, const struct gg_finding *finding,
                  struct gg_trace_options options, const char *libc);

void gg_trace_free(struct gg_trace *trace);

#endif
