#include "match/near.h"
#include "base/suggest.h"
#include "match/sequence.h"
#include "match/spelling.h"
#include "match/wildcard.h"
#include "model/fingerprint.h"

#include <string.h>

/* How close the kind of error is. */
enum grade { OTHER_KIND, OTHER_SORT, RIGHT_KIND };

/* How close an entry came; more is closer, in the order of the members. */
struct nearness {
    bool looks; /* at the stack; one that does not is only taken for want of any that does */
    enum grade grade;
    bool whole; /* all steps are met */
    int likeness;
    size_t met; /* steps, from the innermost frame on */
};

/* What a step met like this is worth. */
enum { EXACT = 2, ALIKE = 1, LIKE_NONE = -2 };

struct search {
    struct gg_arena *arena;
    const struct gg_finding *finding;
    const struct gg_condition_context *context;
    struct gg_supp_subject subject;
    struct gg_trace trace;
    bool *telling; /* of each frame that is shown */
};

/* --- how close -------------------------------------------------------------------------- */

/* Addr4 and Addr8, two kinds of leak, two parameters: the same error of another sort. */
static bool same_error(const struct gg_entry *entry, const struct gg_supp_subject *subject)
{
    if (!entry->supp)
        return !entry->condition.kinds || entry->condition.kinds[subject->kind];
    const struct gg_supp_kind *kind = entry->supp->kind;
    return kind->extra == GG_EXTRA_LEAK
               ? subject->leak != 0
               : kind->kinds[0] == subject->kind || kind->kinds[1] == subject->kind;
}

static enum grade grade_of(const struct search *search, const struct gg_entry *entry)
{
    if (gg_entry_covers(entry, &search->subject))
        return RIGHT_KIND;
    return same_error(entry, &search->subject) ? OTHER_SORT : OTHER_KIND;
}

/* What valgrind itself runs, main, and what calls it stand in nearly every stack. A stack of
 * nothing else is told by its main. */
static void mark_telling(struct search *search)
{
    const struct gg_stack *stack = gg_trace_stack(search->finding);
    size_t main_at = SIZE_MAX;
    bool any = false;
    search->telling = gg_arena_alloc(search->arena, search->trace.shown * sizeof *search->telling);
    for (size_t f = 0; stack && f < stack->len && f < search->trace.shown; f++) {
        if (gg_str_is(search->trace.frames[f].names[GG_PLACE_SYMBOL], "main"))
            main_at = f;
        search->telling[f] = main_at != f && stack->frames[f]->zone != GG_ZONE_TOOL &&
                             !gg_fingerprint_below_main(stack->frames[f]);
        any = any || search->telling[f];
    }
    if (!any && main_at != SIZE_MAX)
        search->telling[main_at] = true;
}

static bool is_any(struct gg_str pattern)
{
    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.ptr[i] != '*')
            return false;
    }
    return true;
}

/* "^foo_load$" -> foo_load; empty when it is more than one name. */
static struct gg_str literal_of(struct gg_str expression)
{
    if (gg_str_starts(expression, "^"))
        expression = gg_str_n(expression.ptr + 1, expression.len - 1);
    expression.len -= gg_str_ends(expression, "$");
    for (size_t i = 0; i < expression.len; i++) {
        char c = expression.ptr[i];
        if (c != '_' && c != ':' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') &&
            (c < 'a' || c > 'z'))
            return (struct gg_str){0};
    }
    return expression;
}

/* Are they the same but for a slip or two? The first look spares most names the long one. */
static bool is_misspelled(struct gg_str wanted, struct gg_str name)
{
    enum { SHORTEST = 4, LONGEST = 40, SLIPS = 2 };
    char copy[LONGEST + 1] = "";
    if (wanted.len < SHORTEST || wanted.len > LONGEST || name.len < SHORTEST ||
        name.len > LONGEST || wanted.len > name.len + SLIPS || name.len > wanted.len + SLIPS)
        return false;
    if (memcmp(wanted.ptr, name.ptr, 2) != 0 &&
        memcmp(wanted.ptr + wanted.len - 2, name.ptr + name.len - 2, 2) != 0)
        return false;
    memcpy(copy, name.ptr, name.len);
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, wanted);
    gg_suggest_offer(&suggest, copy);
    return suggest.best && suggest.distance <= SLIPS && suggest.distance <= wanted.len / 4;
}

