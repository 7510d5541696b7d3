/*
 * Linting: a set of rules, and the concerns about them, for tests of lint.
 */
#ifndef GG_TESTS_LINTING_H
#define GG_TESTS_LINTING_H

#include "match/lint.h"

#include <criterion/criterion.h>

#define DAY_2030_01_31 21945 /* date -ud 2030-01-31 +%s divided by 86400 */

static struct gg_arena arena;
static struct gg_rules *set;
static struct gg_concern *concerns;
static size_t concern_count;

static inline void open_set(void)
{
    struct gg_rules_context context = {.today = DAY_2030_01_31, .branch = "main"};
    gg_arena_init(&arena);
    set = gg_rules_new(&arena, &context);
}

static inline void close_set(void)
{
    gg_arena_free(&arena);
}

static inline void load(const char *name, const char *text)
{
    struct gg_error err = {0};
    cr_assert(gg_rules_add_supp(set, name, gg_str(text), &err), "%s", err.text);
}

static inline void load_json(const char *rules)
{
    struct gg_error err = {0};
    const char *text = gg_arena_printf(&arena, "{\"version\": 1, \"rules\": [\n%s]}", rules);
    cr_assert(gg_rules_add_json(set, "x.json", gg_str(text), &err), "%s", err.text);
}

static inline void lint(const struct gg_report *report)
{
    size_t count;
    struct gg_entry **entries = gg_rules_entries(set, &count);
    concerns = gg_lint(&arena, entries, count, report, &concern_count);
}

static inline const struct gg_concern *find(const char *kind, const char *id)
{
    for (size_t i = 0; i < concern_count; i++) {
        const char *of = concerns[i].id ? concerns[i].id : "";
        if (strcmp(concerns[i].kind, kind) == 0 && strcmp(of, id) == 0)
            return &concerns[i];
    }
    return NULL;
}

/* The kinds of all concerns of a rule, in order, with "!" behind a fault: "broad placeholder". */
static inline const char *kinds_of(const char *id)
{
    const char *kinds = "";
    for (size_t i = 0; i < concern_count; i++) {
        if (concerns[i].id && strcmp(concerns[i].id, id) == 0)
            kinds = gg_arena_printf(&arena, "%s%s%s%s", kinds, kinds[0] ? " " : "",
                                    concerns[i].kind, concerns[i].fault ? "!" : "");
    }
    return kinds;
}

#define WHY "# gg: reason=known\n"
#define RULE(name, kind, frames) WHY "{\n" name "\n" kind "\n" frames "}\n"

#endif
