/* A directory of real files for a test, removed at its end. */
#ifndef GG_TESTS_TREE_H
#define GG_TESTS_TREE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"

/* A new directory, its own links resolved. */
static inline char *tree_new(struct gg_arena *arena)
{
    struct gg_error err = {0};
    char *dir = gg_fs_temp_dir(arena, &err);
    if (!dir) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return gg_fs_real(arena, dir);
}

static inline char *tree_path(struct gg_arena *arena, const char *tree, const char *name)
{
    return gg_arena_printf(arena, "%s/%s", tree, name);
}

/* Writes a file and the directories above it. */
static inline char *tree_write(struct gg_arena *arena, const char *tree, const char *name,
                               const char *bytes, size_t len)
{
    struct gg_error err = {0};
    char *path = tree_path(arena, tree, name);
    char *dir = gg_arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
    FILE *file = gg_fs_make_dirs(dir, &err) ? fopen(path, "wb") : NULL;
    if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) {
        perror(path);
        abort();
    }
    return path;
}

/* A file of so many lines. */
static inline char *tree_lines(struct gg_arena *arena, const char *tree, const char *name,
                               unsigned lines)
{
    char *text = gg_arena_alloc(arena, lines * 2 + 1);
    for (unsigned i = 0; i < lines; i++)
        memcpy(text + i * 2, "x\n", 2);
    return tree_write(arena, tree, name, text, lines * 2);
}

static inline void tree_link(struct gg_arena *arena, const char *tree, const char *target,
                             const char *name)
{
    const char *path = tree_path(arena, tree, name);
    if (symlink(target, path) != 0) {
        perror(path);
        abort();
    }
}

#endif
