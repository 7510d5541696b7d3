#include "cli/config.h"
#include "base/fs.h"
#include "base/str.h"
#include "base/suggest.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_MAX (1u << 20)
#define DEFAULT_NAME "grindgate.json"

struct loading {
    struct gg_opts *opts;
    const char *path;
    const char *directory; /* with a slash at its end, or "" */
    struct gg_str text;
    struct gg_config *config;
    struct gg_error *err;
};

/* jansson keeps no positions, so the line is where the key first stands in quotes. */
static unsigned line_of(const struct loading *loading, const char *key)
{
    char *quoted = gg_arena_printf(loading->opts->arena, "\"%s\"", key);
    size_t at = gg_str_find(loading->text, quoted);
    if (at == SIZE_MAX)
        return 0;
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += loading->text.ptr[i] == '\n';
    return line;
}

static bool fail(struct loading *loading, const char *key, const char *what)
{
    gg_error_at(loading->err, loading->path, line_of(loading, key), "\"%s\" %s", key, what);
    return false;
}

/* Options whose value names a file of the repository. An output is "FORMAT:PATH". */
static const char *rebase(struct loading *loading, enum gg_opt_id id, const char *value)
{
    struct gg_arena *arena = loading->opts->arena;
    if (id == GG_OPT_RULE_FILE || id == GG_OPT_SUPPRESSIONS || id == GG_OPT_KEEP ||
        id == GG_OPT_CTEST)
        return gg_fs_join(arena, loading->directory, value);
    struct gg_str format, path;
    if (id == GG_OPT_OUTPUT && gg_str_cut(gg_str(value), ':', &format, &path) && path.len &&
        !gg_str_is(path, "-"))
        return gg_arena_printf(arena, "%.*s:%s", (int)format.len, format.ptr,
                               gg_fs_join(arena, loading->directory, path.ptr));
    return value;
}

/* A configuration may come from a stranger's branch, and `check` runs nothing of theirs: what it
 * writes must stay in the repository, also where a link of the repository leads elsewhere. */
static bool stays_inside(struct loading *loading, const char *output)
{
    struct gg_arena *arena = loading->opts->arena;
    struct gg_str format, path;
    if (!gg_str_cut(gg_str(output), ':', &format, &path) || !path.len || gg_str_is(path, "-"))
        return true;
    char *normal = gg_fs_normalise(arena, path);
    if (normal[0] == '/' || strcmp(normal, "..") == 0 || strncmp(normal, "../", 3) == 0)
        return false;
    char *full = gg_fs_join(arena, loading->directory, normal);
    size_t len = (size_t)(gg_fs_basename(full) - full);
    const char *parent = gg_fs_real(arena, len ? gg_arena_strndup(arena, full, len) : ".");
    const char *root = gg_fs_real(arena, loading->directory[0] ? loading->directory : ".");
    size_t depth = root ? strlen(root) : 0;
    return !parent || !root ||
           (strncmp(parent, root, depth) == 0 && (parent[depth] == '/' || parent[depth] == '\0'));
}

static bool set(struct loading *loading, enum gg_opt_id id, const char *key, const char *value)
{
    if (id == GG_OPT_OUTPUT && !stays_inside(loading, value))
        return fail(loading, key, "leads out of the directory of this file: use -o for that");
    unsigned line = line_of(loading, key);
    char *where = line
                      ? gg_arena_printf(loading->opts->arena, "%s:%u: %s", loading->path, line, key)
                      : gg_arena_printf(loading->opts->arena, "%s: %s", loading->path, key);
    value = gg_arena_strdup(loading->opts->arena, value);
    return gg_opt_set(loading->opts, id, GG_OPT_FROM_CONFIG, where, rebase(loading, id, value),
                      loading->err);
}

static bool set_list(struct loading *loading, enum gg_opt_id id, const char *key,
                     const json_t *value)
{
    size_t index;
    const json_t *item;
    if (json_is_string(value))
        return set(loading, id, key, json_string_value(value));
    if (!json_is_array(value))
        return fail(loading, key, "must be a list of strings");
    json_array_foreach(value, index, item)
    {
        if (!json_is_string(item))
            return fail(loading, key, "must be a list of strings");
        if (!set(loading, id, key, json_string_value(item)))
            return false;
    }
    return true;
}

