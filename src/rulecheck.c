/* Rules looked at: by themselves, or after a session applied them. */
#include "rulebook.h"
#include "session.h"

#include "base/fs.h"
#include "capture/valgrind.h"
#include "match/lint.h"
#include "match/packs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that a line of text names. */
enum { NAMES_MOST = 10 };

struct held {
    struct gg_rule_check check; /* first: what is handed out */
    struct gg_arena arena;
    struct gg_rules *rules;
    const char *valgrind; /* its version; NULL: it was not asked, or has none */
    GG_VEC(struct gg_concern) concerns;
    GG_VEC(struct gg_usable_block) usable;
};

static void refuse(struct held *held, const char *file, uint32_t line, const char *text)
{
    *gg_vec_push(&held->arena, &held->concerns) = (struct gg_concern){
        .kind = "refused", .file = file, .line = line, .text = text, .fault = true};
}

/* "FILE:LINE: what is wrong" in its parts. */
static void refuse_by(struct held *held, const char *file, const struct gg_error *err)
{
    struct gg_str text = gg_str(err->text), number, rest;
    uint64_t line = 0;
    const char *what = gg_arena_strdup(&held->arena, err->text);
    size_t skip = strlen(file) + 1;
    if (gg_str_starts(text, file) && text.len > skip && text.ptr[skip - 1] == ':') {
        what += skip;
        gg_str_cut(gg_str(what), ':', &number, &rest);
        if (gg_str_u64(number, false, &line))
            what = rest.ptr;
        what += strspn(what, " ");
    }
    refuse(held, file, (uint32_t)line, what);
}

/* --- refused files ---------------------------------------------------------------------- */

static void add_usable(struct held *held, const struct gg_rule *rule)
{
    *gg_vec_push(&held->arena, &held->usable) =
        (struct gg_usable_block){.file = rule->file, .line = rule->line, .id = rule->id};
}

/* The blocks from `first` on, the first of them by name. */
static const char *salvaged(struct held *held, size_t first)
{
    size_t count = held->usable.len - first, shown = count < NAMES_MOST ? count : NAMES_MOST;
    const char *text =
        count == 1
            ? "1 block of the file can still be used"
            : gg_arena_printf(&held->arena, "%zu blocks of the file can still be used", count);
    for (size_t i = 0; i < shown; i++) {
        const struct gg_usable_block *block = &held->usable.at[first + i];
        text = gg_arena_printf(&held->arena, "%s%s \"%s\" at line %" PRIu32, text, i ? "," : ":",
                               block->id, block->line);
    }
    return shown == count ? text
                          : gg_arena_printf(&held->arena, "%s and %zu more", text, count - shown);
}

/* What is wrong with each block that keeps the file from being read. */
static void refuse_blocks(struct held *held, const char *file, const struct gg_supp_fault *faults,
                          size_t count, size_t first_usable)
{
    for (size_t i = 0; i < count; i++) {
        const char *what = i ? faults[i].reason
                             : gg_arena_printf(&held->arena, "%s (%s)", faults[i].reason,
                                               salvaged(held, first_usable));
        refuse(held, file, faults[i].line, what);
    }
}

static void salvage(struct held *held, const char *file, struct gg_str text)
{
    size_t before, after, count, first = held->usable.len;
    gg_rules_list(held->rules, &before);
    const struct gg_supp_fault *faults = gg_rules_salvage_supp(held->rules, file, text, &count);
    struct gg_rule **rules = gg_rules_list(held->rules, &after);
    for (size_t i = before; i < after; i++)
        add_usable(held, rules[i]);
    refuse_blocks(held, file, faults, count, first);
}

/* --- looking ---------------------------------------------------------------------------- */

static void look_at(struct held *held, const char *file, bool json)
{
    struct gg_str text;
    struct gg_error err = {0};
    file = gg_arena_strdup(&held->arena, file);
    bool read = gg_fs_read(&held->arena, file, GG_RULEBOOK_LIMIT, &text, &err);
    if (read && json)
        read = gg_rules_add_json(held->rules, file, text, &err);
    else if (read && !gg_rules_add_supp(held->rules, file, text, &err))
        salvage(held, file, text);
    if (!read)
        refuse_by(held, file, &err);
}

static void look_at_all(struct held *held, const char *const *files, bool json)
{
    for (; files && *files; files++)
        look_at(held, *files, json);
}

/* Only whether the valgrind at hand would load it. */
static void try_to_load(struct held *held, const char *file, struct gg_str text)
{
    GG_VEC(struct gg_supp_fault) faults = {0};
    size_t first = held->usable.len;
    struct gg_supp_parser *parser = gg_supp_parser_new(&held->arena, file, text);
    gg_supp_parser_under(parser, held->valgrind);
    for (;;) {
        struct gg_error err = {0};
        const struct gg_supp *supp = gg_supp_parse(parser, &err);
        if (supp)
            add_usable(held, &supp->rule);
        else if (err.set)
            *gg_vec_push(&held->arena, &faults) = gg_supp_recover(parser);
        else
            break;
    }
    held->check.rule_count += held->usable.len - first;
    if (faults.len)
        refuse_blocks(held, file, faults.at, faults.len, first);
    else
        held->usable.len = first;
}

