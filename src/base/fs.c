#include "base/fs.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Bytes: who filled a disk has often left a little, or removed a scratch file since. */
#define NO_ROOM 65536u

static bool read_fd(int fd, char *buffer, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t n = read(fd, buffer + done, len - done);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        if (n > 0)
            done += (size_t)n;
    }
    return true;
}

bool gg_fs_read(struct gg_arena *arena, const char *path, size_t limit, struct gg_str *text,
                struct gg_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        gg_error_set(err, "%s: cannot be read: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    bool ok = false;
    if (!S_ISREG(st.st_mode)) {
        gg_error_set(err, "%s: is not a regular file", path);
    } else if ((uint64_t)st.st_size > limit) {
        gg_error_set(err, "%s: is larger than %zu bytes, more than is read of such a file", path,
                     limit);
    } else {
        size_t len = (size_t)st.st_size;
        char *buffer = gg_arena_alloc(arena, len + 1);
        ok = read_fd(fd, buffer, len);
        *text = gg_str_n(buffer, len);
        if (!ok)
            gg_error_set(err, "%s: changed while it was read; run again", path);
    }
    close(fd);
    return ok;
}

char *gg_fs_normalise(struct gg_arena *arena, struct gg_str path)
{
    bool absolute = path.len && path.ptr[0] == '/';
    char *result = gg_arena_alloc(arena, path.len + 2);
    size_t len = 0, floor = absolute ? 1 : 0;
    if (absolute)
        result[len++] = '/';
    struct gg_str part, rest = path;
    bool more = path.len > 0;
    while (more) {
        more = gg_str_cut(rest, '/', &part, &rest);
        if (part.len == 0 || gg_str_is(part, "."))
            continue;
        if (gg_str_is(part, "..")) {
            if (len > floor) {
                while (len > floor && result[len - 1] != '/')
                    len--;
                if (len > floor)
                    len--;
                continue;
            }
            if (absolute)
                continue;
            floor = len + 2 + (len ? 1 : 0);
        }
        if (len && result[len - 1] != '/')
            result[len++] = '/';
        memcpy(result + len, part.ptr, part.len);
        len += part.len;
    }
    if (len == 0)
        result[len++] = '.';
    result[len] = '\0';
    return result;
}

char *gg_fs_join(struct gg_arena *arena, const char *dir, const char *name)
{
    if (name[0] == '/' || dir[0] == '\0')
        return gg_arena_strdup(arena, name);
    return gg_arena_printf(arena, "%s/%s", dir, name);
}

char *gg_fs_real(struct gg_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    if (!real)
        return NULL;
    char *copy = gg_arena_strdup(arena, real);
    free(real);
    return copy;
}

bool gg_fs_make_dirs(const char *path, struct gg_error *err)
{
    size_t len = strlen(path);
    char *copy = gg_alloc(len + 1);
    memcpy(copy, path, len + 1);
    bool ok = true;
    for (size_t i = 1; i <= len && ok; i++) {
        if (copy[i] != '/' && copy[i] != '\0')
            continue;
        char saved = copy[i];
        copy[i] = '\0';
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        if (!ok)
            gg_error_set(err, "%s: directory cannot be made: %s", copy, strerror(errno));
        copy[i] = saved;
    }
    struct stat st;
    if (ok && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))) {
        gg_error_set(err, "%s: is not a directory", path);
        ok = false;
    }
    free(copy);
    return ok;
}

char *gg_fs_temp_dir(struct gg_arena *arena, struct gg_error *err)
{
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/')
        base = "/tmp";
    char *path = gg_arena_printf(arena, "%s/grindgate-XXXXXX", base);
    if (!mkdtemp(path)) {
        gg_error_set(err, "%s: no temporary directory can be made there: %s; set TMPDIR", base,
                     strerror(errno));
        return NULL;
    }
    return path;
}

static void remove_entries(int fd)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return;
    }
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(dir), entry->d_name, 0) == 0)
            continue;
        int inner = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (inner >= 0)
            remove_entries(inner);
        unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

void gg_fs_remove_tree(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    remove_entries(fd);
    rmdir(path);
}

bool gg_fs_is_regular(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool gg_fs_is_full(const char *directory)
{
    struct statvfs fs;
    if (statvfs(directory, &fs) != 0 || fs.f_blocks == 0) /* some that are made up have no size */
        return false;
    return (geteuid() == 0 ? fs.f_bfree : fs.f_bavail) < NO_ROOM / fs.f_frsize;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **gg_fs_list(struct gg_arena *arena, const char *path, size_t *count, struct gg_error *err)
{
    DIR *dir = opendir(path);
    if (!dir) {
        gg_error_set(err, "%s: directory cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    GG_VEC(char *) names = {0};
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            *gg_vec_push(arena, &names) = gg_arena_strdup(arena, entry->d_name);
    }
    closedir(dir);
    *count = names.len;
    if (names.len)
        qsort(names.at, names.len, sizeof *names.at, by_name);
    *gg_vec_push(arena, &names) = NULL;
    return names.at;
}

const char *gg_fs_in_path(struct gg_arena *arena, const char *name)
{
    const char *list = getenv("PATH");
    struct gg_str rest = gg_str(list ? list : ""), directory;
    struct stat st;
    bool more = true;
    while (more) {
        more = gg_str_cut(rest, ':', &directory, &rest);
        const char *path =
            gg_fs_join(arena, gg_arena_strndup(arena, directory.ptr, directory.len), name);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

const char *gg_fs_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
