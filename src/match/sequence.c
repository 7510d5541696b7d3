#include "match/sequence.h"
#include "match/wildcard.h"

static bool place_matches(const struct gg_supp_frame *wanted, const struct gg_trace *trace,
                          size_t at)
{
    const struct gg_trace_frame *frame = &trace->frames[at];
    switch (wanted->place) {
    case GG_PLACE_FUN:
        return gg_wildcard_match(wanted->pattern, frame->function) ||
               (frame->start && gg_wildcard_match(wanted->pattern, gg_str("(below main)")));
    case GG_PLACE_OBJ:
        return gg_wildcard_match(wanted->pattern, frame->object);
    case GG_PLACE_SRC:
        /* valgrind takes the position among the frames for one among the addresses. */
        return at < trace->source_count && trace->sources[at].file.len &&
               (wanted->line == 0 || wanted->line == trace->sources[at].line) &&
               gg_wildcard_match(wanted->pattern, trace->sources[at].file);
    case GG_PLACE_ANY:
        break;
    }
    return false;
}

bool gg_sequence_match(const struct gg_supp_frame *frames, size_t count,
                       const struct gg_trace *trace)
{
    /* As with wildcards in a name: what stands between two "..." is taken where it first matches,
     * since later places leave no more for the rest. The end needs no match. */
    size_t f = 0, t = 0, after_any = 0, retry = 0;
    bool any = false;
    for (;;) {
        for (; f < count && frames[f].place == GG_PLACE_ANY; f++) {
            any = true;
            after_any = f + 1;
            retry = t;
        }
        if (f == count)
            return true;
        if (t == trace->count)
            return false;
        if (place_matches(&frames[f], trace, t)) {
            f++;
            t++;
        } else if (any) {
            f = after_any;
            t = ++retry;
        } else {
            return false;
        }
    }
}
