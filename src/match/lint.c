#include "match/lint.h"
#include "base/map.h"
#include "match/breadth.h"
#include "match/concerns.h"
#include "match/lint_patterns.h"
#include "match/likeness.h"
#include "match/lint_use.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_live(const struct gg_rule *rule)
{
    return rule->state != GG_RULE_EXPIRED && rule->state != GG_RULE_MALFORMED;
}

/* Lifting too much is no danger. */
static bool sets_aside(const struct gg_rule *rule)
{
    return rule->action == GG_ACTION_SUPPRESS || rule->action == GG_ACTION_DOWNGRADE;
}

/* --- a rule by itself ------------------------------------------------------------------- */

/* Latin letters alone. */
static bool is_word(struct gg_str text, const char *word)
{
    bool same = text.len == strlen(word);
    for (size_t i = 0; same && i < text.len; i++)
        same = (text.ptr[i] | 0x20) == word[i];
    return same;
}

/* A word that stands where something is still to be written. */
static bool is_gap(struct gg_str text)
{
    static const char *const words[] = {"todo", "fixme", "xxx", "tbd"};
    while (text.len && strchr(".:!? ", text.ptr[text.len - 1]))
        text.len--;
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || is_word(text, words[i]);
    return found;
}

static struct gg_str without_number(struct gg_str text)
{
    while (text.len && strchr("0123456789", text.ptr[text.len - 1]))
        text.len--;
    return gg_str_trim(text);
}

static bool is_placeholder(const char *id)
{
    struct gg_str name = gg_str_trim(gg_str(id));
    if (gg_str_find(name, "insert_a_suppression_name_here") != SIZE_MAX)
        return true;
    if (name.len > 1 && gg_str_starts(name, "<") && gg_str_ends(name, ">"))
        name = gg_str_n(name.ptr + 1, name.len - 2);
    return is_gap(name) || is_word(name, "name") || is_word(name, "no name") ||
           is_word(name, "unnamed") || is_word(without_number(name), "suppression");
}

static void check_life(struct gg_concerns *concerns, const struct gg_rule *rule)
{
    if (rule->state == GG_RULE_MALFORMED)
        gg_concerns_fault(concerns, rule, "malformed", "it decides nothing: %s", rule->fault);
    else if (rule->state == GG_RULE_EXPIRED)
        gg_concerns_fault(concerns, rule, "expired",
                          "it decides nothing since its last day, %s, is over: remove it, or give "
                          "it another day if it is still needed",
                          rule->expires);
}

/* Who writes down why a rule is as wide as it is has seen that it is. */
static void tell_wide(struct gg_concerns *concerns, const struct gg_rule *rule, const char *kind,
                      const char *text)
{
    if (rule->reason)
        gg_concerns_advise(concerns, rule, kind, "%s", text);
    else
        gg_concerns_fault(concerns, rule, kind, "%s, or say why it has to be (# gg: reason=...)",
                          text);
}

/* A pattern that is too wide makes the others no narrower, so one word on it is enough. */
static void check_breadth(struct gg_concerns *concerns, const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    enum gg_breadth breadth = gg_breadth_of(entry);
    if (!sets_aside(rule))
        return;
    if (breadth == GG_BREADTH_ANY)
        tell_wide(concerns, rule, "no-anchor",
                  "no frame of it names anything, so it fits errors of any code: name a "
                  "function or an object");
    else if (breadth == GG_BREADTH_COMMON)
        tell_wide(concerns, rule, "broad",
                  "it names only functions that most stacks pass, like malloc and main, "
                  "so it fits errors of any code: name the function that is at fault, "
                  "too");
    else if (entry->supp && entry->step_count && entry->steps[0].skips)
        gg_concerns_advise(concerns, rule, "starts-anywhere",
                           "it begins with \"...\", so it fits whatever is called from there, "
                           "however deep: name the innermost frames");
}

