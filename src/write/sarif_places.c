#include "write/sarif_places.h"

#include "write/view.h"

#include "base/fs.h"

#include <string.h>

enum { FLOW_MOST = 100, NAME_MOST = 1000 };

/* --- text ------------------------------------------------------------------------------- */

/* "a](b" reads as the end of a link where none is meant, and there is no escape for it. */
static char *unlinked(struct gg_arena *arena, const char *text)
{
    size_t len = 0;
    char *copy = gg_arena_alloc(arena, 2 * strlen(text) + 1);
    for (; *text; text++) {
        copy[len++] = *text == '\n' || *text == '\t' ? ' ' : *text;
        if (text[0] == ']' && text[1] == '(')
            copy[len++] = ' ';
    }
    return copy;
}

void gg_sarif_sentence(struct gg_arena *arena, struct gg_out *out, const char *text,
                       const char *where)
{
    if (!text)
        return;
    gg_out_text(out, unlinked(arena, text));
    if (where)
        gg_out_printf(out, " in %s", unlinked(arena, where));
    gg_out_text(out, !where && gg_str_ends(gg_str(text), ".") ? " " : ". ");
}

void gg_sarif_put_text(struct gg_arena *arena, struct gg_json *json, const char *text)
{
    const char *stop = gg_str_ends(gg_str(text), ".") ? "" : ".";
    gg_json_key(json, "message");
    gg_json_object_inline(json);
    gg_json_put_string(json, "text", gg_arena_printf(arena, "%s%s", unlinked(arena, text), stop));
    gg_json_end_object(json);
}

/* --- locations -------------------------------------------------------------------------- */

void gg_sarif_put_physical(struct gg_json *json, const char *path, uint32_t line)
{
    gg_json_key(json, "physicalLocation");
    gg_json_object_inline(json);
    gg_json_key(json, "artifactLocation");
    gg_json_object(json);
    gg_json_key(json, "uri");
    gg_json_uri_path(json, gg_str(path));
    gg_json_put_string(json, "uriBaseId", "%SRCROOT%");
    gg_json_end_object(json);
    if (line) {
        gg_json_key(json, "region");
        gg_json_object(json);
        gg_json_put_uint(json, "startLine", line);
        gg_json_end_object(json);
    }
    gg_json_end_object(json);
}

void gg_sarif_put_logical(struct gg_arena *arena, struct gg_json *json, const char *function)
{
    gg_json_key(json, "logicalLocations");
    gg_json_array_inline(json);
    gg_json_object(json);
    gg_json_put_string(json, "fullyQualifiedName", gg_view_cut(arena, function, NAME_MOST));
    gg_json_put_string(json, "kind", "function");
    gg_json_end_object(json);
    gg_json_end_array(json);
}

static bool has_place(const struct gg_frame *frame)
{
    return frame->path && frame->line && gg_view_is_inside(frame->path);
}

/* What stands in a list of locations for a frame: at least its name. */
static void put_location(struct gg_arena *arena, struct gg_json *json, const struct gg_frame *frame)
{
    const char *function = gg_view_cut(arena, gg_view_function(arena, frame), NAME_MOST);
    gg_json_key(json, "location");
    gg_json_object(json);
    if (has_place(frame)) {
        gg_sarif_put_physical(json, frame->path, frame->line);
        gg_sarif_put_logical(arena, json, function);
        gg_sarif_put_text(arena, json, function);
    } else {
        gg_sarif_put_text(
            arena, json, gg_arena_printf(arena, "%s in %s", function, gg_view_place(arena, frame)));
    }
    gg_json_end_object(json);
}

/* --- related places --------------------------------------------------------------------- */

static const char *link_of(enum gg_role role)
{
    switch (role) {
    case GG_ROLE_ALLOCATED:
        return "The block was [allocated here]";
    case GG_ROLE_FREED:
        return "The block was [freed here]";
    case GG_ROLE_ORIGIN:
        return "The value was [created here]";
    case GG_ROLE_OTHER:
        return "See also [this line]";
    case GG_ROLE_ERROR:
        break;
    }
    return NULL;
}

static const struct gg_frame *own_place(const struct gg_stack *stack)
{
    for (size_t i = 0; i < stack->len; i++) {
        if (stack->frames[i]->zone == GG_ZONE_OWN && has_place(stack->frames[i]))
            return stack->frames[i];
    }
    return NULL;
}

static bool is_site(const struct gg_finding *finding, const struct gg_frame *frame)
{
    return frame->line == finding->site.line && strcmp(frame->path, finding->site.path) == 0;
}

