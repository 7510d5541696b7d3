#include "vcs/handle.h"
#include "base/fs.h"

#include <stdlib.h>
#include <unistd.h>

#define LIBGIT2_AT_LEAST(minor) (LIBGIT2_VER_MAJOR > 1 || LIBGIT2_VER_MINOR >= (minor))
#define SHALLOW_LIMIT ((size_t)64 * 1024 * 1024)

const char *gg_repo_cause(void)
{
    const git_error *error = git_error_last();
    return error && error->message ? error->message : "unknown reason";
}

/* Objects are only read and nothing of the repository is run, so its owner does not matter; git
 * does not hash what it reads either; and the cache that matters is our own. */
static void set_options(void)
{
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
#if LIBGIT2_AT_LEAST(3)
    static const char *extensions[] = {"worktreeconfig", "partialclone", "preciousobjects",
                                       "relativeworktrees"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, sizeof extensions / sizeof *extensions);
#endif
#if LIBGIT2_AT_LEAST(5)
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
#endif
}

static void refuse(const char *where, int code, struct gg_error *err)
{
    const char *cause = gg_repo_cause();
    if (strstr(cause, "objectformat") || strstr(cause, "object format"))
        gg_error_set(err,
                     "%s: the repository uses SHA-256, which libgit2 %s cannot read; "
                     "use a SHA-1 clone",
                     where, LIBGIT2_VERSION);
    else if (strstr(cause, "extension"))
        gg_error_set(err, "%s: libgit2 %s cannot read this repository: %s; a newer libgit2 might",
                     where, LIBGIT2_VERSION, cause);
    else if (strstr(cause, "owned by"))
        gg_error_set(err, "%s: %s; run: git config --global --add safe.directory '%s'", where,
                     cause, where);
    else if (code == GIT_ENOTFOUND)
        gg_error_set(err, "%s: is not in a git repository; run inside one or name one with --repo",
                     where);
    else
        gg_error_set(err, "%s: the git repository cannot be opened: %s", where, cause);
}

/* The repository that git would use in the current directory: GIT_DIR and its like say where.
 * libgit2 knows them all but GIT_WORK_TREE, and refuses to go on when that is set. */
static int open_by_environment(git_repository **git)
{
    const char *work_tree = getenv("GIT_WORK_TREE"), *dir = getenv("GIT_DIR");
    if (!work_tree)
        return git_repository_open_ext(git, NULL, GIT_REPOSITORY_OPEN_FROM_ENV, NULL);
    unsigned here = GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT;
    int code = git_repository_open_ext(git, dir ? dir : ".", dir ? here : 0,
                                       getenv("GIT_CEILING_DIRECTORIES"));
    return code == 0 ? git_repository_set_workdir(*git, work_tree, 0) : code;
}

/* ".git/shallow": one id a line. A linked worktree shares its main repository's. */
static bool read_shallow(struct gg_repo *repo, struct gg_error *err)
{
    const char *path =
        gg_arena_printf(repo->arena, "%sshallow", git_repository_commondir(repo->git));
    struct gg_str text, line;
    if (access(path, F_OK) != 0)
        return true;
    if (!gg_fs_read(repo->arena, path, SHALLOW_LIMIT, &text, err))
        return false;
    while (gg_str_line(&text, &line)) {
        git_oid *id = gg_arena_alloc(repo->arena, sizeof *id);
        if (line.len >= 2 * GG_ID_SIZE && git_oid_fromstrn(id, line.ptr, 2 * GG_ID_SIZE) == 0)
            *gg_map_put(&repo->shallow, id, GG_ID_SIZE) = id;
    }
    return true;
}

static void close_repo(void *object)
{
    struct gg_repo *repo = object;
    git_odb_free(repo->odb);
    git_repository_free(repo->git);
    gg_map_free(&repo->shallow);
    git_libgit2_shutdown();
}

