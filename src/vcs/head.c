#include "vcs/head.h"
#include "base/fs.h"

#include <string.h>
#include <sys/stat.h>

enum {
    LINE_LIMIT = 64 << 10,   /* bytes of a file that holds one line */
    PACKED_LIMIT = 64 << 20, /* and of one that holds all refs */
    LINKS_MOST = 5           /* from one ref to the next, as for git */
};

/* Where git keeps what belongs to one work tree, and what all of a repository share. */
struct place {
    const char *own, *common;
};

/* The first line of a file, empty when that is; false when it cannot be read. */
static bool read_line(struct gg_arena *arena, const char *path, struct gg_str *line)
{
    struct gg_error none = {0};
    struct gg_str text;
    if (!gg_fs_read(arena, path, LINE_LIMIT, &text, &none))
        return false;
    *line = (struct gg_str){0};
    gg_str_line(&text, line);
    *line = gg_str_trim(*line);
    return true;
}

/* "gitdir: ../.git/worktrees/x" -> "../.git/worktrees/x" */
static const char *value_of(struct gg_arena *arena, struct gg_str line, const char *key)
{
    size_t len = strlen(key);
    if (!gg_str_starts(line, key))
        return NULL;
    struct gg_str value = gg_str_trim(gg_str_n(line.ptr + len, line.len - len));
    return gg_arena_strndup(arena, value.ptr, value.len);
}

/* ".git" of this very directory: where the rest is, or a file that says so. */
static bool look_in(struct gg_arena *arena, const char *dir, struct place *place)
{
    struct stat st;
    struct gg_str line;
    const char *git = gg_fs_join(arena, dir, ".git");
    if (stat(git, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode)) {
        const char *there = read_line(arena, git, &line) ? value_of(arena, line, "gitdir:") : NULL;
        git = there ? gg_fs_join(arena, dir, there) : git;
    }
    *place = (struct place){git, git};
    if (read_line(arena, gg_fs_join(arena, git, "commondir"), &line))
        place->common = gg_fs_join(arena, git, gg_arena_strndup(arena, line.ptr, line.len));
    return stat(gg_fs_join(arena, git, "HEAD"), &st) == 0;
}

static const char *id_of(struct gg_arena *arena, struct gg_str text)
{
    size_t digits = 0;
    while (digits < text.len && memchr("0123456789abcdef", text.ptr[digits], 16))
        digits++;
    return digits == text.len && (digits == 40 || digits == 64)
               ? gg_arena_strndup(arena, text.ptr, text.len)
               : NULL;
}

/* "91bc... refs/heads/main", a line each. */
static const char *find_packed(struct gg_arena *arena, const struct place *place, const char *ref)
{
    struct gg_error none = {0};
    struct gg_str text, line, id, name;
    if (!gg_fs_read(arena, gg_fs_join(arena, place->common, "packed-refs"), PACKED_LIMIT, &text,
                    &none))
        return NULL;
    while (gg_str_line(&text, &line)) {
        if (gg_str_cut(line, ' ', &id, &name) && gg_str_is(name, ref))
            return id_of(arena, id);
    }
    return NULL;
}

static const char *find_commit(struct gg_arena *arena, const struct place *place)
{
    const char *ref = "HEAD";
    for (unsigned i = 0; i <= LINKS_MOST; i++) {
        struct gg_str line;
        if (!read_line(arena, gg_fs_join(arena, place->own, ref), &line) &&
            !read_line(arena, gg_fs_join(arena, place->common, ref), &line))
            return find_packed(arena, place, ref);
        const char *next = value_of(arena, line, "ref:");
        if (!next)
            return id_of(arena, line);
        ref = next;
    }
    return NULL;
}

void gg_head_read(struct gg_arena *arena, const char *start, struct gg_checkout *checkout)
{
    char *dir = gg_fs_real(arena, start ? start : ".");
    struct place place;
    *checkout = (struct gg_checkout){0};
    while (dir && !look_in(arena, dir, &place)) {
        char *slash = strrchr(dir, '/');
        if (!slash || !dir[1])
            return;
        slash[slash == dir] = '\0'; /* "/a" is below "/" */
    }
    if (!dir)
        return;
    checkout->root = dir;
    checkout->head = find_commit(arena, &place);
}
