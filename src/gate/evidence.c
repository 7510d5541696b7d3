#include "base/fs.h"
#include "base/map.h"
#include "gate/decide.h"
#include "model/note.h"

#include <string.h>

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Programs and libraries that came with the system, or packages that were installed: somebody
 * else's builds, also below the work tree. */
static bool is_installed(const char *object)
{
    return starts(object, "/usr/") || starts(object, "/lib") || starts(object, "/opt/") ||
           strstr(object, "/site-packages/") || strstr(object, "/dist-packages/") ||
           strstr(object, "/node_modules/");
}

static bool is_external_error(const struct gg_finding *finding)
{
    return finding->fate == GG_EXTERNAL && finding->severity == GG_ERROR && finding->stack_count;
}

/* --- programs without lines ------------------------------------------------------------- */

/* The first program or library of one's own that the stack passes without a line; NULL when it
 * passes any line at all. */
static const char *blind_object(const struct gg_stack *stack)
{
    const char *object = NULL;
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (frame->path || (frame->file && frame->object && !is_installed(frame->object)))
            return NULL;
        if (!object && !frame->file && frame->object && !is_installed(frame->object))
            object = frame->object;
    }
    return object;
}

static const char *relative(const char *root, const char *path)
{
    size_t len = strlen(root);
    return starts(path, root) && path[len] == '/' ? path + len + 1 : path;
}

/* What was built here, or is what was run, is most likely this repository's: an error in it would
 * be one to fail by. */
static bool is_tested(const struct gg_worktree *worktree, const struct gg_report *report,
                      const char *object)
{
    if (relative(worktree->root, object) != object)
        return true;
    for (size_t i = 0; i < report->run_count; i++) {
        const char *program = report->runs[i].command[0];
        if (program && strcmp(gg_fs_basename(program), gg_fs_basename(object)) == 0)
            return true;
    }
    return false;
}

static void note_blind_objects(struct gg_arena *arena, const struct gg_worktree *worktree,
                               struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        const char *object = is_external_error(finding) ? blind_object(&finding->stacks[0]) : NULL;
        if (!object)
            continue;
        struct gg_note note = {.kind = "no-debug-info",
                               .text = "errors in it have no line, because it was built without "
                                       "debug information: compile with -g and do not strip it",
                               .where = relative(worktree->root, object),
                               .incomplete = is_tested(worktree, report, object)};
        gg_report_note(arena, report, &note);
    }
}

/* --- files that cannot be told ---------------------------------------------------------- */

static bool passes_path(const struct gg_finding *finding)
{
    for (size_t s = 0; s < finding->stack_count; s++) {
        for (size_t i = 0; i < finding->stacks[s].len; i++) {
            if (finding->stacks[s].frames[i]->path)
                return true;
        }
    }
    return false;
}

static bool anything_is_ours(const struct gg_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (passes_path(&report->findings[i]))
            return true;
    }
    return false;
}

/* A frame's file with the name of a tracked one, in a program that is not the system's. */
static const struct gg_frame *namesake(const struct gg_map *names, const struct gg_stack *stack)
{
    for (size_t i = 0; i < stack->len; i++) {
        const struct gg_frame *frame = stack->frames[i];
        if (!frame->file || (frame->object && is_installed(frame->object)))
            continue;
        const char *name = gg_fs_basename(frame->file);
        if (gg_map_find(names, name, strlen(name)))
            return frame;
    }
    return NULL;
}

static void note_namesakes(struct gg_arena *arena, const struct gg_worktree *worktree,
                           struct gg_report *report)
{
    struct gg_map names = {0};
    for (size_t i = 0; i < worktree->path_count; i++) {
        const char *name = gg_fs_basename(worktree->paths[i]);
        gg_map_put(&names, name, strlen(name));
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        const struct gg_frame *frame =
            is_external_error(finding) ? namesake(&names, &finding->stacks[0]) : NULL;
        if (!frame)
            continue;
        struct gg_note note = {
            .kind = "unmapped",
            .text = "no file of the reports could be found in this repository, though it has one "
                    "of this name: say where the build saw the repository, --path-map DIR=.",
            .where = gg_fs_join(arena, frame->dir ? frame->dir : "", frame->file),
            .incomplete = true};
        gg_report_note(arena, report, &note);
        break;
    }
    gg_map_free(&names);
}

/* --- rules that were given up ------------------------------------------------------------- */

static void note_costly_rules(struct gg_arena *arena, struct gg_report *report)
{
    for (size_t i = 0; i < report->rule_count; i++) {
        const struct gg_rule *rule = report->rules[i];
        if (!rule->gave_up)
            continue;
        struct gg_note note = {
            .kind = "rule-costly",
            .text = gg_arena_printf(arena,
                                    "a regular expression of the rule \"%s\" was given up, "
                                    "because it takes too many steps on some name, so the rule may "
                                    "miss findings: write it without a repetition in another",
                                    rule->id),
            .where = gg_arena_printf(arena, "%s:%u", rule->file, (unsigned)rule->line),
            .incomplete = rule->action == GG_ACTION_UPGRADE || rule->action == GG_ACTION_FAIL};
        gg_report_note(arena, report, &note);
    }
}

void gg_decide_evidence(struct gg_arena *arena, const struct gg_worktree *worktree,
                        struct gg_report *report)
{
    note_blind_objects(arena, worktree, report);
    if (!anything_is_ours(report))
        note_namesakes(arena, worktree, report);
    note_costly_rules(arena, report);
}