static struct gg_repo *finish_open(struct gg_arena *arena, git_repository *git, const char *where,
                                   struct gg_error *err)
{
    struct gg_repo *repo = gg_arena_alloc(arena, sizeof *repo);
    *repo = (struct gg_repo){.arena = arena, .git = git};
    gg_arena_defer(arena, close_repo, repo);
    const char *workdir = git_repository_workdir(git);
    if (git_repository_is_bare(git) || !workdir) {
        gg_error_set(err,
                     "%s: is a bare repository, without the files; clone it, or add a work "
                     "tree: git worktree add DIR",
                     where);
        return NULL;
    }
    repo->root = gg_fs_real(arena, workdir);
    if (!repo->root) {
        gg_error_set(err, "%s: the work tree is not there", workdir);
        return NULL;
    }
    if (git_repository_odb(&repo->odb, git) != 0) {
        refuse(where, -1, err);
        return NULL;
    }
    return read_shallow(repo, err) ? repo : NULL;
}

static struct gg_repo *open_with(struct gg_arena *arena, const char *start, unsigned flags,
                                 struct gg_error *err)
{
    const char *where = start ? start : getenv("GIT_DIR");
    if (!where)
        where = ".";
    if (access(where, F_OK) != 0) {
        gg_error_set(err, "%s: no such directory", where);
        return NULL;
    }
    git_libgit2_init();
    set_options();
    git_repository *git = NULL;
    int code = start
                   ? git_repository_open_ext(&git, start, flags, getenv("GIT_CEILING_DIRECTORIES"))
                   : open_by_environment(&git);
    if (code == 0)
        return finish_open(arena, git, where, err);
    refuse(where, code, err);
    git_repository_free(git);
    git_libgit2_shutdown();
    return NULL;
}

struct gg_repo *gg_repo_open(struct gg_arena *arena, const char *start, struct gg_error *err)
{
    return open_with(arena, start, 0, err);
}

struct gg_repo *gg_repo_open_at(struct gg_arena *arena, const char *dir, struct gg_error *err)
{
    return open_with(arena, dir, GIT_REPOSITORY_OPEN_NO_SEARCH, err);
}

bool gg_repo_head(struct gg_repo *repo, git_oid *id, bool *unborn, struct gg_error *err)
{
    int code = git_reference_name_to_id(id, repo->git, "HEAD");
    *unborn = code == GIT_ENOTFOUND;
    if (code == 0 || *unborn)
        return true;
    gg_error_set(err, "%s: HEAD cannot be read: %s; run git fsck", repo->root, gg_repo_cause());
    return false;
}

git_index *gg_repo_index(struct gg_repo *repo, struct gg_error *err)
{
    git_index *index = NULL;
    if (git_repository_index(&index, repo->git) == 0)
        return index;
    gg_error_set(err,
                 "%s: the index cannot be read: %s; have git write a plain one: "
                 "git -c index.sparse=false update-index --no-split-index --force-write-index",
                 repo->root, gg_repo_cause());
    return NULL;
}

static int stop_at_first(const git_diff *diff, const git_diff_delta *delta, const char *pathspec,
                         void *payload)
{
    (void)diff;
    (void)delta;
    (void)pathspec;
    *(bool *)payload = true;
    return GIT_EUSER;
}

/* Does the work tree or the index hold anything of a tracked file that HEAD does not? */
static bool is_dirty(struct gg_repo *repo, const char *head)
{
    git_object *tree = NULL;
    git_diff *diff = NULL;
    bool dirty = false;
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
    options.notify_cb = stop_at_first;
    options.payload = &dirty;
    if (head[0])
        git_revparse_single(&tree, repo->git, "HEAD^{tree}");
    git_diff_tree_to_index(&diff, repo->git, (git_tree *)tree, NULL, &options);
    git_diff_free(diff);
    diff = NULL;
    if (!dirty)
        git_diff_index_to_workdir(&diff, repo->git, NULL, &options);
    git_diff_free(diff);
    git_object_free(tree);
    return dirty;
}

const char *gg_repo_root(const struct gg_repo *repo)
{
    return repo->root;
}

void gg_repo_describe(struct gg_repo *repo, struct gg_repository *repository)
{
    git_oid head;
    bool unborn = true;
    struct gg_error ignored = {0};
    repository->root = repo->root;
    repository->head[0] = '\0';
    if (gg_repo_head(repo, &head, &unborn, &ignored) && !unborn)
        git_oid_tostr(repository->head, sizeof repository->head, &head);
    repository->shallow = repo->shallow.count > 0;
    repository->dirty = is_dirty(repo, repository->head);
}
