#include "match/condition.h"
#include "base/out.h"
#include "match/glob.h"
#include "match/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* One question: a finding, or a sighting of it, against a condition. */
struct question {
    const struct gg_condition *condition;
    const struct gg_finding *finding;
    const struct gg_condition_context *context;
    struct gg_arena *arena;
    const char **why; /* NULL: nobody wants to know */
};

/* false, and why. */
static bool no(const struct question *q, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool no(const struct question *q, const char *format, ...)
{
    if (!q->why)
        return false;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *q->why = gg_arena_strdup(q->arena, text);
    return false;
}

static bool any_fits(const struct gg_str *globs, struct gg_str name)
{
    for (; globs->len; globs++) {
        if (gg_glob_match(*globs, name))
            return true;
    }
    return false;
}

static bool kind_fits(const struct question *q)
{
    const bool *kinds = q->condition->kinds;
    return !kinds || kinds[q->finding->kind] ||
           no(q, "the rule is not for errors of the kind %s", gg_kind_table[q->finding->kind].name);
}

static bool branch_fits(const struct question *q)
{
    struct gg_str branch = q->context->branch;
    if (!q->condition->branches)
        return true;
    if (branch.len == 0)
        return no(q, "the rule is for some branches, and it is not known which one this is: say "
                     "--branch NAME");
    return any_fits(q->condition->branches, branch) ||
           no(q, "the rule is for other branches than %.*s", (int)branch.len, branch.ptr);
}

static bool own_code_fits(const struct question *q)
{
    const struct gg_stack *stack = gg_trace_stack(q->finding);
    uint32_t within = q->condition->own_within;
    for (size_t i = 0; within && stack && i < stack->len && i < within; i++) {
        if (stack->frames[i]->zone == GG_ZONE_OWN)
            return true;
    }
    return within == 0 ||
           no(q, "no frame of the innermost %" PRIu32 " is this repository's own code", within);
}

static bool message_fits(const struct question *q)
{
    struct gg_regex *message = q->condition->message;
    return !message || gg_regex_match_once(message, gg_str(q->finding->message)) ||
           no(q, "the message does not match %s", gg_regex_text(message).ptr);
}

/* --- sightings -------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool in_range(const struct question *q, const struct gg_range *range, uint64_t count,
                     const char *what)
{
    if (count < range->min)
        return no(q, "the leak has %" PRIu64 " %s%s, the rule asks for %" PRIu64 " at least", count,
                  what, plural(count), range->min);
    return count <= range->max ||
           no(q, "the leak has %" PRIu64 " %s%s, the rule asks for %" PRIu64 " at most", count,
              what, plural(count), range->max);
}

static bool size_fits(const struct question *q, uint64_t bytes, uint64_t blocks)
{
    if (!q->condition->sized)
        return true;
    if (!q->finding->is_leak)
        return no(q, "the rule is for leaks of some sizes, and this is no leak");
    return in_range(q, &q->condition->bytes, bytes, "byte") &&
           in_range(q, &q->condition->blocks, blocks, "block");
}

static bool test_fits(const struct question *q, const struct gg_run *run)
{
    const struct gg_condition *condition = q->condition;
    if (!condition->test && !condition->tests)
        return true;
    if (!run->test)
        return no(q, "the rule is for some tests, and %s is of none", run->source);
    if (condition->tests && !any_fits(condition->tests, gg_str(run->test)))
        return no(q, "the rule is not for the test %s", run->test);
    return !condition->test || gg_regex_match_once(condition->test, gg_str(run->test)) ||
           no(q, "the test's name %s does not match %s", run->test,
              gg_regex_text(condition->test).ptr);
}

static bool command_fits(const struct question *q, const struct gg_run *run)
{
    struct gg_regex *command = q->condition->command;
    if (!command)
        return true;
    if (!run->command || !run->command[0])
        return no(q, "the rule is for some commands, and that of %s is not known", run->source);
    struct gg_out *out = gg_out_memory();
    for (const char *const *word = run->command; *word; word++) {
        gg_out_text(out, word == run->command ? "" : " ");
        gg_out_text(out, *word);
    }
    size_t len;
    char *line = gg_out_take(out, &len);
    bool fits = gg_regex_match_once(command, gg_str_n(line, len)) ||
                no(q, "the command %s does not match %s", line, gg_regex_text(command).ptr);
    free(line);
    return fits;
}

static bool sighting_fits(const struct question *q, const struct gg_witness *witness)
{
    const struct gg_run *run = &q->context->report->runs[witness->run];
    return size_fits(q, witness->bytes, witness->blocks) && test_fits(q, run) &&
           command_fits(q, run);
}

static bool asks_of_sightings(const struct gg_condition *condition)
{
    return condition->sized || condition->test || condition->tests || condition->command;
}

/* A forked child's copy is no sighting. */
static bool sightings_fit(const struct question *q)
{
    const struct gg_finding *finding = q->finding;
    bool any = q->condition->any, seen = false;
    if (!asks_of_sightings(q->condition))
        return true;
    for (size_t i = 0; i < finding->witness_count; i++) {
        const struct gg_witness *witness = &finding->witnesses[i];
        if (witness->copy)
            continue;
        seen = true;
        if (sighting_fits(q, witness) == any)
            return any;
    }
    if (!seen) /* nothing is known of where it was seen */
        return size_fits(q, finding->leak_bytes, finding->leak_blocks) &&
               test_fits(q, &(struct gg_run){.source = "its report"}) &&
               command_fits(q, &(struct gg_run){.source = "its report"});
    return !any;
}

const struct gg_run *gg_condition_outsider(const struct gg_condition *condition,
                                           const struct gg_finding *finding,
                                           const struct gg_condition_context *context)
{
    const struct question q = {condition, finding, context, NULL, NULL};
    const struct gg_run *outsider = NULL;
    bool fits = false;
    if (condition->any || (!condition->tests && !condition->test) || !kind_fits(&q) ||
        !branch_fits(&q) || !own_code_fits(&q) || !message_fits(&q))
        return NULL;
    for (size_t i = 0; i < finding->witness_count; i++) {
        const struct gg_witness *witness = &finding->witnesses[i];
        const struct gg_run *run = &context->report->runs[witness->run];
        if (witness->copy)
            continue;
        fits = fits || sighting_fits(&q, witness);
        if (!outsider && !test_fits(&q, run))
            outsider = run;
    }
    return fits ? outsider : NULL;
}

bool gg_condition_holds(const struct gg_condition *condition, const struct gg_finding *finding,
                        const struct gg_condition_context *context, struct gg_arena *arena,
                        const char **why)
{
    const struct question q = {condition, finding, context, arena, why};
    return kind_fits(&q) && branch_fits(&q) && own_code_fits(&q) && message_fits(&q) &&
           sightings_fit(&q);
}
