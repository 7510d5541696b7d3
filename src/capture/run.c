#include "capture/run.h"

#include "base/fs.h"
#include "base/proc.h"
#include "capture/flags.h"
#include "capture/keep.h"
#include "capture/record.h"
#include "capture/reports.h"
#include "capture/valgrind.h"
#include "capture/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void take_end(const struct gg_watch *watch, struct gg_capture *capture)
{
    capture->ended = true;
    capture->pid = watch->pid;
    if (WIFEXITED(watch->status))
        capture->exit_code = WEXITSTATUS(watch->status);
    else
        capture->signal = WTERMSIG(watch->status);
    capture->stop = watch->stop;
    capture->stop_signal = watch->stop_signal;
    capture->unsure = watch->unsure;
    capture->made = watch->made;
}

struct told {
    const struct gg_options *options;
    const struct gg_watch *watch;
};

static void tell(void *self)
{
    const struct told *told = self;
    struct gg_progress progress = {.phase = GG_PHASE_RUN, .reports = told->watch->reports};
    told->options->progress(told->options->progress_self, &progress);
}

/* Runs the program in capture->directory. */
static bool run_program(struct gg_arena *arena, const struct gg_options *options,
                        struct gg_capture *capture, struct gg_error *err)
{
    struct gg_watch watch = {.argv = capture->argv,
                             .directory = capture->directory,
                             .timeout = options->timeout,
                             .max_report_size = options->max_report_size};
    struct told told = {options, &watch};
    if (options->progress) {
        watch.tick = tell;
        watch.self = &told;
    }
    int failure = gg_watch_run(arena, &watch);
    if (failure) {
        gg_error_set(err, "%s: cannot be run: %s", options->valgrind, strerror(failure));
        return false;
    }
    take_end(&watch, capture);
    capture->full = gg_fs_is_full(capture->directory);
    return true;
}

static void record_in_manifest(struct gg_arena *arena, const struct gg_keep *keep,
                               struct gg_capture *capture)
{
    struct gg_error unrecorded = {0};
    if (keep->root && !gg_keep_record(arena, keep, capture, &unrecorded))
        capture->manifest_error = gg_arena_strdup(arena, unrecorded.text);
}

static void begin(struct gg_arena *arena, const struct gg_options *options,
                  const struct gg_checkout *checkout, struct gg_capture *capture)
{
    static const char *const none[] = {NULL};
    *capture = (struct gg_capture){.program = options->command,
                                   .argv = none,
                                   .test = options->test,
                                   .timeout = options->timeout,
                                   .checkout = *checkout,
                                   .pid = -1,
                                   .exit_code = -1,
                                   .reports = none,
                                   .log = ""};
    capture->unread = gg_flags_unread(arena);
    gg_identity_take(arena, options->command[0], &capture->identity);
}

static void give_up(struct gg_arena *arena, const struct gg_capture *capture)
{
    if (capture->temporary) {
        gg_fs_remove_tree(capture->directory);
        return;
    }
    unlink(gg_fs_join(arena, capture->directory, GG_RECORD));
    rmdir(capture->directory); /* unless reports are in it */
}

bool gg_capture_run(struct gg_arena *arena, const struct gg_options *options,
                    const struct gg_checkout *checkout, struct gg_capture *capture, bool *usage,
                    struct gg_error *err)
{
    struct gg_keep keep;
    *usage = false;
    begin(arena, options, checkout, capture);
    capture->version = gg_valgrind_version(arena, options->valgrind, err);
    if (!capture->version)
        return false;
    *usage = !gg_flags_check(options->valgrind_args, capture->version, err);
    if (*usage || !gg_keep_open(arena, options->keep, &keep, usage, err))
        return false;
    capture->directory = keep.path;
    capture->temporary = !keep.root;
    capture->argv = gg_valgrind_command(arena, options, keep.path, err);
    *usage = !capture->argv;
    if (!capture->argv || !gg_record_write(arena, capture, keep.time, err) ||
        !run_program(arena, options, capture, err)) {
        give_up(arena, capture);
        return false;
    }
    struct gg_error unrecorded = {0};
    if (!gg_record_write(arena, capture, keep.time, &unrecorded))
        capture->manifest_error = gg_arena_strdup(arena, unrecorded.text);
    gg_reports_list(arena, capture);
    record_in_manifest(arena, &keep, capture);
    return true;
}

bool gg_capture_collect(struct gg_arena *arena, const struct gg_options *options,
                        const struct gg_checkout *checkout, struct gg_capture *capture,
                        struct gg_error *err)
{
    struct gg_keep keep;
    begin(arena, options, checkout, capture);
    if (gg_flags_need_version(options->valgrind_args)) {
        capture->version = gg_valgrind_version(arena, options->valgrind, err);
        if (!capture->version)
            return false;
    }
    if (!gg_flags_check(options->valgrind_args, capture->version, err) ||
        !gg_keep_collect(arena, options->keep, &keep, err))
        return false;
    capture->directory = keep.path;
    capture->argv = gg_valgrind_command(arena, options, keep.path, err);
    if (!capture->argv || !gg_record_write(arena, capture, keep.time, err))
        return false;
    if (!run_program(arena, options, capture, err)) {
        struct gg_error unsaid = {0}; /* then the record lacks an end, which says enough */
        capture->failure = gg_arena_strdup(arena, err->text);
        gg_record_write(arena, capture, keep.time, &unsaid);
        return false;
    }
    gg_record_write(arena, capture, keep.time, err);
    return true;
}

bool gg_capture_read(struct gg_arena *arena, const char *directory, struct gg_capture *capture,
                     struct gg_error *err)
{
    static const char *const none[] = {NULL};
    *capture = (struct gg_capture){.directory = directory, .reports = none, .log = ""};
    if (!gg_record_read(arena, directory, capture, err))
        return false;
    gg_reports_list(arena, capture);
    return true;
}

void gg_capture_forget(const struct gg_capture *capture)
{
    if (capture->temporary)
        gg_fs_remove_tree(capture->directory);
}