static bool set_option(struct loading *loading, enum gg_opt_id id, const char *key,
                       const json_t *value)
{
    enum gg_opt_type type = gg_opt_table[id].type;
    if (type == GG_OPT_LIST)
        return set_list(loading, id, key, value);
    if (type == GG_OPT_FLAG) {
        if (!json_is_boolean(value))
            return fail(loading, key, "must be true or false");
        return set(loading, id, key, json_is_true(value) ? "true" : "false");
    }
    bool number = type == GG_OPT_NUMBER || type == GG_OPT_COUNT;
    if (json_is_integer(value) && (number || type == GG_OPT_SIZE)) {
        char *digits = gg_arena_printf(loading->opts->arena, "%" JSON_INTEGER_FORMAT,
                                       json_integer_value(value));
        return set(loading, id, key, digits);
    }
    if (!json_is_string(value) || number)
        return fail(loading, key, number ? "must be a number" : "must be a string");
    return set(loading, id, key, json_string_value(value));
}

static bool set_command(struct loading *loading, const json_t *value)
{
    size_t count = json_array_size(value);
    const char **command = gg_arena_alloc(loading->opts->arena, (count + 1) * sizeof *command);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(value, i));
        if (!word)
            return fail(loading, "command", "must be a list of strings");
        bool in_repository = i == 0 && word[0] != '/' && strchr(word, '/');
        command[i] = in_repository ? gg_fs_join(loading->opts->arena, loading->directory, word)
                                   : gg_arena_strdup(loading->opts->arena, word);
    }
    if (!count)
        return fail(loading, "command", "must be a list of strings, the program first");
    loading->config->command = command;
    return true;
}

static int option_of(const char *full)
{
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_opt_table[id].key && strcmp(gg_opt_table[id].key, full) == 0)
            return id;
    }
    return -1;
}

static bool unknown(struct loading *loading, const char *key)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, gg_str(key));
    gg_suggest_offer(&suggest, "command");
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_opt_table[id].key)
            gg_suggest_offer(&suggest, gg_opt_table[id].key);
    }
    if (!suggest.best)
        return fail(loading, key, "is no setting");
    return fail(
        loading, key,
        gg_arena_printf(loading->opts->arena, "is no setting; did you mean \"%s\"?", suggest.best));
}

/* The members of the file (`prefix` "") or of an object in it (`prefix` "policy."). */
static bool set_members(struct loading *loading, const char *prefix, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char *full = gg_arena_printf(loading->opts->arena, "%s%s", prefix, key);
        int id = option_of(full);
        bool ok;
        if (id >= 0)
            ok = set_option(loading, (enum gg_opt_id)id, key, value);
        else if (strcmp(full, "command") == 0)
            ok = set_command(loading, value);
        else if (strcmp(full, "policy") == 0 && json_is_object(value))
            ok = set_members(loading, "policy.", value);
        else if (strcmp(full, "$schema") == 0)
            ok = true;
        else
            ok = unknown(loading, key);
        if (!ok)
            return false;
    }
    return true;
}

static bool parse(struct loading *loading)
{
    json_error_t error;
    json_t *root = json_loadb(loading->text.ptr, loading->text.len, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        gg_error_at(loading->err, loading->path, error.line > 0 ? (unsigned)error.line : 0, "%s",
                    error.text);
        return false;
    }
    bool ok = json_is_object(root);
    if (!ok)
        gg_error_at(loading->err, loading->path, 1, "must be a JSON object: {\"fail_on\": ...}");
    ok = ok && set_members(loading, "", root);
    json_decref(root);
    return ok;
}

bool gg_config_load(struct gg_opts *opts, const char *root, struct gg_config *config,
                    struct gg_error *err)
{
    *config = (struct gg_config){0};
    const char *path = gg_opt_text(opts, GG_OPT_CONFIG);
    if (!path && root) {
        opts->config = gg_fs_join(opts->arena, root, DEFAULT_NAME);
        path = access(opts->config, F_OK) == 0 ? opts->config : NULL;
    } else {
        opts->config = path;
    }
    if (!path)
        return true;
    struct loading loading = {.opts = opts, .path = path, .config = config, .err = err};
    size_t directory = (size_t)(gg_fs_basename(path) - path);
    loading.directory =
        directory ? gg_arena_strndup(opts->arena, path, directory > 1 ? directory - 1 : 1) : "";
    config->path = path;
    return gg_fs_read(opts->arena, path, CONFIG_MAX, &loading.text, err) && parse(&loading);
}
