#include "rulebook.h"

#include "base/fs.h"
#include "base/suggest.h"
#include "match/packs.h"
#include "model/note.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum { SECONDS_A_DAY = 24 * 60 * 60, NOTES_MOST = 50 };

static const char automatic[] = "auto";

struct gg_rules_context gg_rulebook_context(const struct gg_options *options, const char *branch)
{
    return (struct gg_rules_context){.today = options->today ? options->today
                                                             : (int64_t)time(NULL) / SECONDS_A_DAY,
                                     .branch = options->branch ? options->branch : branch};
}

/* --- files ------------------------------------------------------------------------------ */

/* What is behind the root in the path; NULL when the path does not lead there. */
static const char *below(const char *root, const char *path)
{
    size_t len = strlen(root);
    if (!path || strncmp(path, root, len) != 0)
        return NULL;
    if (len == 1)
        return path + 1;
    return path[len] == '/' ? path + len + 1 : NULL;
}

const char *gg_rulebook_place(struct gg_arena *arena, const char *root, const char *path)
{
    const char *here = gg_fs_real(arena, ".");
    const char *full = here ? gg_fs_join(arena, here, path) : path;
    const char *inside = below(root, gg_fs_normalise(arena, gg_str(full)));
    return inside ? inside : below(root, gg_fs_real(arena, path));
}

static bool read_here(void *self, const char *path, const char *inside, bool *there,
                      struct gg_str *text, struct gg_error *err)
{
    (void)inside;
    *there = true;
    return gg_fs_read(self, path, GG_RULEBOOK_LIMIT, text, err);
}

struct gg_rulebook_source gg_rulebook_here(struct gg_arena *arena, const char *root)
{
    return (struct gg_rulebook_source){arena, read_here, root, true};
}

typedef bool add_file(struct gg_rules *rules, const char *name, struct gg_str text,
                      struct gg_error *err);

static bool add_files(struct gg_arena *arena, struct gg_rules *rules, const char *const *paths,
                      add_file *add, const struct gg_rulebook_source *source, struct gg_error *err)
{
    for (; paths && *paths; paths++) {
        struct gg_str text;
        struct gg_error refused = {0};
        bool there;
        const char *inside = gg_rulebook_place(arena, source->root, *paths);
        if (!source->read(source->self, *paths, inside, &there, &text, err))
            return false;
        if (!there || add(rules, inside ? inside : *paths, text, &refused) ||
            !source->refusals_matter)
            continue;
        if (add == gg_rules_add_supp && gg_str_ends(gg_str(*paths), ".json"))
            gg_error_set(err, "%s; rules in JSON are given with --rules", refused.text);
        else if (add == gg_rules_add_supp)
            gg_error_set(err,
                         "%s; grindgate rules lint %s shows every fault and what can still be used",
                         refused.text, *paths);
        else
            gg_error_set(err, "%s", refused.text);
        return false;
    }
    return true;
}

/* --- packs ------------------------------------------------------------------------------ */

static bool check_packs(const char *const *names, struct gg_error *err)
{
    for (; names && *names; names++) {
        if (strcmp(*names, automatic) == 0 || gg_pack_find(*names))
            continue;
        size_t count;
        const struct gg_pack *packs = gg_packs(&count);
        struct gg_suggest suggest;
        gg_suggest_begin(&suggest, gg_str(*names));
        gg_suggest_offer(&suggest, automatic);
        for (size_t i = 0; i < count; i++)
            gg_suggest_offer(&suggest, packs[i].name);
        if (suggest.best)
            gg_error_set(err, "%s: is no pack; did you mean %s?", *names, suggest.best);
        else
            gg_error_set(err, "%s: is no pack; 'grindgate rules list' shows them", *names);
        return false;
    }
    return true;
}

static bool is_named(const char *const *names, const char *name)
{
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0)
            return true;
    }
    return false;
}

struct gg_rules *gg_rulebook_open(struct gg_arena *arena, const struct gg_options *options,
                                  const struct gg_rules_context *context,
                                  const struct gg_rulebook_source *source, struct gg_error *err)
{
    struct gg_rules *rules = gg_rules_new(arena, context);
    bool read = (!source->refusals_matter || check_packs(options->packs, err)) &&
                add_files(arena, rules, options->rules, gg_rules_add_json, source, err) &&
                add_files(arena, rules, options->suppressions, gg_rules_add_supp, source, err);
    return read ? rules : NULL;
}

/* In the order of their names, whatever the order in which they were asked for: each is for
 * libraries of its own. */
bool gg_rulebook_add_packs(struct gg_rules *rules, const struct gg_options *options,
                           const struct gg_report *report, struct gg_error *err)
{
    size_t count;
    const struct gg_pack *packs = gg_packs(&count);
    bool chosen = is_named(options->packs, automatic);
    for (size_t i = 0; i < count; i++) {
        char name[64] = "pack:";
        if (!is_named(options->packs, packs[i].name) &&
            !(chosen && gg_pack_applies(&packs[i], report)))
            continue;
        strncat(name, packs[i].name, sizeof name - strlen(name) - 1);
        if (!gg_rules_add_supp(rules, name, packs[i].text, err))
            return false;
    }
    return true;
}

/* --- notes ------------------------------------------------------------------------------ */

/* Without a rule that makes more count a run may be green that is red with it. */
static bool is_doubtful(const struct gg_rule *rule)
{
    return rule->state == GG_RULE_MALFORMED && rule->action != GG_ACTION_SUPPRESS;
}

static void add_note(struct gg_arena *arena, struct gg_report *report, const struct gg_rule *rule,
                     const char *kind, const char *text)
{
    struct gg_note note = {.kind = kind,
                           .text = text,
                           .where = gg_arena_printf(arena, "%s:%" PRIu32, rule->file, rule->line),
                           .incomplete = is_doubtful(rule)};
    gg_report_note(arena, report, &note);
}

static void note_rule(struct gg_arena *arena, struct gg_report *report, const struct gg_rule *rule)
{
    if (rule->state == GG_RULE_MALFORMED)
        add_note(arena, report, rule, "rule-malformed",
                 gg_arena_printf(arena, "rule \"%s\" decides nothing until it is mended: %s",
                                 rule->id, rule->fault));
    else
        add_note(arena, report, rule, "rule-expired",
                 gg_arena_printf(arena,
                                 "rule \"%s\" decides nothing since its last day, %s, is over; "
                                 "%" PRIu64 " finding%s would fit it",
                                 rule->id, rule->expires, rule->matches,
                                 rule->matches == 1 ? "" : "s"));
}

/* A file full of them is told by the first ones. */
void gg_rulebook_note(struct gg_arena *arena, struct gg_report *report)
{
    size_t noted = 0;
    bool doubtful = false;
    for (size_t i = 0; i < report->rule_count; i++) {
        const struct gg_rule *rule = report->rules[i];
        bool over = rule->state == GG_RULE_EXPIRED && rule->matches > 0;
        if (rule->state != GG_RULE_MALFORMED && !over)
            continue;
        if (noted++ < NOTES_MOST)
            note_rule(arena, report, rule);
        else
            doubtful = doubtful || is_doubtful(rule);
    }
    if (noted <= NOTES_MOST)
        return;
    struct gg_note note = {
        .kind = "rule-malformed",
        .text = gg_arena_printf(arena,
                                "%zu more rules decide nothing, as they are malformed or over: see "
                                "'grindgate rules lint'",
                                noted - NOTES_MOST),
        .incomplete = doubtful};
    gg_report_note(arena, report, &note);
}