static void check_kind(struct gg_concerns *concerns, const struct gg_entry *entry)
{
    const struct gg_supp *supp = entry->supp;
    const struct gg_rule *rule = &entry->rule;
    if (!supp || !supp->kind)
        return;
    if (supp->kind->extra == GG_EXTRA_LEAK && supp->leaks == 0)
        gg_concerns_fault(concerns, rule, "never-matches",
                          "it never matches: match-leak-kinds: none is no leak at all");
    else if (supp->kind->extra == GG_EXTRA_LEAK && supp->leaks == GG_LEAK_ALL && sets_aside(rule))
        gg_concerns_advise(concerns, rule, "all-leaks",
                           "it sets aside leaks of every kind, memory that is definitely lost, "
                           "too: name those that are meant, as match-leak-kinds: reachable");
    else if (supp->kind->extra == GG_EXTRA_FISHY && supp->function.len == 0)
        gg_concerns_fault(concerns, rule, "crashes",
                          "valgrind crashes at the first such error, as the line that names the "
                          "call is missing: add it, as malloc(size)");
}

static void check_alone(struct gg_concerns *concerns, const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    check_life(concerns, rule);
    if (is_placeholder(rule->id))
        gg_concerns_advise(concerns, rule, "placeholder",
                           "its name says nothing: say what it sets aside, and why");
    if (rule->reason && is_gap(gg_str_trim(gg_str(rule->reason))))
        gg_concerns_advise(concerns, rule, "placeholder",
                           "its reason says nothing: say why it is right");
    if (rule->state == GG_RULE_MALFORMED)
        return;
    if (entry->supp && entry->supp->never) {
        gg_concerns_fault(concerns, rule, "never-matches", "it never matches: %s",
                          entry->supp->never);
        return;
    }
    check_kind(concerns, entry);
    if (gg_lint_patterns(concerns, entry))
        check_breadth(concerns, entry);
}

/* --- a rule beside the others ----------------------------------------------------------- */

static void check_duplicate(struct gg_concerns *concerns, struct gg_map *seen,
                            const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    if (!is_live(rule) || (entry->supp && !entry->supp->kind))
        return;
    struct gg_str likeness = gg_likeness(concerns->arena, entry);
    void **slot = gg_map_put(seen, likeness.ptr, likeness.len);
    const struct gg_rule *first = *slot;
    if (!first) {
        *slot = (void *)rule;
        return;
    }
    const struct gg_rule **key = gg_arena_alloc(concerns->arena, sizeof *key);
    *key = rule;
    *gg_map_put(&concerns->twins, key, sizeof *key) = (void *)first;
    gg_concerns_fault(concerns, rule, "duplicate",
                      "it never decides: \"%s\" (%s:%" PRIu32 ") asks for the same, and comes "
                      "first: remove one of them",
                      first->id, first->file, first->line);
}

/* Within a JSON file a second rule of a name is malformed, and says so. */
static void check_name(struct gg_concerns *concerns, struct gg_map *seen,
                       const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    if (is_placeholder(rule->id))
        return;
    void **slot = gg_map_put(seen, rule->id, strlen(rule->id));
    const struct gg_rule *first = *slot;
    if (!first)
        *slot = (void *)rule;
    else if (entry->supp || strcmp(first->file, rule->file) != 0)
        gg_concerns_advise(concerns, rule, "same-name",
                           "%s:%" PRIu32 " has the same name: reports and valgrind's own counts "
                           "cannot tell the two apart",
                           first->file, first->line);
}

static void check_together(struct gg_concerns *concerns, struct gg_entry *const *entries,
                           size_t count)
{
    struct gg_map likenesses = {0}, names = {0};
    for (size_t i = 0; i < count; i++) {
        if (gg_rule_is_of_pack(&entries[i]->rule))
            continue;
        check_duplicate(concerns, &likenesses, entries[i]);
        check_name(concerns, &names, entries[i]);
    }
    gg_map_free(&likenesses);
    gg_map_free(&names);
}

