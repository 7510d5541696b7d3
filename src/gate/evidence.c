#include "gate/decide.h"
#include "model/note.h"

#include <string.h>

static bool is_below(const char *root, const char *path)
{
    size_t len = strlen(root);
    return strncmp(path, root, len) == 0 && path[len] == '/';
}

/* Packages that were installed below the work tree are somebody else's builds. */
static bool is_installed(const char *object)
{
    return strstr(object, "/site-packages/") || strstr(object, "/dist-packages/") ||
           strstr(object, "/node_modules/");
}

/* The first program or library of the work tree that the stack passes without a line; NULL when it
 * passes any line at all. */
static const char *blind_object(const char *root, const struct gg_stack *stack)
{
    const char *object = NULL;
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (frame->path)
            return NULL;
        if (!object && !frame->file && frame->object && is_below(root, frame->object) &&
            !is_installed(frame->object))
            object = frame->object;
    }
    return object;
}

void gg_decide_evidence(struct gg_arena *arena, const char *root, struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        if (finding->fate != GG_EXTERNAL || finding->severity != GG_ERROR || !finding->stack_count)
            continue;
        const char *object = blind_object(root, &finding->stacks[0]);
        if (!object)
            continue;
        struct gg_note note = {.kind = "no-debug-info",
                               .text = "errors in it have no line, because it was built without "
                                       "debug information: compile with -g and do not strip it",
                               .where = object + strlen(root) + 1};
        gg_report_note(arena, report, &note);
    }
}
