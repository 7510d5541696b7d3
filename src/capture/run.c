#include "capture/run.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include "capture/flags.h"
#include "capture/inbox.h"
#include "capture/keep.h"
#include "capture/log.h"
#include "capture/valgrind.h"
#include "capture/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct report {
    struct gg_image image;
    const char *name;
};

static int by_image(const void *a, const void *b)
{
    const struct gg_image *left = &((const struct report *)a)->image;
    const struct gg_image *right = &((const struct report *)b)->image;
    int order = (left->pid > right->pid) - (left->pid < right->pid);
    return order ? order : (left->number > right->number) - (left->number < right->number);
}

/* The program may have put files of its own there. */
static const char *const *reports_of(struct gg_arena *arena, char *const *names)
{
    GG_VEC(struct report) reports = {0};
    for (; *names; names++) {
        struct report report = {.name = *names};
        if (gg_image_parse(*names, &report.image))
            *gg_vec_push(arena, &reports) = report;
    }
    if (reports.len)
        qsort(reports.at, reports.len, sizeof *reports.at, by_image);
    const char **sorted = gg_arena_alloc(arena, (reports.len + 1) * sizeof *sorted);
    for (size_t i = 0; i < reports.len; i++)
        sorted[i] = reports.at[i].name;
    sorted[reports.len] = NULL;
    return sorted;
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
    capture->unsure = watch->unsure;
    names = names ? names : nothing;
    capture->reports = reports_of(arena, names);
    struct gg_log log;
    gg_log_read(arena, capture->directory, names, &log);
    capture->log = log.text;
    capture->last_words = log.last_words;
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
    *capture = (struct gg_capture){.exit_code = -1, .reports = none, .log = "", .last_words = none};
    *usage = false;
    capture->unread = gg_flags_unread(arena);
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