/* --- a file as a whole ------------------------------------------------------------------ */

/* One word a file: a list that was taken over from elsewhere has no reasons at all. */
static void check_reasons(struct gg_concerns *concerns, struct gg_entry *const *entries,
                          size_t count)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i = end) {
        const struct gg_rule *first = NULL;
        size_t missing = 0;
        for (end = i; end < count && strcmp(entries[end]->rule.file, entries[i]->rule.file) == 0;
             end++) {
            bool silent = entries[end]->supp && !entries[end]->rule.reason;
            first = silent && !first ? &entries[end]->rule : first;
            missing += silent;
        }
        if (!first || gg_rule_is_of_pack(&entries[i]->rule))
            continue;
        gg_concerns_advise(concerns, first, "no-reason",
                           "%zu of %zu rules of the file give%s no reason: write # gg: reason=... "
                           "above %s",
                           missing, end - i, missing == 1 ? "s" : "", missing == 1 ? "it" : "each");
        struct gg_concern *last = &concerns->list.at[concerns->list.len - 1];
        if (missing > 1)
            *last = (struct gg_concern){
                .kind = last->kind, .file = last->file, .line = last->line, .text = last->text};
    }
}

/* --- all -------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct gg_concern *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = strcmp(x->kind, y->kind);
    return order ? order : strcmp(x->text, y->text);
}

struct gg_concern *gg_lint(struct gg_arena *arena, struct gg_entry *const *entries,
                           size_t entry_count, const struct gg_report *report, size_t *count)
{
    struct gg_concerns concerns = {.arena = arena};
    for (size_t i = 0; i < entry_count; i++) {
        if (!gg_rule_is_of_pack(&entries[i]->rule))
            check_alone(&concerns, entries[i]);
    }
    check_together(&concerns, entries, entry_count);
    check_reasons(&concerns, entries, entry_count);
    if (report)
        gg_lint_use(&concerns, entries, entry_count, report);
    if (concerns.list.len)
        qsort(concerns.list.at, concerns.list.len, sizeof *concerns.list.at, by_place);
    gg_map_free(&concerns.twins);
    *count = concerns.list.len;
    return concerns.list.at;
}

typedef GG_VEC(const char *) kind_list;

/* Those of a rule stand together, by kind. */
static const char *const *kinds_of(struct gg_arena *arena, const struct gg_concern *concerns,
                                   size_t count, const struct gg_rule *rule)
{
    kind_list kinds = {0};
    for (size_t i = 0; i < count && concerns[i].line == concerns[0].line; i++) {
        bool again = kinds.len && strcmp(kinds.at[kinds.len - 1], concerns[i].kind) == 0;
        if (concerns[i].rule == rule && !again)
            *gg_vec_push(arena, &kinds) = concerns[i].kind;
    }
    *gg_vec_push(arena, &kinds) = NULL;
    return kinds.at;
}

void gg_lint_mark(struct gg_arena *arena, struct gg_entry *const *entries, size_t entry_count,
                  const struct gg_report *report)
{
    size_t count;
    struct gg_concern *concerns = gg_lint(arena, entries, entry_count, report, &count);
    struct gg_map firsts = {0}; /* by address of a rule: its first concern */
    for (size_t i = count; i > 0; i--) {
        if (concerns[i - 1].rule)
            *gg_map_put(&firsts, &concerns[i - 1].rule, sizeof concerns->rule) = &concerns[i - 1];
    }
    for (size_t i = 0; i < entry_count; i++) {
        struct gg_rule *rule = &entries[i]->rule;
        const struct gg_rule *key = rule;
        void **first = gg_map_find(&firsts, &key, sizeof key);
        if (first)
            rule->concerns = kinds_of(
                arena, *first, count - (size_t)((struct gg_concern *)*first - concerns), rule);
    }
    gg_map_free(&firsts);
}
