#include "read/listing.h"
#include "base/fs.h"
#include "base/str.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 16

static struct gg_listed *push(struct gg_arena *arena, struct gg_listing *listing, const char *path)
{
    struct gg_listed *listed = gg_vec_push(arena, listing);
    *listed = (struct gg_listed){.path = path, .name = path};
    return listed;
}

/* The same file may be named twice, or named and found in a directory that is named too. */
static bool is_listed(struct gg_arena *arena, struct gg_listing *listing, const struct stat *st)
{
    struct {
        dev_t device;
        ino_t inode;
    } *key = gg_arena_alloc(arena, sizeof *key);
    key->device = st->st_dev;
    key->inode = st->st_ino;
    void **known = gg_map_put(&listing->files, key, sizeof *key);
    bool listed = *known != NULL;
    *known = key;
    return listed;
}

static void add_file(struct gg_arena *arena, struct gg_listing *listing, const char *path,
                     const struct stat *st)
{
    if (!S_ISREG(st->st_mode) || !is_listed(arena, listing, st))
        push(arena, listing, path);
}

/* Returns how many reports lie below the directory, listed before or now; a directory that cannot
 * be read counts as one that fails. */
static size_t add_directory(struct gg_arena *arena, struct gg_listing *listing, const char *path,
                            unsigned depth)
{
    size_t found = 0;
    struct gg_error err = {0};
    size_t count = 0;
    char **names = gg_fs_list(arena, path, &count, &err);
    if (!names) {
        push(arena, listing, path)->failure = gg_arena_strdup(arena, err.text);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        char *entry = gg_arena_printf(arena, "%s/%s", path, names[i]);
        struct stat st;
        if (lstat(entry, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
            found += add_directory(arena, listing, entry, depth + 1);
        } else if (S_ISREG(st.st_mode) && gg_str_ends(gg_str(entry), ".xml")) {
            add_file(arena, listing, entry, &st);
            found++;
        }
    }
    return found;
}

void gg_listing_add(struct gg_arena *arena, struct gg_listing *listing, const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0) {
        push(arena, listing, path);
    } else if (stat(path, &st) != 0) {
        push(arena, listing, path)->failure =
            gg_arena_printf(arena, "cannot be read: %s", strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        size_t len = strlen(path);
        while (len > 1 && path[len - 1] == '/')
            len--;
        if (add_directory(arena, listing, gg_arena_strndup(arena, path, len), 0) == 0)
            push(arena, listing, path)->failure = "the directory holds no report (*.xml)";
    } else {
        add_file(arena, listing, path, &st);
    }
}
