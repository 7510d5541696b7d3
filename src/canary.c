#include "canary.h"

#include "base/fs.h"
#include "base/out.h"
#include "base/vec.h"
#include "vcs/scratch.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCE "canary.c"

static const char *title_of(enum gg_kind kind)
{
    switch (kind) {
    case GG_KIND_Leak_DefinitelyLost:
        return "a leak";
    case GG_KIND_InvalidRead:
        return "an invalid read";
    case GG_KIND_UninitCondition:
        return "an uninitialised jump";
    default:
        return gg_kind_table[kind].title;
    }
}

/* "...code... / * canary_leak: Leak_DefinitelyLost * /" */
static bool parse_mark(struct gg_arena *arena, struct gg_str line, struct gg_selftest_fault *fault)
{
    static const char open[] = "/* canary_", close[] = " */";
    size_t at = gg_str_find(line, open);
    if (at == SIZE_MAX || !gg_str_ends(line, close))
        return false;
    struct gg_str mark = gg_str_n(line.ptr + at + 3, line.len - at - 3 - strlen(close));
    struct gg_str function, kind;
    gg_str_cut(mark, ':', &function, &kind);
    kind = gg_str_trim(kind);
    fault->kind = gg_kind_of(kind.ptr, kind.len);
    fault->title = title_of(fault->kind);
    fault->path = SOURCE;
    fault->function = gg_arena_strndup(arena, function.ptr, function.len);
    return true;
}

struct gg_selftest_fault *gg_canary_faults(struct gg_arena *arena, size_t *count)
{
    GG_VEC(struct gg_selftest_fault) faults = {0};
    struct gg_str line, rest = gg_str_n((const char *)gg_canary_source, gg_canary_source_len);
    for (uint32_t number = 1; gg_str_line(&rest, &line); number++) {
        struct gg_selftest_fault fault = {.line = number};
        if (parse_mark(arena, line, &fault))
            *gg_vec_push(arena, &faults) = fault;
    }
    *count = faults.len;
    return faults.at;
}

static bool write_program(const char *path, struct gg_error *err)
{
    struct gg_out *out = gg_out_file(path, err);
    if (!out)
        return false;
    gg_out_write(out, (const char *)gg_canary_program, gg_canary_program_len);
    if (!gg_out_close(out, err))
        return false;
    if (chmod(path, 0700) == 0 && access(path, X_OK) == 0)
        return true;
    gg_error_set(err,
                 "%s: no program can be run from there (%s; is it mounted noexec?): set TMPDIR to "
                 "a directory where one can",
                 path, strerror(errno));
    return false;
}

const char *gg_canary_put(struct gg_arena *arena, const char **directory, struct gg_error *err)
{
    const char *made = gg_fs_temp_dir(arena, err);
    if (!made)
        return NULL;
    *directory = gg_fs_real(arena, made);
    struct gg_str source = gg_str_n((const char *)gg_canary_source, gg_canary_source_len);
    const char *program = gg_fs_join(arena, made, "canary");
    if (*directory && write_program(program, err) && gg_scratch_make(made, SOURCE, source, err))
        return gg_fs_join(arena, *directory, "canary");
    gg_error_set(err, "%s: cannot be used: %s", made, strerror(errno));
    gg_fs_remove_tree(made);
    return NULL;
}
