/*
 * Fs: files and path names, with limits.
 */
#ifndef GG_BASE_FS_H
#define GG_BASE_FS_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/error.h"

/* The whole of a regular file of at most `limit` bytes, NUL-terminated, in the arena. */
bool gg_fs_read(struct gg_arena *arena, const char *path, size_t limit, struct gg_str *text,
                struct gg_error *err);

/* "a/./b//../c" -> "a/c", by text alone (no links followed). Leading ".." of a relative path
 * stay; "/.." is "/". "" becomes ".". */
char *gg_fs_normalise(struct gg_arena *arena, struct gg_str path);

/* dir + "/" + name, or name alone when it is absolute or dir is empty; not normalised. */
char *gg_fs_join(struct gg_arena *arena, const char *dir, const char *name);

/* Absolute, symbolic links resolved; NULL when the path does not exist. */
char *gg_fs_real(struct gg_arena *arena, const char *path);

/* Is it a regular file itself, not by a link? */
bool gg_fs_is_regular(const char *path);

/* Has the file system of this directory less room left for this user than would be of use? */
bool gg_fs_is_full(const char *directory);

/* Creates the directory and its parents. */
bool gg_fs_make_dirs(const char *path, struct gg_error *err);

/* A new private directory under $TMPDIR or /tmp; NULL on error. */
char *gg_fs_temp_dir(struct gg_arena *arena, struct gg_error *err);

/* Removes a directory with the files in it. Never follows a link. Best effort. */
void gg_fs_remove_tree(const char *path);

/* The names in a directory except "." and "..", sorted bytewise, NULL-terminated, in the arena. */
char **gg_fs_list(struct gg_arena *arena, const char *path, size_t *count, struct gg_error *err);

/* Where PATH has the program, as it says: maybe a link, or relative; NULL when it has not. */
const char *gg_fs_in_path(struct gg_arena *arena, const char *name);

const char *gg_fs_basename(const char *path);

#endif
