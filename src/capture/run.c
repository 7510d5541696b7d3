#include "capture/run.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include "capture/flags.h"
#include "capture/keep.h"
#include "capture/valgrind.h"
#include "capture/watch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_LIMIT = 64 << 10 };

/* "4711.xml" and nothing else: the program may have put its own files there. */
static bool is_report(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ".xml") == 0;
}

static const char *const *reports_of(struct gg_arena *arena, char *const *names)
{
    GG_VEC(const char *) reports = {0};
    for (; *names; names++) {
        if (is_report(*names))
            *gg_vec_push(arena, &reports) = *names;
    }
    *gg_vec_push(arena, &reports) = NULL;
    return reports.at;
}

/* Of a log that several processes wrote: the start is what tells why valgrind gave up. A program
 * that replaced another (exec) cuts the file, and the other writes on behind a hole. */
static const char *read_log(struct gg_arena *arena, const char *path)
{
    char *text = gg_arena_alloc(arena, LOG_LIMIT + 1);
    size_t len = 0;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    ssize_t n = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 1 : 0;
    while (n > 0 && len < LOG_LIMIT) {
        n = read(fd, text + len, LOG_LIMIT - len);
        len += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    size_t kept = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i])
            text[kept++] = text[i];
    }
    text[kept] = '\0';
    return text;
}

static void collect(struct gg_arena *arena, const struct gg_watch *watch,
                    struct gg_capture *capture)
{
    static char *const nothing[] = {NULL};
    struct gg_error gone = {0}; /* the program removed it: then there are no reports */
    size_t count;
    char *const *names = gg_fs_list(arena, capture->directory, &count, &gone);
    capture->started = true;
    capture->pid = watch->pid;
    if (WIFEXITED(watch->status)) {
        capture->exit_code = WEXITSTATUS(watch->status);
    } else {
        capture->signal_number = WTERMSIG(watch->status);
        capture->signal = gg_proc_signal_name(arena, capture->signal_number);
    }
    capture->stop = watch->stop;
    capture->stop_signal = watch->stop_signal;
    capture->reports = reports_of(arena, names ? names : nothing);
    capture->log = read_log(arena, gg_fs_join(arena, capture->directory, GG_VALGRIND_LOG));
}

static bool run_in(struct gg_arena *arena, const struct gg_options *options,
                   const struct gg_keep *keep, struct gg_capture *capture, bool *usage,
                   struct gg_error *err)
{
    struct gg_watch watch = {.directory = keep->path,
                             .timeout = options->timeout,
                             .max_report_size = options->max_report_size};
    watch.argv = gg_valgrind_command(arena, options, keep->path, err);
    *usage = !watch.argv;
    if (!watch.argv)
        return false;
    int failure = gg_watch_run(arena, &watch);
    if (failure) {
        gg_error_set(err, "%s: cannot be run: %s", options->valgrind, strerror(failure));
        return false;
    }
    collect(arena, &watch, capture);
    struct gg_error unrecorded = {0};
    if (keep->root &&
        !gg_keep_record(arena, keep, capture, options->command, watch.argv, &unrecorded))
        capture->manifest_error = gg_arena_strdup(arena, unrecorded.text);
    return true;
}

bool gg_capture_run(struct gg_arena *arena, const struct gg_options *options,
                    struct gg_capture *capture, bool *usage, struct gg_error *err)
{
    static const char *const none[] = {NULL};
    *capture = (struct gg_capture){.exit_code = -1, .reports = none, .log = ""};
    *usage = !gg_flags_check_defaults(options->valgrind_args, err);
    if (*usage)
        return false;
    capture->version = gg_valgrind_version(arena, options->valgrind, err);
    if (!capture->version)
        return false;
    *usage = !gg_flags_check(options->valgrind_args, capture->version, err);
    struct gg_keep keep;
    if (*usage || !gg_keep_open(arena, options->keep, &keep, usage, err))
        return false;
    capture->directory = keep.path;
    capture->temporary = !keep.root;
    if (run_in(arena, options, &keep, capture, usage, err))
        return true;
    if (capture->temporary)
        gg_fs_remove_tree(keep.path);
    else
        rmdir(keep.path); /* unless reports are in it */
    return false;
}

void gg_capture_forget(const struct gg_capture *capture)
{
    if (capture->temporary)
        gg_fs_remove_tree(capture->directory);
}
