#include "model/order.h"
#include "base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ID_DIGITS 12

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

int gg_order_text(const char *a, const char *b)
{
    if (a == b)
        return 0;
    if (!a || !b)
        return a ? 1 : -1;
    return strcmp(a, b);
}

int gg_order_frame(const struct gg_frame *a, const struct gg_frame *b)
{
    if (a == b)
        return 0;
    int order = COMPARE(a->ip, b->ip);
    if (!order)
        order = gg_order_text(a->object, b->object);
    if (!order)
        order = gg_order_text(a->symbol, b->symbol);
    if (!order)
        order = gg_order_text(a->dir, b->dir);
    if (!order)
        order = gg_order_text(a->file, b->file);
    return order ? order : COMPARE(a->line, b->line);
}

int gg_order_test(const struct gg_test *a, const struct gg_test *b)
{
    int order = strcmp(a->name, b->name);
    if (!order)
        order = COMPARE(a->state, b->state);
    return order ? order : gg_order_text(a->detail, b->detail);
}

int gg_order_stack(const struct gg_stack *a, const struct gg_stack *b)
{
    int order = COMPARE(a->role, b->role);
    if (!order)
        order = COMPARE(a->len, b->len);
    for (size_t i = 0; i < a->len && !order; i++)
        order = gg_order_frame(a->frames[i], b->frames[i]);
    return order ? order : gg_order_text(a->text, b->text);
}

static int order_stacks(const struct gg_finding *a, const struct gg_finding *b)
{
    int order = COMPARE(a->stack_count, b->stack_count);
    for (size_t i = 0; i < a->stack_count && !order; i++)
        order = gg_order_stack(&a->stacks[i], &b->stacks[i]);
    return order;
}

static int order_site(const struct gg_finding *a, const struct gg_finding *b)
{
    int order = COMPARE(b->has_site, a->has_site);
    if (order || !a->has_site)
        return order;
    order = strcmp(a->site.path, b->site.path);
    return order ? order : COMPARE(a->site.line, b->site.line);
}

static bool is_crash(const struct gg_finding *finding)
{
    return gg_kind_table[finding->kind].group == GG_GROUP_crash;
}

int gg_order_finding(const struct gg_finding *a, const struct gg_finding *b)
{
    int order = COMPARE(a->fate, b->fate);
    if (!order)
        order = COMPARE(is_crash(b), is_crash(a));
    if (!order)
        order = COMPARE(b->severity, a->severity);
    if (!order)
        order = order_site(a, b);
    if (!order)
        order = strcmp(a->kind_name, b->kind_name);
    if (!order)
        order = strcmp(a->message, b->message);
    if (!order)
        order = strcmp(a->fingerprint, b->fingerprint);
    return order ? order : order_stacks(a, b);
}

static int by_order(const void *a, const void *b)
{
    return gg_order_finding(a, b);
}

/* How many findings before this one had the same first digits. */
static uintptr_t namesakes(struct gg_map *seen, const char *fingerprint)
{
    void **count = gg_map_put(seen, fingerprint, ID_DIGITS);
    *count = (void *)((uintptr_t)*count + 1);
    return (uintptr_t)*count;
}

void gg_order_findings(struct gg_arena *arena, struct gg_report *report)
{
    if (report->finding_count)
        qsort(report->findings, report->finding_count, sizeof *report->findings, by_order);
    struct gg_map seen = {0};
    for (size_t i = 0; i < report->finding_count; i++) {
        struct gg_finding *finding = &report->findings[i];
        uintptr_t nth = namesakes(&seen, finding->fingerprint);
        finding->id = gg_arena_strndup(arena, finding->fingerprint, ID_DIGITS);
        if (nth > 1)
            finding->id = gg_arena_printf(arena, "%s-%" PRIuPTR, finding->id, nth);
    }
    gg_map_free(&seen);
}
