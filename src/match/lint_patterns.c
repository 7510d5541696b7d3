#include "match/lint_patterns.h"

#include <string.h>

static int printable(struct gg_str text)
{
    return text.len < 200 ? (int)text.len : 200;
}

/* Names never begin with a blank, and objects are whole paths. NULL: it may match. */
static const char *why_never(const struct gg_supp_frame *frame)
{
    struct gg_str pattern = frame->pattern;
    if (frame->place == GG_PLACE_ANY)
        return NULL;
    if (pattern.len == 0)
        return "nothing stands behind the colon";
    if (pattern.ptr[0] == ' ' || pattern.ptr[0] == '\t')
        return "the blank behind the colon belongs to the name; leave it out";
    if (frame->place == GG_PLACE_OBJ && !strchr("/*?", pattern.ptr[0]))
        return "objects are whole paths; begin it with */";
    return NULL;
}

static const char *prefix_of(const struct gg_supp_frame *frame)
{
    return frame->place == GG_PLACE_FUN ? "fun" : frame->place == GG_PLACE_OBJ ? "obj" : "src";
}

/* "ns::f(int)" stands in a report; what is compared is "_ZN2ns1fEi". Inlined functions have short
 * names without parameters, as "f<std::pair>" and "operator()". */
static bool looks_demangled(const struct gg_supp_frame *frame)
{
    struct gg_str name = frame->pattern;
    if (frame->place != GG_PLACE_FUN || gg_str_is(name, "(below main)"))
        return false;
    if (gg_str_starts(name, "operator()"))
        name = gg_str_n(name.ptr + 10, name.len - 10);
    size_t depth = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        depth += c == '<';
        depth -= c == '>' && depth > 0;
        bool scope = c == ':' && i + 1 < name.len && name.ptr[i + 1] == ':';
        if (depth == 0 && (c == '(' || scope))
            return true;
    }
    return false;
}

static void check_names(struct gg_concerns *concerns, const struct gg_entry *entry)
{
    for (size_t i = 0; i < entry->supp->frame_count; i++) {
        const struct gg_supp_frame *frame = &entry->supp->frames[i];
        if (!looks_demangled(frame))
            continue;
        gg_concerns_advise(concerns, &entry->rule, "demangled",
                           "fun:%.*s looks like a name for people, and valgrind compares those of "
                           "the linker: write it as --demangle=no shows it, like fun:_ZN...",
                           printable(frame->pattern), frame->pattern.ptr);
        return;
    }
}

bool gg_lint_patterns(struct gg_concerns *concerns, const struct gg_entry *entry)
{
    const struct gg_supp *supp = entry->supp;
    if (!supp)
        return true;
    for (size_t i = 0; i < supp->frame_count && i < GG_CALLERS_DEFAULT; i++) {
        const struct gg_supp_frame *frame = &supp->frames[i];
        const char *why = why_never(frame);
        if (!why)
            continue;
        gg_concerns_fault(concerns, &entry->rule, "never-matches", "it never matches: %s:%.*s: %s",
                          prefix_of(frame), printable(frame->pattern), frame->pattern.ptr, why);
        return false;
    }
    check_names(concerns, entry);
    if (supp->cut || supp->frame_count > GG_CALLERS_DEFAULT)
        gg_concerns_advise(concerns, &entry->rule, "long",
                           "it has more lines than the %d that valgrind looks at, unless it is "
                           "given more --num-callers: it fits more than it says, so shorten it to "
                           "those that count",
                           (int)GG_CALLERS_DEFAULT);
    return true;
}
