#include "vcs/scratch.h"

#include "base/out.h"
#include "vcs/handle.h"

static bool write_file(const char *directory, const char *name, struct gg_str text,
                       struct gg_error *err)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_out *out = gg_out_file(gg_arena_printf(&arena, "%s/%s", directory, name), err);
    if (out)
        gg_out_str(out, text);
    bool ok = out && gg_out_close(out, err);
    gg_arena_free(&arena);
    return ok;
}

/* An entry wants its blob to be there. 0, or libgit2's error. */
static int track(git_repository *git, const char *name, struct gg_str text)
{
    git_index *index = NULL;
    git_index_entry entry = {.mode = GIT_FILEMODE_BLOB, .path = name};
    int code = git_blob_create_from_buffer(&entry.id, git, text.ptr, text.len);
    if (code == 0)
        code = git_repository_index(&index, git);
    if (code == 0)
        code = git_index_add(index, &entry);
    if (code == 0)
        code = git_index_write(index);
    git_index_free(index);
    return code;
}

bool gg_scratch_make(const char *directory, const char *name, struct gg_str text,
                     struct gg_error *err)
{
    if (!write_file(directory, name, text, err))
        return false;
    git_libgit2_init();
    git_repository *git = NULL;
    int code = git_repository_init(&git, directory, 0);
    if (code == 0)
        code = track(git, name, text);
    if (code != 0)
        gg_error_set(err, "%s: no git repository can be made there: %s", directory,
                     gg_repo_cause());
    git_repository_free(git);
    git_libgit2_shutdown();
    return code == 0;
}
