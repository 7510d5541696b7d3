#include "read/listing.h"
#include "base/fs.h"
#include "base/str.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 64

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

static void add_failure(struct gg_arena *arena, struct gg_listing *listing, const char *path,
                        const char *failure)
{
    push(arena, listing, path)->failure = failure;
}

static size_t add_directory(struct gg_arena *arena, struct gg_listing *listing, const char *path,
                            unsigned depth);

/* Returns how many reports the entry of a directory stands for; what cannot be looked at counts as
 * one that fails, for it may be one. */
static size_t add_entry(struct gg_arena *arena, struct gg_listing *listing, const char *entry,
                        unsigned depth)
{
    struct stat st;
    bool is_report = gg_str_ends(gg_str(entry), ".xml");
    if (stat(entry, &st) != 0) {
        if (!is_report && errno == ENOENT) /* a link that leads nowhere */
            return 0;
        add_failure(arena, listing, entry,
                    gg_arena_printf(arena,
                                    "cannot be read: %s; was it written, and is the name right?",
                                    strerror(errno)));
        return 1;
    }
    if (S_ISDIR(st.st_mode))
        return add_directory(arena, listing, entry, depth + 1);
    if (!is_report)
        return 0;
    if (S_ISREG(st.st_mode))
        add_file(arena, listing, entry, &st);
    else
        add_failure(arena, listing, entry, "is not a regular file");
    return 1;
}

/* Whatever is called like a record makes a kept run, for nothing may hide one: whoever reads it
 * says what is wrong with it. */
static bool has_record(struct gg_arena *arena, const struct gg_listing *listing, const char *path)
{
    struct stat st;
    return listing->record && lstat(gg_fs_join(arena, path, listing->record), &st) == 0;
}

/* "." has no name that would tell. */
static bool is_called_like_a_run(struct gg_arena *arena, const struct gg_listing *listing,
                                 const char *path)
{
    const char *real = gg_fs_real(arena, path);
    return listing->is_run && (listing->is_run(gg_fs_basename(path)) ||
                               (real && listing->is_run(gg_fs_basename(real))));
}

/* The runs of a suite lie in a directory with such a name, too. */
static bool holds_runs(const struct gg_listing *listing, char *const *names)
{
    while (*names && !listing->is_run(*names))
        names++;
    return *names != NULL;
}

/* Returns how many reports lie below the directory, listed before or now. */
static size_t add_directory(struct gg_arena *arena, struct gg_listing *listing, const char *path,
                            unsigned depth)
{
    struct gg_error err = {0};
    size_t count = 0, found = 0;
    struct stat st;
    /* A link may lead back up. */
    if (stat(path, &st) == 0 && is_listed(arena, listing, &st))
        return 1;
    if (has_record(arena, listing, path)) {
        push(arena, listing, path)->recorded = true;
        return 1;
    }
    char **names = depth < DEPTH_MAX ? gg_fs_list(arena, path, &count, &err) : NULL;
    if (!names) {
        add_failure(arena, listing, path,
                    depth < DEPTH_MAX ? gg_arena_strdup(arena, err.text)
                                      : "lies too deep below the directory that was named");
        return 1;
    }
    if (is_called_like_a_run(arena, listing, path) && !holds_runs(listing, names)) {
        add_failure(arena, listing, path,
                    "the record of this run is not there: the disk was full, or whatever ran it "
                    "was killed at once; run it again");
        found++;
    }
    for (size_t i = 0; i < count; i++)
        found += add_entry(arena, listing, gg_arena_printf(arena, "%s/%s", path, names[i]), depth);
    return found;
}

void gg_listing_add(struct gg_arena *arena, struct gg_listing *listing, const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0) {
        push(arena, listing, path);
    } else if (stat(path, &st) != 0) {
        add_failure(arena, listing, path,
                    gg_arena_printf(arena,
                                    "cannot be read: %s; was it written, and is the name right?",
                                    strerror(errno)));
    } else if (S_ISDIR(st.st_mode)) {
        size_t len = strlen(path);
        while (len > 1 && path[len - 1] == '/')
            len--;
        if (add_directory(arena, listing, gg_arena_strndup(arena, path, len), 0) == 0)
            add_failure(arena, listing, path,
                        "the directory holds no report (*.xml): were the tests run under valgrind, "
                        "and did they write them there?");
    } else {
        add_file(arena, listing, path, &st);
    }
}
