/* What "# gg:" comments make of a suppression's rule. */
#include "base/vec.h"
#include "match/rule_file.h"
#include "match/rule_value.h"

struct describing {
    struct gg_arena *arena;
    struct gg_entry *entry;
    struct gg_error fault; /* the first */
};

/* NULL when it is not said. */
static const char *text_of(struct describing *describing, const char *key, struct gg_str piece)
{
    if (piece.ptr && piece.len == 0)
        gg_error_set(&describing->fault,
                     "\"%s=\" says nothing: write its value behind it, or "
                     "leave it out",
                     key);
    return piece.len ? gg_metadata_text(describing->arena, piece) : NULL;
}

static struct gg_str visible(struct describing *describing, struct gg_str piece)
{
    return gg_str(gg_metadata_text(describing->arena, piece));
}

/* "unit.*, slow" -> globs, ended by an empty one; NULL when nothing is said, or one is none. */
static const struct gg_str *list_of(struct describing *describing, const char *key,
                                    struct gg_str piece)
{
    GG_VEC(struct gg_str) globs = {0};
    bool whole = true;
    if (!text_of(describing, key, piece)) {
        describing->entry->rule.unclear = describing->entry->rule.unclear || piece.ptr;
        return NULL;
    }
    while (piece.len) {
        struct gg_str item;
        gg_str_cut(piece, ',', &item, &piece);
        item = visible(describing, gg_str_trim(item));
        if (gg_rule_check_glob(key, item, &describing->fault))
            *gg_vec_push(describing->arena, &globs) = item;
        else
            whole = false;
    }
    gg_vec_push(describing->arena, &globs);
    describing->entry->rule.unclear = describing->entry->rule.unclear || !whole;
    return whole ? globs.at : NULL;
}

static void refuse_unknown(struct describing *describing, struct gg_str unknown)
{
    struct gg_str word = unknown, value;
    gg_str_cut(unknown, '=', &word, &value);
    const char *meant = gg_metadata_suggest(word);
    const char *text = visible(describing, unknown).ptr;
    if (unknown.ptr[0] == '"')
        gg_error_set(&describing->fault, "the quote of %s is not closed", text);
    else if (meant)
        gg_error_set(&describing->fault,
                     "\"%s\" is no key of a \"# gg:\" comment: did you mean "
                     "\"%s=\"?",
                     text, meant);
    else
        gg_error_set(&describing->fault,
                     "\"%s\" is no key of a \"# gg:\" comment: write id=, reason=, owner=, "
                     "ticket=, expires=, action=, tests= or branches=",
                     text);
}

/* "fixed in 2.4,expires=2030-01-31", "why until: 2030-01-31": a last day that nobody would see. */
static bool hides_a_day(struct gg_str text)
{
    int64_t day;
    bool after_sign = false;
    for (size_t i = 0; i + 10 <= text.len; i++) {
        if (after_sign && gg_rule_day(gg_str_n(text.ptr + i, 10), &day))
            return true;
        if (text.ptr[i] != ' ')
            after_sign = text.ptr[i] == '=' || text.ptr[i] == ':';
    }
    return false;
}

void gg_rule_describe(struct gg_arena *arena, const struct gg_supp *supp, struct gg_entry *entry)
{
    struct describing describing = {.arena = arena, .entry = entry};
    const struct gg_metadata *said = &supp->metadata;
    struct gg_rule *rule = &entry->rule;
    const char *id = text_of(&describing, "id", said->id);
    if (id)
        rule->id = id;
    if (said->unknown.len)
        refuse_unknown(&describing, said->unknown);
    if (said->stranger.len) /* it may have been the action */
        gg_rule_set_unclear_action(entry);
    rule->reason = text_of(&describing, "reason", said->reason);
    if (hides_a_day(said->reason))
        gg_error_set(&describing.fault, "the reason seems to say when the rule ends: write "
                                        "expires=YYYY-MM-DD behind a blank, for all to see");
    rule->owner = text_of(&describing, "owner", said->owner);
    rule->ticket = text_of(&describing, "ticket", said->ticket);
    if (text_of(&describing, "action", said->action))
        gg_rule_set_action(entry, visible(&describing, said->action), &describing.fault);
    if (text_of(&describing, "expires", said->expires))
        gg_rule_set_expires(arena, rule, visible(&describing, said->expires), &describing.fault);
    entry->condition.tests = list_of(&describing, "tests", said->tests);
    entry->condition.branches = list_of(&describing, "branches", said->branches);
    if (describing.fault.set) {
        rule->fault = gg_arena_strdup(arena, describing.fault.text);
        rule->state = GG_RULE_MALFORMED;
    }
}
