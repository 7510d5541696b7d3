#include "config_before.h"
#include "rulebook.h"

#include "base/fs.h"
#include "vcs/base.h"

#include <jansson.h>
#include <string.h>

struct lists {
    struct gg_arena *arena;
    const char *directory; /* of the settings file, absolute */
    json_t *settings;      /* NULL: there were none, or none that can be read */
};

/* "FILE" or ["FILE", ...] of a key, made absolute unless they are names. */
static const char *const *list_of(const struct lists *lists, const char *key, bool files)
{
    const json_t *value = json_object_get(lists->settings, key);
    size_t count = json_is_string(value) ? 1 : json_array_size(value), kept = 0;
    const char **list = gg_arena_alloc(lists->arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const char *text =
            json_string_value(json_is_string(value) ? value : json_array_get(value, i));
        if (!text)
            continue;
        text = gg_arena_strdup(lists->arena, text);
        list[kept++] = files ? gg_fs_join(lists->arena, lists->directory, text) : text;
    }
    return kept ? list : NULL;
}

static void put_back(const struct lists *lists, struct gg_options *options)
{
    if (options->configured.rules)
        options->rules = list_of(lists, "rules", true);
    if (options->configured.suppressions)
        options->suppressions = list_of(lists, "suppressions", true);
    if (options->configured.packs)
        options->packs = list_of(lists, "packs", false);
}

bool gg_config_before(struct gg_session *session, struct gg_options *options, struct gg_error *err)
{
    struct gg_arena *arena = &session->arena;
    const char *root = gg_repo_root(session->repo);
    const char *inside =
        options->configured.file ? gg_rulebook_place(arena, root, options->configured.file) : NULL;
    struct gg_str text = {0};
    bool there;
    if (!inside)
        return true;
    if (!gg_base_file(session->repo, session->report.repository.base, inside, &there, &text, err))
        return false;
    size_t len = (size_t)(gg_fs_basename(inside) - inside);
    struct lists lists = {arena, gg_fs_join(arena, root, gg_arena_strndup(arena, inside, len)),
                          there ? json_loadb(text.ptr, text.len, 0, NULL) : NULL};
    put_back(&lists, options);
    json_decref(lists.settings);
    return true;
}
