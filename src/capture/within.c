#include "capture/within.h"

#include "base/arena.h"
#include "base/fs.h"
#include "capture/inbox.h"
#include "capture/record.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* valgrind puts its own library there for each program that it runs, and takes it out again for
 * those that it does not follow. */
static bool is_under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "/vgpreload_");
}

/* "/tmp/reports/20260309-141503-4711/4712-1.xml", written by this process, beside a record. */
static bool is_own_report(struct gg_arena *arena, const char *path)
{
    struct gg_image image;
    const char *name = gg_fs_basename(path);
    if (path[0] != '/' || !gg_image_parse(name, &image) || image.pid != (uint64_t)getpid())
        return false;
    const char *directory = gg_arena_strndup(arena, path, (size_t)(name - path));
    return gg_fs_is_regular(gg_fs_join(arena, directory, GG_RECORD));
}

/* A report is open in the process that it is about. */
static bool writes_report(void)
{
    bool found = false;
    struct gg_arena arena;
    DIR *dir = opendir("/proc/self/fd");
    if (!dir)
        return false;
    gg_arena_init(&arena);
    for (struct dirent *entry = readdir(dir); entry && !found; entry = readdir(dir)) {
        char path[PATH_MAX];
        ssize_t len = readlinkat(dirfd(dir), entry->d_name, path, sizeof path - 1);
        path[len > 0 ? len : 0] = '\0';
        found = is_own_report(&arena, path);
    }
    gg_arena_free(&arena);
    closedir(dir);
    return found;
}

bool gg_within_run(void)
{
    return is_under_valgrind() && writes_report();
}
