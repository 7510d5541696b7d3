#include "locate/site.h"
#include "base/str.h"

#include <string.h>

/* "ns::grab(unsigned long) [clone .part.0]" -> "ns::grab", "grab.constprop.0" -> "grab",
 * "grab@@LIB_1.2" -> "grab". */
static struct gg_str bare_name(const char *name)
{
    struct gg_str text = gg_str(name);
    size_t close = text.len, depth = 0;
    while (close > 0 && text.ptr[close - 1] != ')')
        close--;
    if (close == 0)
        return gg_str_n(name, strcspn(name, ".@"));
    for (size_t i = close; i-- > 0;) {
        if (text.ptr[i] == ')')
            depth++;
        else if (text.ptr[i] == '(' && --depth == 0)
            return gg_str_n(name, i);
    }
    return text;
}

static bool is_named(const char *name, const char *wrapper)
{
    return name && (strcmp(name, wrapper) == 0 || gg_str_is(bare_name(name), wrapper));
}

static bool is_wrapper(const struct gg_frame *frame, const char *const *wrappers)
{
    for (; wrappers && *wrappers; wrappers++) {
        if (is_named(frame->function, *wrappers) || is_named(frame->symbol, *wrappers))
            return true;
    }
    return false;
}

static bool may_be_site(const struct gg_frame *frame, bool strict)
{
    return frame->path && frame->line && (frame->line_in_file || !strict);
}

/* false when no frame of the stack will do. */
static bool find_in_stack(const struct gg_stack *stack, const char *const *wrappers, bool strict,
                          size_t *at)
{
    bool found = false;
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (!may_be_site(frame, strict))
            continue;
        *at = i;
        found = true;
        if (!is_wrapper(frame, wrappers))
            break;
    }
    return found;
}

static void set_site(struct gg_finding *finding, enum gg_via via, size_t stack, size_t at)
{
    const struct gg_frame *frame = finding->stacks[stack].frames[at];
    finding->has_site = true;
    finding->site = (struct gg_site){.path = frame->path,
                                     .line = frame->line,
                                     .function = frame->function,
                                     .via = via,
                                     .stack = stack,
                                     .frame = at};
}

static bool find(struct gg_finding *finding, const char *const *wrappers, bool strict)
{
    static const struct {
        enum gg_role role;
        enum gg_via via;
    } order[] = {{GG_ROLE_ERROR, GG_VIA_ERROR},
                 {GG_ROLE_FREED, GG_VIA_FREED},
                 {GG_ROLE_ORIGIN, GG_VIA_ORIGIN},
                 {GG_ROLE_ALLOCATED, GG_VIA_ALLOCATED}};
    for (size_t turn = 0; turn < sizeof order / sizeof *order; turn++) {
        for (size_t i = 0; i < finding->stack_count; i++) {
            const struct gg_stack *stack = &finding->stacks[i];
            size_t at;
            if (stack->role != order[turn].role || !find_in_stack(stack, wrappers, strict, &at))
                continue;
            set_site(finding, order[turn].via, i, at);
            return true;
        }
    }
    return false;
}

/* Where no line exists as the report has it, the report is of another version of the files. The
 * finding is ours all the same, so it keeps the line it names; whose it is cannot be told. */
void gg_site_find(struct gg_finding *finding, const char *const *wrappers)
{
    finding->has_site = false;
    if (!find(finding, wrappers, true))
        find(finding, wrappers, false);
}
