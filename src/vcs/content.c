#include "vcs/content.h"
#include "base/fs.h"

#include <sys/stat.h>

static enum gg_content_kind kind_of(struct gg_arena *arena, struct gg_repo *repo, const char *path,
                                    char **full)
{
    struct stat st;
    *full = gg_repo_locate(arena, repo, path);
    if (*full)
        return lstat(*full, &st) == 0 && S_ISREG(st.st_mode) ? GG_CONTENT_FILE : GG_CONTENT_OTHER;
    return lstat(gg_fs_join(arena, repo->root, path), &st) == 0 ? GG_CONTENT_OTHER
                                                                : GG_CONTENT_ABSENT;
}

/* ".gitattributes" may send a file through a program of the user's ("*.c filter=indent"). Only
 * git runs those. */
static bool is_foreign(struct gg_arena *arena, struct gg_repo *repo, const char *path,
                       struct gg_error *err)
{
    const char *filter = NULL, *encoding = NULL, *command = NULL;
    git_attr_get(&filter, repo->git, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, "filter");
    git_attr_get(&encoding, repo->git, GIT_ATTR_CHECK_FILE_THEN_INDEX, path,
                 "working-tree-encoding");
    if (git_attr_value(encoding) == GIT_ATTR_VALUE_STRING) {
        gg_error_set(err, "%s is converted from %s by git; ask git blame", path, encoding);
        return true;
    }
    git_config *config = NULL;
    if (git_attr_value(filter) != GIT_ATTR_VALUE_STRING ||
        git_repository_config_snapshot(&config, repo->git) != 0)
        return false;
    if (git_config_get_string(&command, config,
                              gg_arena_printf(arena, "filter.%s.clean", filter)) == 0 ||
        git_config_get_string(&command, config,
                              gg_arena_printf(arena, "filter.%s.process", filter)) == 0)
        gg_error_set(err, "%s passes the filter '%s', which only git runs; ask git blame", path,
                     filter);
    git_config_free(config);
    return command != NULL;
}

static int apply(git_filter_list *filters, struct gg_str text, git_buf *result)
{
#if LIBGIT2_VER_MAJOR > 1 || LIBGIT2_VER_MINOR >= 2
    return git_filter_list_apply_to_buffer(result, filters, text.ptr, text.len);
#else
    git_buf borrowed = {.ptr = (char *)text.ptr, .size = text.len};
    return git_filter_list_apply_to_data(result, filters, &borrowed);
#endif
}

/* What libgit2 itself can undo: core.autocrlf, eol and ident attributes. */
static bool clean(struct gg_arena *arena, struct gg_repo *repo, const char *path,
                  struct gg_str *text, struct gg_error *err)
{
    git_filter_list *filters = NULL;
    git_buf result = {0};
    int code = git_filter_list_load(&filters, repo->git, NULL, path, GIT_FILTER_TO_ODB,
                                    GIT_FILTER_ALLOW_UNSAFE);
    if (code == 0 && filters) {
        code = apply(filters, *text, &result);
        if (code == 0)
            *text = gg_str_n(gg_arena_strndup(arena, result.ptr, result.size), result.size);
        git_buf_dispose(&result);
    }
    git_filter_list_free(filters);
    if (code != 0)
        gg_error_set(err, "%s: cannot be converted as for a commit: %s", path, gg_repo_cause());
    return code == 0;
}

bool gg_content_read(struct gg_arena *arena, struct gg_repo *repo, const char *path,
                     struct gg_content *content, struct gg_error *err)
{
    char *full = NULL;
    *content = (struct gg_content){.kind = kind_of(arena, repo, path, &full)};
    if (content->kind != GG_CONTENT_FILE)
        return true;
    if (!gg_fs_read(arena, full, GG_OBJECT_LIMIT, &content->text, err) ||
        is_foreign(arena, repo, path, err) || !clean(arena, repo, path, &content->text, err))
        return false;
    git_odb_hash(&content->id, content->text.ptr, content->text.len, GIT_OBJECT_BLOB);
    return true;
}
