#include "match/concerns.h"

#include <stdarg.h>
#include <stdio.h>

static void add(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                bool fault, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int len = vsnprintf(NULL, 0, format, values);
    char *text = gg_arena_alloc(concerns->arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    *gg_vec_push(concerns->arena, &concerns->list) =
        (struct gg_concern){kind, rule->file, rule->line, rule->id, rule, text, fault};
}

void gg_concerns_fault(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(concerns, rule, kind, true, format, values);
    va_end(values);
}

void gg_concerns_advise(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                        const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(concerns, rule, kind, false, format, values);
    va_end(values);
}
