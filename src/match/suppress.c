#include "match/suppress.h"
#include "base/fs.h"
#include "base/vec.h"
#include "match/sequence.h"

#include <stdlib.h>

/* Larger files are no list of exceptions any more. */
#define FILE_LIMIT ((size_t)64 << 20)

typedef GG_VEC(struct gg_supp *) supp_list;

struct gg_suppressions {
    struct gg_arena *arena;
    GG_VEC(struct gg_rule *) rules;
    supp_list by_kind[GG_KINDS]; /* those that can match an error of the kind, in order */
};

struct gg_suppressions *gg_suppressions_new(struct gg_arena *arena)
{
    struct gg_suppressions *set = gg_arena_alloc(arena, sizeof *set);
    set->arena = arena;
    return set;
}

static void file_under_kinds(struct gg_suppressions *set, struct gg_supp *supp)
{
    for (unsigned kind = 0; supp->kind && kind < GG_KINDS; kind++) {
        bool leak =
            supp->kind->extra == GG_EXTRA_LEAK && gg_kind_table[kind].group == GG_GROUP_leak;
        if (leak || kind == supp->kind->kinds[0] || kind == supp->kind->kinds[1])
            *gg_vec_push(set->arena, &set->by_kind[kind]) = supp;
    }
}

bool gg_suppressions_load(struct gg_suppressions *set, const char *path, struct gg_error *err)
{
    struct gg_str text;
    if (!gg_fs_read(set->arena, path, FILE_LIMIT, &text, err))
        return false;
    struct gg_supp_parser *parser =
        gg_supp_parser_new(set->arena, gg_arena_strdup(set->arena, path), text);
    struct gg_supp *supp;
    while ((supp = gg_supp_parse(parser, err))) {
        *gg_vec_push(set->arena, &set->rules) = &supp->rule;
        file_under_kinds(set, supp);
    }
    return !err->set;
}

static bool kind_matches(const struct gg_supp *supp, const struct gg_supp_subject *subject)
{
    switch (supp->kind->extra) {
    case GG_EXTRA_PARAM:
        return subject->param.len && gg_str_eq(supp->param, subject->param);
    case GG_EXTRA_LEAK:
        return supp->leaks & subject->leak;
    case GG_EXTRA_FISHY:
        return subject->function.len && gg_str_eq(supp->function, subject->function) &&
               gg_str_eq(supp->argument, subject->argument);
    case GG_EXTRA_NONE:
        break;
    }
    return supp->kind->size == 0 || supp->kind->size == subject->size;
}

/* valgrind keeps as many lines of a suppression as it has callers, and refuses a file in which
 * those hold a wrong line or nothing but "...". */
static bool frames_match(const struct gg_supp *supp, const struct gg_trace *trace, unsigned callers)
{
    if (supp->cut && callers > supp->frame_count)
        return false;
    size_t count = supp->frame_count < callers ? supp->frame_count : callers;
    return supp->first_named < count && gg_sequence_match(supp->frames, count, trace);
}

/* Of several runs the one that shows most. */
static struct gg_trace_options options_of(const struct gg_finding *finding,
                                          const struct gg_trace_options *runs, size_t run_count)
{
    struct gg_trace_options options = {.callers = finding->witness_count ? 0 : GG_CALLERS_MAX};
    for (size_t i = 0; i < finding->witness_count; i++) {
        uint32_t run = finding->witnesses[i].run;
        if (run >= run_count)
            continue;
        if (runs[run].callers > options.callers)
            options.callers = runs[run].callers;
        options.shows_below_main = options.shows_below_main || runs[run].shows_below_main;
    }
    return options;
}

static void match(struct gg_suppressions *set, struct gg_finding *finding,
                  const struct gg_trace *trace, unsigned callers)
{
    struct gg_supp_subject subject = gg_supp_subject(finding);
    const supp_list *candidates = &set->by_kind[finding->kind];
    for (size_t i = 0; i < candidates->len; i++) {
        struct gg_supp *supp = candidates->at[i];
        if (!kind_matches(supp, &subject) || !frames_match(supp, trace, callers))
            continue;
        finding->rule = &supp->rule;
        supp->rule.hits++;
        supp->rule.state = GG_RULE_USED;
        return;
    }
}

void gg_suppressions_apply(struct gg_suppressions *set, const struct gg_report *report)
{
    if (set->rules.len == 0)
        return;
    struct gg_trace_options *runs = gg_alloc(report->run_count * sizeof *runs);
    for (size_t i = 0; i < report->run_count; i++)
        runs[i] = gg_trace_options(&report->runs[i]);
    const char *libc = gg_trace_libc(report);
    struct gg_trace trace = {0};
    for (size_t i = 0; i < report->finding_count; i++) {
        struct gg_finding *finding = &report->findings[i];
        if (finding->rule || set->by_kind[finding->kind].len == 0)
            continue;
        struct gg_trace_options options = options_of(finding, runs, report->run_count);
        gg_trace_set(&trace, finding, options, libc);
        match(set, finding, &trace, options.callers);
    }
    gg_trace_free(&trace);
    free(runs);
}

struct gg_rule **gg_suppressions_rules(struct gg_suppressions *set, size_t *count)
{
    *count = set->rules.len;
    return set->rules.at;
}
