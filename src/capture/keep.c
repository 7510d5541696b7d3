#define _DEFAULT_SOURCE /* flock */
#include "capture/keep.h"

#include "base/fs.h"
#include "base/jsonio.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST "manifest.json"

enum { MANIFEST_LIMIT = 256 << 20 };

/* What stands around the runs in a manifest; its middle is copied as it is. */
static const char head[] = "{\n  \"version\": 1,\n  \"runs\": [";
static const char tail[] = "\n  ]\n}\n";

/* The runs of a manifest, as text; empty while there is none. */
static bool read_manifest(struct gg_arena *arena, const char *path, struct gg_str *runs,
                          struct gg_error *err)
{
    *runs = gg_str("");
    if (access(path, F_OK) != 0)
        return true;
    struct gg_str text;
    if (!gg_fs_read(arena, path, MANIFEST_LIMIT, &text, err))
        return false;
    if (!gg_str_starts(text, head) || !gg_str_ends(text, tail) ||
        text.len < strlen(head) + strlen(tail)) {
        gg_error_set(err,
                     "%s: is not a manifest of grindgate's: move it away, or name another "
                     "directory to keep the reports in",
                     path);
        return false;
    }
    *runs = gg_str_n(text.ptr + strlen(head), text.len - strlen(head) - strlen(tail));
    return true;
}

/* A new directory in keep->root; the number at the end only when the rest is not enough. */
static bool make_run_directory(struct gg_arena *arena, struct gg_keep *keep, struct gg_error *err)
{
    char stamp[32];
    struct tm utc;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", gmtime_r(&keep->time, &utc));
    for (unsigned n = 1; n < 1000; n++) {
        keep->name = n == 1 ? gg_arena_printf(arena, "%s-%ld", stamp, (long)getpid())
                            : gg_arena_printf(arena, "%s-%ld-%u", stamp, (long)getpid(), n);
        keep->path = gg_fs_join(arena, keep->root, keep->name);
        if (mkdir(keep->path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    gg_error_set(err, "%s: directory cannot be made: %s", keep->path, strerror(errno));
    return false;
}

/* "-4711" */
static const char *skip_number(const char *at)
{
    size_t digits = at[0] == '-' ? strspn(at + 1, "0123456789") : 0;
    return digits ? at + 1 + digits : NULL;
}

bool gg_keep_is_run_name(const char *name)
{
    static const char digits[] = "0123456789";
    if (strspn(name, digits) != 8 || name[8] != '-' || strspn(name + 9, digits) != 6)
        return false;
    const char *rest = skip_number(name + 15);
    if (rest && *rest)
        rest = skip_number(rest);
    return rest && !*rest;
}

/* Absolute, because a child that changes its directory writes its report too. */
static bool open_root(struct gg_arena *arena, const char *root, struct gg_keep *keep,
                      struct gg_error *err)
{
    if (!gg_fs_make_dirs(root, err))
        return false;
    keep->root = gg_fs_real(arena, root);
    if (!keep->root)
        gg_error_set(err, "%s: directory cannot be used: %s", root, strerror(errno));
    return keep->root != NULL;
}

bool gg_keep_open(struct gg_arena *arena, const char *root, struct gg_keep *keep, bool *usage,
                  struct gg_error *err)
{
    *keep = (struct gg_keep){.time = time(NULL)};
    *usage = root != NULL;
    struct gg_str runs;
    if (root)
        return open_root(arena, root, keep, err) &&
               read_manifest(arena, gg_fs_join(arena, keep->root, MANIFEST), &runs, err) &&
               make_run_directory(arena, keep, err);
    const char *path = gg_fs_temp_dir(arena, err);
    keep->path = path ? gg_fs_real(arena, path) : NULL;
    return keep->path != NULL;
}

bool gg_keep_collect(struct gg_arena *arena, const char *root, struct gg_keep *keep,
                     struct gg_error *err)
{
    *keep = (struct gg_keep){.time = time(NULL)};
    return open_root(arena, root, keep, err) && make_run_directory(arena, keep, err);
}

static const char *stop_reason(struct gg_arena *arena, const struct gg_capture *capture)
{
    switch (capture->stop) {
    case GG_STOP_TIMEOUT:
        return "timeout";
    case GG_STOP_REPORT_SIZE:
        return "report-size";
    case GG_STOP_SIGNAL:
        return gg_proc_signal_name(arena, capture->stop_signal);
    case GG_STOP_NONE:
        break;
    }
    return NULL;
}

static void put_run(struct gg_arena *arena, struct gg_json *json, const struct gg_keep *keep,
                    const struct gg_capture *capture)
{
    char stamp[32];
    struct tm utc;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&keep->time, &utc));
    gg_json_object(json);
    gg_json_put_string(json, "directory", keep->name);
    gg_json_put_string(json, "time", stamp);
    gg_json_put_list(json, "command", capture->program);
    gg_json_put_string(json, "valgrind", capture->version);
    gg_json_put_list(json, "argv", capture->argv);
    gg_json_put_int(json, "pid", capture->pid);
    if (capture->exit_code >= 0)
        gg_json_put_int(json, "exit", capture->exit_code);
    else
        gg_json_put_null(json, "exit");
    gg_json_put_string(json, "signal",
                       capture->signal ? gg_proc_signal_name(arena, capture->signal) : NULL);
    gg_json_put_string(json, "stop", stop_reason(arena, capture));
    gg_json_put_list(json, "reports", capture->reports);
    gg_json_end_object(json);
}

static bool write_manifest(struct gg_arena *arena, const struct gg_keep *keep,
                           const struct gg_capture *capture, struct gg_error *err)
{
    const char *path = gg_fs_join(arena, keep->root, MANIFEST);
    struct gg_str runs;
    struct gg_out *out = read_manifest(arena, path, &runs, err) ? gg_out_file(path, err) : NULL;
    if (!out)
        return false;
    struct gg_json json;
    gg_json_init(&json, out);
    gg_json_object(&json);
    gg_json_put_uint(&json, "version", 1);
    gg_json_key(&json, "runs");
    gg_json_array(&json);
    gg_out_str(out, runs);
    json.filled[json.depth] = runs.len > 0;
    put_run(arena, &json, keep, capture);
    gg_json_end_array(&json);
    gg_json_end_object(&json);
    return gg_out_close(out, err);
}

bool gg_keep_record(struct gg_arena *arena, const struct gg_keep *keep,
                    const struct gg_capture *capture, struct gg_error *err)
{
    /* Runs side by side write one after the other. Where a directory cannot be locked (NFS), the
     * manifest is whole all the same, but may lack one of two runs that ended together. */
    int lock = open(keep->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    bool ok = write_manifest(arena, keep, capture, err);
    if (lock >= 0)
        close(lock);
    return ok;
}
