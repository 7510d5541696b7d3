/* Rules looked at: by themselves, or after a session applied them. */
#include "rulebook.h"
#include "session.h"

#include "base/fs.h"
#include "match/lint.h"
#include "match/packs.h"

#include <stdlib.h>
#include <string.h>

struct held {
    struct gg_rule_check check; /* first: what is handed out */
    struct gg_arena arena;
    struct gg_rules *rules;
    GG_VEC(struct gg_concern) concerns;
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

static const char *salvaged(struct held *held, size_t count)
{
    return count == 1
               ? "1 block of the file can still be used"
               : gg_arena_printf(&held->arena, "%zu blocks of the file can still be used", count);
}

/* What is wrong with each block that keeps the file from being read. */
static void salvage(struct held *held, const char *file, struct gg_str text)
{
    size_t before, after, count;
    gg_rules_list(held->rules, &before);
    const struct gg_supp_fault *faults = gg_rules_salvage_supp(held->rules, file, text, &count);
    gg_rules_list(held->rules, &after);
    for (size_t i = 0; i < count; i++) {
        const char *what = i ? faults[i].reason
                             : gg_arena_printf(&held->arena, "%s (%s)", faults[i].reason,
                                               salvaged(held, after - before));
        refuse(held, file, faults[i].line, what);
    }
}

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

static int by_place(const void *a, const void *b)
{
    const struct gg_concern *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->text, y->text);
}

static void find_concerns(struct held *held)
{
    struct gg_rule_check *check = &held->check;
    size_t count;
    struct gg_entry **entries = gg_rules_entries(held->rules, &check->rule_count);
    struct gg_concern *found = gg_lint(&held->arena, entries, check->rule_count, NULL, &count);
    for (size_t i = 0; i < count; i++)
        *gg_vec_push(&held->arena, &held->concerns) = found[i];
    if (held->concerns.len > count)
        qsort(held->concerns.at, held->concerns.len, sizeof *held->concerns.at, by_place);
    check->concerns = held->concerns.at;
    check->concern_count = held->concerns.len;
}

struct gg_rule_check *gg_rule_check_new(const struct gg_options *options, const char *const *files)
{
    struct held *held = gg_alloc(sizeof *held);
    struct gg_rules_context context = gg_rulebook_context(options, NULL);
    gg_arena_init(&held->arena);
    held->rules = gg_rules_new(&held->arena, &context);
    if (!files) {
        look_at_all(held, options->rules, true);
        look_at_all(held, options->suppressions, false);
    }
    for (; files && *files; files++)
        look_at(held, *files, gg_str_ends(gg_str(*files), ".json"));
    find_concerns(held);
    return &held->check;
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