/* Another build's name of the function, a misspelled one, another line of the file. */
static bool is_like(const struct gg_pattern *pattern, const struct gg_trace *trace, size_t frame)
{
    struct gg_str name = trace->frames[frame].names[pattern->place];
    bool function = pattern->place == GG_PLACE_SYMBOL || pattern->place == GG_PLACE_FUNCTION;
    if (pattern->place == GG_PLACE_SOURCE)
        return name.len && gg_wildcard_match(pattern->text, name);
    if (!function || !name.len)
        return false;
    if (pattern->form == GG_PATTERN_REGEX)
        return gg_regex_match(pattern->regex, gg_spelling_stem(name)) ||
               is_misspelled(literal_of(gg_regex_text(pattern->regex)), name);
    struct gg_str stem = gg_spelling_stem(pattern->text);
    return pattern->form == GG_PATTERN_WILDCARD && !is_any(stem) &&
           (gg_wildcard_match(stem, gg_spelling_stem(name)) ||
            gg_spelling_same_function(pattern->text, name) || is_misspelled(stem, name));
}

/* EXACT, ALIKE or LIKE_NONE. The right function in another file is alike. */
static int step_likeness(const struct gg_step *step, const struct gg_trace *trace, size_t frame)
{
    int least = EXACT;
    bool function = false;
    for (size_t i = 0; i < step->count; i++) {
        const struct gg_pattern *pattern = &step->patterns[i];
        if (gg_sequence_fit(pattern, trace, frame) != GG_FIT_NONE)
            function = function || pattern->place == GG_PLACE_FUNCTION;
        else if (least != LIKE_NONE)
            least = is_like(pattern, trace, frame) ? ALIKE : LIKE_NONE;
    }
    return least == LIKE_NONE && function ? ALIKE : least;
}

/* Does that a frame fits the step say anything of it? Other frames of an object do not, but where
 * the rule has come to them. */
static bool is_telling_step(const struct gg_step *step, bool met)
{
    for (size_t i = 0; i < step->count; i++) {
        const struct gg_pattern *pattern = &step->patterns[i];
        bool any = pattern->form == GG_PATTERN_WILDCARD && is_any(pattern->text);
        if (!any && (met || pattern->place != GG_PLACE_OBJECT))
            return true;
    }
    return false;
}

/* What the frames that are most like the step are worth; one that tells nothing is worth 0. */
static int weigh_step(const struct search *search, const struct gg_step *step, bool met,
                      bool *shared)
{
    bool telling = is_telling_step(step, met);
    int best = LIKE_NONE;
    for (size_t f = 0; f < search->trace.shown && best < EXACT; f++) {
        int likeness = step_likeness(step, &search->trace, f);
        if (likeness != LIKE_NONE && !(telling && search->telling[f]))
            likeness = 0;
        best = likeness > best ? likeness : best;
    }
    *shared = *shared || best > 0;
    return best;
}

/* false: it has nothing in common with the finding. */
static bool measure(const struct search *search, const struct gg_entry *entry,
                    struct nearness *nearness)
{
    struct gg_reach reach;
    bool shared = false;
    if (entry->supp && !entry->supp->kind)
        return false;
    gg_sequence_match(entry, &search->trace, &reach);
    if (reach.count == SIZE_MAX)
        return false;
    *nearness = (struct nearness){.looks = entry->step_count > 0,
                                  .grade = grade_of(search, entry),
                                  .whole = reach.met == reach.count,
                                  .met = reach.met};
    if (!nearness->looks)
        return nearness->grade == RIGHT_KIND && entry->condition.kinds;
    if (nearness->grade == OTHER_KIND && !nearness->whole)
        return false;
    for (size_t s = 0; s < reach.count; s++)
        nearness->likeness += weigh_step(search, &entry->steps[s], s < reach.met, &shared);
    return shared;
}

static bool is_closer(const struct nearness *a, const struct nearness *b)
{
    if (a->looks != b->looks)
        return a->looks;
    if ((a->grade == OTHER_KIND) != (b->grade == OTHER_KIND))
        return a->grade != OTHER_KIND;
    if (a->whole != b->whole)
        return a->whole;
    if (a->grade != b->grade)
        return a->grade > b->grade;
    return a->likeness != b->likeness ? a->likeness > b->likeness : a->met > b->met;
}

