/* One finding of a session that has judged: which one is meant, its story, and a suppression for
 * it. */
#include "session.h"

#include "base/suggest.h"
#include "match/near.h"
#include "match/suggest.h"
#include "write/story.h"

#include <string.h>

enum { NAMED_MOST = 5 };

/* --- by its id -------------------------------------------------------------------------- */

/* "ID, ID and 3 more" of the findings whose ids begin so. */
static const char *name_some(struct gg_session *session, const char *id)
{
    const struct gg_report *report = &session->report;
    const char *names = "";
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (strncmp(report->findings[i].id, id, strlen(id)) != 0)
            continue;
        if (count++ < NAMED_MOST)
            names = gg_arena_printf(&session->arena, "%s%s%s", names, names[0] ? ", " : "",
                                    report->findings[i].id);
    }
    return count > NAMED_MOST
               ? gg_arena_printf(&session->arena, "%s and %zu more", names, count - NAMED_MOST)
               : names;
}

static void refuse(struct gg_session *session, const char *id, size_t count, struct gg_error *err)
{
    const struct gg_report *report = &session->report;
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, gg_str(id));
    for (size_t i = 0; i < report->finding_count; i++)
        gg_suggest_offer(&suggest, report->findings[i].id);
    if (count)
        gg_error_set(err, "%s: several findings begin so: %s", id, name_some(session, id));
    else if (report->finding_count == 0)
        gg_error_set(err, "%s: the reports have no findings", id);
    else if (suggest.best)
        gg_error_set(err, "%s: is no finding of these reports; did you mean %s?", id, suggest.best);
    else
        gg_error_set(err, "%s: is no finding of these reports; they have %s", id,
                     name_some(session, ""));
}

const struct gg_finding *gg_session_find(struct gg_session *session, const char *id,
                                         struct gg_error *err)
{
    const struct gg_report *report = &session->report;
    const struct gg_finding *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        if (strcmp(finding->id, id) == 0)
            return finding;
        if (!id[0] || strncmp(finding->id, id, strlen(id)) != 0)
            continue;
        found = finding;
        count++;
    }
    if (count == 1)
        return found;
    refuse(session, id, count, err);
    return NULL;
}

/* --- its story -------------------------------------------------------------------------- */

static const char *bar_of(const struct gg_options *options)
{
    static const char *const bars[] = {[GG_FAIL_ON_NOTE] = "note",
                                       [GG_FAIL_ON_WARNING] = "warning",
                                       [GG_FAIL_ON_ERROR] = "error",
                                       [GG_FAIL_NEVER] = "never"};
    return bars[options->fail_on];
}

static void look_near(struct gg_session *session, struct gg_story *story)
{
    size_t count;
    struct gg_entry *const *entries = gg_rules_entries(session->rules, &count);
    struct gg_condition_context context = {.report = &session->report};
    if (session->options.branch)
        context.branch = gg_str(session->options.branch);
    const struct gg_entry *entry = gg_near(&session->arena, entries, count, &session->report,
                                           story->finding, &context, &story->near_why);
    story->near = entry ? &entry->rule : NULL;
}

void gg_session_explain(struct gg_session *session, const struct gg_finding *finding,
                        struct gg_out *out)
{
    struct gg_story story = {.report = &session->report,
                             .verdict = &session->verdict,
                             .finding = finding,
                             .fails = gg_decide_fails(&session->options, finding),
                             .bar = bar_of(&session->options)};
    if (!finding->rule && !finding->lapsed)
        look_near(session, &story);
    gg_story_put(out, &story);
}

/* --- a suppression for it --------------------------------------------------------------- */

struct wanted {
    const struct gg_finding **at;
    size_t len, cap;
};

static bool list_wanted(struct gg_session *session, const char *const *ids, struct wanted *wanted,
                        struct gg_error *err)
{
    const struct gg_report *report = &session->report;
    for (size_t i = 0; i < report->finding_count && !ids; i++) {
        if (report->findings[i].fate == GG_OPEN)
            *gg_vec_push(&session->arena, wanted) = &report->findings[i];
    }
    for (; ids && *ids; ids++) {
        const struct gg_finding *finding = gg_session_find(session, *ids, err);
        if (!finding)
            return false;
        *gg_vec_push(&session->arena, wanted) = finding;
    }
    return true;
}

const struct gg_suggestion *gg_session_suggest(struct gg_session *session, const char *const *ids,
                                               size_t *count, struct gg_error *err)
{
    struct wanted wanted = {0};
    if (!list_wanted(session, ids, &wanted, err))
        return NULL;
    return gg_suggest_blocks(&session->arena, &session->report, wanted.at, wanted.len, ids != NULL,
                             count);
}