static void look_at_syntax(struct held *held, const char *file)
{
    struct gg_str text;
    struct gg_error err = {0};
    file = gg_arena_strdup(&held->arena, file);
    if (gg_str_ends(gg_str(file), ".json"))
        refuse(held, file, 0,
               "rules in JSON are no file that valgrind loads; look at them without --syntax-only");
    else if (gg_fs_read(&held->arena, file, GG_RULEBOOK_LIMIT, &text, &err))
        try_to_load(held, file, text);
    else
        refuse_by(held, file, &err);
}

static int by_place(const void *a, const void *b)
{
    const struct gg_concern *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->text, y->text);
}

/* valgrind's version. Without one the newest is taken, which knows all kinds. */
static void ask_valgrind(struct held *held, const struct gg_options *options)
{
    struct gg_error ignored = {0};
    held->valgrind = gg_valgrind_version(&held->arena, options->valgrind, &ignored);
}

/* Blocks that the valgrind at hand does not know yet. It is asked when there are any it may not. */
static void find_newer(struct held *held, const struct gg_options *options,
                       struct gg_entry *const *entries, size_t count)
{
    bool asked = false;
    for (size_t i = 0; i < count; i++) {
        const struct gg_supp *supp = entries[i]->supp;
        if (!supp || !supp->kind || !supp->kind->since)
            continue;
        if (!asked)
            ask_valgrind(held, options);
        asked = true;
        const char *newer = gg_supp_newer(&held->arena, supp->kind, held->valgrind);
        if (newer)
            *gg_vec_push(&held->arena, &held->concerns) =
                (struct gg_concern){.kind = "newer-valgrind",
                                    .file = supp->rule.file,
                                    .line = supp->kind_line,
                                    .id = supp->rule.id,
                                    .rule = &entries[i]->rule,
                                    .text = newer};
    }
}

static void find_concerns(struct held *held, const struct gg_options *options)
{
    size_t count;
    struct gg_entry **entries = gg_rules_entries(held->rules, &held->check.rule_count);
    struct gg_concern *found = gg_lint(&held->arena, entries, held->check.rule_count, NULL, &count);
    for (size_t i = 0; i < count; i++)
        *gg_vec_push(&held->arena, &held->concerns) = found[i];
    find_newer(held, options, entries, held->check.rule_count);
}

static struct held *held_new(void)
{
    struct held *held = gg_alloc(sizeof *held);
    gg_arena_init(&held->arena);
    return held;
}

static struct gg_rule_check *hand_out(struct held *held)
{
    struct gg_rule_check *check = &held->check;
    if (held->concerns.len)
        qsort(held->concerns.at, held->concerns.len, sizeof *held->concerns.at, by_place);
    check->concerns = held->concerns.at;
    check->concern_count = held->concerns.len;
    check->usable = held->usable.at;
    check->usable_count = held->usable.len;
    return check;
}

struct gg_rule_check *gg_rule_check_new(const struct gg_options *options, const char *const *files)
{
    struct held *held = held_new();
    struct gg_rules_context context = gg_rulebook_context(options, NULL);
    held->rules = gg_rules_new(&held->arena, &context);
    if (!files) {
        look_at_all(held, options->rules, true);
        look_at_all(held, options->suppressions, false);
    }
    for (; files && *files; files++)
        look_at(held, *files, gg_str_ends(gg_str(*files), ".json"));
    find_concerns(held, options);
    return hand_out(held);
}

struct gg_rule_check *gg_rule_check_syntax(const struct gg_options *options,
                                           const char *const *files)
{
    struct held *held = held_new();
    ask_valgrind(held, options);
    for (files = files ? files : options->suppressions; files && *files; files++)
        look_at_syntax(held, *files);
    return hand_out(held);
}

void gg_rule_check_free(struct gg_rule_check *check)
{
    if (!check)
        return;
    struct held *held = (struct held *)check;
    gg_arena_free(&held->arena);
    free(held);
}

const struct gg_concern *gg_session_concerns(struct gg_session *session, size_t *count)
{
    size_t entry_count;
    struct gg_entry **entries = gg_rules_entries(session->rules, &entry_count);
    return gg_lint(&session->arena, entries, entry_count, &session->report, count);
}

bool gg_pack_at(size_t index, struct gg_pack_info *info)
{
    size_t count;
    const struct gg_pack *packs = gg_packs(&count);
    if (index < count)
        *info =
            (struct gg_pack_info){packs[index].name, packs[index].summary, packs[index].objects};
    return index < count;
}