/* --- why not ---------------------------------------------------------------------------- */

static const char *text_of(struct gg_arena *arena, struct gg_str text)
{
    return gg_arena_strndup(arena, text.ptr, text.len);
}

static const char *leak_name(struct gg_arena *arena, unsigned leaks)
{
    static const char *const names[] = {"definite", "indirect", "possible", "reachable"};
    const char *list = "";
    for (unsigned i = 0; i < 4; i++) {
        if (leaks & 1u << i)
            list = gg_arena_printf(arena, "%s%s%s", list, list[0] ? "," : "", names[i]);
    }
    return list[0] ? list : "none";
}

static const char *call_name(struct gg_arena *arena, struct gg_str function, struct gg_str argument)
{
    return gg_arena_printf(arena, "%s(%s)", text_of(arena, function), text_of(arena, argument));
}

static const char *why_other_sort(const struct search *search, const struct gg_supp *supp)
{
    struct gg_arena *arena = search->arena;
    const struct gg_supp_subject *subject = &search->subject;
    switch (supp->kind->extra) {
    case GG_EXTRA_LEAK:
        return gg_arena_printf(arena, "match-leak-kinds: %s, the leak is %s",
                               leak_name(arena, supp->leaks), leak_name(arena, subject->leak));
    case GG_EXTRA_PARAM:
        return gg_arena_printf(arena, "%s against %s", text_of(arena, supp->param),
                               text_of(arena, subject->param));
    case GG_EXTRA_FISHY:
        return gg_arena_printf(arena, "%s against %s",
                               call_name(arena, supp->function, supp->argument),
                               call_name(arena, subject->function, subject->argument));
    default:
        return NULL;
    }
}

static const char *why_kind(const struct search *search, const struct gg_entry *entry)
{
    if (!entry->supp)
        return gg_arena_printf(search->arena, "the rule is not for errors of the kind %s",
                               search->finding->kind_name);
    const struct gg_supp_kind *wanted = entry->supp->kind;
    const struct gg_supp_kind *kind = gg_supp_kind_for(&search->subject);
    const char *why =
        same_error(entry, &search->subject) ? why_other_sort(search, entry->supp) : NULL;
    return why ? why
               : gg_arena_printf(search->arena, "kind: %s:%s, the error is %s",
                                 gg_supp_tool_name(wanted->tool), wanted->name,
                                 kind ? kind->name : search->finding->kind_name);
}

static const char *pattern_name(struct gg_arena *arena, const struct gg_pattern *pattern)
{
    static const char *const places[] = {
        [GG_PLACE_SYMBOL] = "fun:",        [GG_PLACE_OBJECT] = "obj:", [GG_PLACE_SOURCE] = "src:",
        [GG_PLACE_FUNCTION] = "function ", [GG_PLACE_FILE] = "file ",  [GG_PLACE_PATH] = "path "};
    const char *place = pattern->form == GG_PATTERN_WILDCARD ? places[pattern->place]
                        : pattern->place == GG_PLACE_OBJECT  ? "object "
                                                             : places[pattern->place];
    if (pattern->form == GG_PATTERN_REGEX)
        return gg_arena_printf(arena, "%s/%s/", place,
                               text_of(arena, gg_regex_text(pattern->regex)));
    const char *text = text_of(arena, pattern->text);
    return pattern->line ? gg_arena_printf(arena, "%s%s:%u", place, text, (unsigned)pattern->line)
                         : gg_arena_printf(arena, "%s%s", place, text);
}

static const char *name_at(struct gg_arena *arena, const struct gg_trace_frame *frame,
                           const struct gg_pattern *pattern)
{
    struct gg_str name = frame->names[pattern->place];
    if (name.len == 0)
        return "nothing";
    if (pattern->place == GG_PLACE_SOURCE && frame->line)
        return gg_arena_printf(arena, "%s:%u", text_of(arena, name), (unsigned)frame->line);
    return text_of(arena, name);
}

/* The test of the step that the frame does not pass; NULL: it passes all. */
static const struct gg_pattern *failing(const struct gg_step *step, const struct gg_trace *trace,
                                        size_t frame)
{
    for (size_t i = 0; i < step->count; i++) {
        if (gg_sequence_fit(&step->patterns[i], trace, frame) == GG_FIT_NONE)
            return &step->patterns[i];
    }
    return NULL;
}