void gg_sarif_find_related(const struct gg_finding *finding, struct gg_sarif_related *related)
{
    related->count = 0;
    for (size_t i = 0; i < finding->stack_count && related->count < GG_SARIF_RELATED; i++) {
        const struct gg_stack *stack = &finding->stacks[i];
        const char *link = link_of(stack->role);
        const struct gg_frame *frame = link ? own_place(stack) : NULL;
        if (!frame || is_site(finding, frame))
            continue;
        related->at[related->count].frame = frame;
        related->at[related->count].title = gg_view_stack_title(finding, stack);
        related->at[related->count++].link = link;
    }
}

/* --- the code flow ---------------------------------------------------------------------- */

/* In the order things happened. */
static const enum gg_role flow_order[] = {GG_ROLE_ALLOCATED, GG_ROLE_ORIGIN, GG_ROLE_FREED,
                                          GG_ROLE_ERROR};

static const char *step_kind(const struct gg_finding *finding, enum gg_role role)
{
    if (role == GG_ROLE_ALLOCATED || role == GG_ROLE_ORIGIN || finding->is_leak)
        return "acquire";
    return role == GG_ROLE_FREED ? "release" : "danger";
}

static size_t flow_length(const struct gg_stack *stack)
{
    size_t steps = 0;
    for (size_t i = 0; i < stack->len && i < FLOW_MOST; i++)
        steps += has_place(stack->frames[i]);
    return steps;
}

/* The stack's own lines, outermost first; the innermost is what the step is about. */
static void put_steps(struct gg_arena *arena, struct gg_json *json,
                      const struct gg_finding *finding, const struct gg_stack *stack)
{
    size_t left = flow_length(stack), depth = 0;
    for (size_t i = stack->len < FLOW_MOST ? stack->len : FLOW_MOST; i-- > 0;) {
        if (!has_place(stack->frames[i]))
            continue;
        bool last = --left == 0;
        gg_json_object(json);
        put_location(arena, json, stack->frames[i]);
        gg_json_key(json, "kinds");
        gg_json_array_inline(json);
        gg_json_string(json, last ? step_kind(finding, stack->role) : "call");
        if (last)
            gg_json_string(json, "memory");
        gg_json_end_array(json);
        gg_json_put_uint(json, "nestingLevel", depth++);
        gg_json_put_string(json, "importance", last ? "essential" : "important");
        gg_json_end_object(json);
    }
}

static void put_thread_flow(struct gg_arena *arena, struct gg_json *json,
                            const struct gg_finding *finding)
{
    gg_json_object(json);
    gg_json_key(json, "locations");
    gg_json_array(json);
    for (size_t order = 0; order < sizeof flow_order / sizeof *flow_order; order++) {
        for (size_t i = 0; i < finding->stack_count; i++) {
            if (finding->stacks[i].role == flow_order[order])
                put_steps(arena, json, finding, &finding->stacks[i]);
        }
    }
    gg_json_end_array(json);
    gg_json_end_object(json);
}

void gg_sarif_put_flow(struct gg_arena *arena, struct gg_json *json,
                       const struct gg_finding *finding)
{
    size_t steps = 0;
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (finding->stacks[i].role != GG_ROLE_OTHER)
            steps += flow_length(&finding->stacks[i]);
    }
    if (steps < 2)
        return;
    gg_json_key(json, "codeFlows");
    gg_json_array(json);
    gg_json_object(json);
    gg_json_key(json, "threadFlows");
    gg_json_array(json);
    put_thread_flow(arena, json, finding);
    gg_json_end_array(json);
    gg_json_end_object(json);
    gg_json_end_array(json);
}

/* --- stacks ----------------------------------------------------------------------------- */

/* The schema wants stacks to differ, and two of one error may look the same. */
static void put_stack_properties(struct gg_json *json, const struct gg_stack *stack,
                                 size_t position)
{
    gg_json_key(json, "properties");
    gg_json_object_inline(json);
    gg_json_put_string(json, "role", gg_role_name(stack->role));
    gg_json_put_uint(json, "position", position);
    gg_json_end_object(json);
}

void gg_sarif_put_stacks(struct gg_arena *arena, struct gg_json *json,
                         const struct gg_finding *finding)
{
    if (finding->stack_count == 0)
        return;
    gg_json_key(json, "stacks");
    gg_json_array(json);
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct gg_stack *stack = &finding->stacks[i];
        gg_json_object(json);
        gg_sarif_put_text(arena, json, gg_view_stack_title(finding, stack));
        gg_json_key(json, "frames");
        gg_json_array(json);
        for (size_t at = 0; at < stack->len; at++) {
            gg_json_object_inline(json);
            put_location(arena, json, stack->frames[at]);
            if (stack->frames[at]->object)
                gg_json_put_string(json, "module", gg_fs_basename(stack->frames[at]->object));
            gg_json_end_object(json);
        }
        gg_json_end_array(json);
        put_stack_properties(json, stack, i);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}