static const char *against(const struct search *search, const struct gg_pattern *pattern,
                           size_t frame)
{
    return gg_arena_printf(search->arena, "frame %zu: %s against %s", frame + 1,
                           pattern_name(search->arena, pattern),
                           name_at(search->arena, &search->trace.frames[frame], pattern));
}

/* The test that the frame most like the step does not pass, of the frames that are left. */
static const char *why_alike(const struct search *search, const struct gg_step *step, size_t from)
{
    for (size_t f = from; f < search->trace.shown; f++) {
        const struct gg_pattern *fails = failing(step, &search->trace, f);
        if (fails && step_likeness(step, &search->trace, f) == ALIKE)
            return against(search, fails, f);
    }
    return NULL;
}

/* The first step that is not met. Where frames may lie before it, it was looked for in all that
 * are left. */
static const char *why_step(const struct search *search, const struct gg_entry *entry,
                            const struct gg_reach *reach)
{
    const struct gg_step *step = &entry->steps[reach->met];
    size_t frames = entry->supp ? search->trace.count : search->trace.shown;
    const struct gg_pattern *pattern = step->count ? &step->patterns[0] : NULL;
    const char *name = pattern ? pattern_name(search->arena, pattern) : "a frame";
    if (reach->frame >= frames)
        return gg_arena_printf(search->arena, "frame %zu: %s against nothing: the stack has %zu",
                               reach->frame + 1, name, frames);
    if (step->within && reach->frame >= step->within)
        return gg_arena_printf(search->arena, "%s in none of the first %u frames", name,
                               (unsigned)step->within);
    const char *alike = step->skips ? why_alike(search, step, reach->frame) : NULL;
    if (step->skips)
        return alike ? alike
                     : gg_arena_printf(search->arena, "%s in no frame from %zu on", name,
                                       reach->frame + 1);
    const struct gg_pattern *fails = failing(step, &search->trace, reach->frame);
    return against(search, fails ? fails : pattern, reach->frame);
}

/* What keeps a rule from deciding that fits otherwise. */
static const char *why_rule(const struct search *search, const struct gg_entry *entry)
{
    const struct gg_rule *rule = &entry->rule;
    const char *why = NULL;
    if (!gg_condition_holds(&entry->condition, search->finding, search->context, search->arena,
                            &why))
        return why;
    if (rule->state == GG_RULE_EXPIRED && rule->expires)
        return gg_arena_printf(search->arena, "the rule ended on %s", rule->expires);
    if (rule->state == GG_RULE_MALFORMED && rule->fault)
        return gg_arena_printf(search->arena, "the rule cannot be used: %s", rule->fault);
    return "it fits, and another rule decided the finding before it";
}

static const char *why_not(const struct search *search, const struct gg_entry *entry)
{
    struct gg_reach reach;
    gg_sequence_match(entry, &search->trace, &reach);
    const char *kind = gg_entry_covers(entry, &search->subject) ? NULL : why_kind(search, entry);
    const char *step = reach.met < reach.count ? why_step(search, entry, &reach) : NULL;
    if (kind && step)
        return gg_arena_printf(search->arena, "%s; %s", kind, step);
    return kind ? kind : step ? step : why_rule(search, entry);
}

const struct gg_entry *gg_near(struct gg_arena *arena, struct gg_entry *const *entries,
                               size_t entry_count, const struct gg_report *report,
                               const struct gg_finding *finding,
                               const struct gg_condition_context *context, const char **why)
{
    struct search search = {.arena = arena,
                            .finding = finding,
                            .context = context,
                            .subject = gg_supp_subject(finding)};
    struct gg_trace_setting setting = gg_trace_setting(arena, report);
    const struct gg_entry *closest = NULL;
    struct nearness best = {0};
    gg_trace_set(&search.trace, finding, &setting);
    mark_telling(&search);
    for (size_t i = 0; i < entry_count; i++) {
        struct nearness nearness;
        if (measure(&search, entries[i], &nearness) && (!closest || is_closer(&nearness, &best))) {
            closest = entries[i];
            best = nearness;
        }
    }
    if (closest)
        *why = why_not(&search, closest);
    gg_trace_free(&search.trace);
    return closest;
}
