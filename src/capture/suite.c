#include "capture/suite.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/out.h"
#include "base/proc.h"
#include "capture/flags.h"
#include "capture/keep.h"
#include "capture/record.h"
#include "capture/suite_command.h"
#include "capture/suite_file.h"
#include "capture/suite_lines.h"
#include "capture/tree.h"
#include "capture/valgrind.h"
#include "capture/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE_LIMIT = 64 << 10, /* bytes; a longer line is cut in two */
    LEFT_BEHIND = 2000     /* ms: what a test that CTest killed gets to end its report */
};

struct suite_run {
    struct gg_arena *arena;
    struct gg_suite *suite;
    const char *runs;           /* where each test makes its directory */
    bool temporary;             /* those directories go when they have been read */
    struct gg_map known;        /* by name: those that were seen */
    GG_VEC(const char *) going; /* names of those that have not ended */
    char *line;                 /* CTest's last one, while it is not whole */
    size_t line_len;
};

/* --- what the tests leave --------------------------------------------------------------- */

static void finish(struct suite_run *run, const struct gg_capture *capture, const char *name)
{
    run->suite->take(run->suite->self, capture, name);
    if (run->temporary)
        gg_fs_remove_tree(capture->directory);
}

/* Hands the run over when it has ended, or when all `is_over`. Returns whether it did. */
static bool look_at(struct suite_run *run, const char *name, bool is_over)
{
    struct gg_arena scratch;
    struct gg_capture capture;
    struct gg_error err = {0};
    gg_arena_init(&scratch);
    const char *directory = gg_fs_join(&scratch, run->runs, name);
    bool read = gg_capture_read(&scratch, directory, &capture, &err);
    bool through = is_over || (read && (capture.ended || capture.failure));
    if (through && read)
        finish(run, &capture, name);
    else if (through)
        run->suite->lose(run->suite->self, name, err.text);
    gg_arena_free(&scratch);
    return through;
}

static void find_new(struct suite_run *run)
{
    struct gg_arena scratch;
    struct gg_error err = {0};
    size_t count = 0;
    gg_arena_init(&scratch);
    char **names = gg_fs_list(&scratch, run->runs, &count, &err);
    for (size_t i = 0; names && i < count; i++) {
        if (gg_map_find(&run->known, names[i], strlen(names[i])))
            continue;
        char *name = gg_arena_strdup(run->arena, names[i]);
        *gg_map_put(&run->known, name, strlen(name)) = name;
        *gg_vec_push(run->arena, &run->going) = name;
    }
    gg_arena_free(&scratch);
}

/* Only runs that have not ended are looked at again. */
static void look(struct suite_run *run, bool is_over)
{
    size_t left = 0;
    find_new(run);
    for (size_t i = 0; i < run->going.len; i++) {
        if (!look_at(run, run->going.at[i], is_over))
            run->going.at[left++] = run->going.at[i];
    }
    run->going.len = left;
    run->suite->running = left;
}

/* CTest has killed what watched over these, and the kernel has sent TERM to the program. One that
 * does not heed it must not outlive its test. */
static void end_the_rest(struct suite_run *run)
{
    long long deadline = gg_proc_now() + LEFT_BEHIND;
    for (size_t i = 0; i < run->going.len; i++) {
        struct gg_arena scratch;
        gg_arena_init(&scratch);
        struct gg_tree tree = {.arena = &scratch,
                               .directory = gg_fs_join(&scratch, run->runs, run->going.at[i])};
        while (gg_tree_look(&tree) > 0 && gg_proc_now() < deadline)
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        if (gg_tree_look(&tree) > 0)
            gg_tree_kill(&tree);
        gg_arena_free(&scratch);
    }
}

/* --- while CTest runs ------------------------------------------------------------------- */

static void tick(void *self)
{
    struct suite_run *run = self;
    look(run, false);
    run->suite->tell(run->suite->self);
}

/* CTest names our directory, which will be gone, where it means the build's. */
static char *with_real_paths(const struct gg_suite *suite, struct gg_str text, size_t *len)
{
    struct gg_out *out = gg_out_memory();
    size_t at, shadow = strlen(suite->shadow);
    while ((at = gg_str_find(text, suite->shadow)) != SIZE_MAX) {
        gg_out_write(out, text.ptr, at);
        gg_out_text(out, suite->build);
        text = gg_str_n(text.ptr + at + shadow, text.len - at - shadow);
    }
    gg_out_str(out, text);
    return gg_out_take(out, len);
}

static void say(struct suite_run *run, struct gg_str text)
{
    struct gg_suite *suite = run->suite;
    struct gg_str rest = text, line;
    while (gg_str_line(&rest, &line))
        gg_suite_line(run->arena, suite, line);
    char *said = with_real_paths(suite, text, &suite->said_len);
    suite->said = said;
    suite->tell(suite->self);
    suite->said = NULL;
    suite->said_len = 0;
    free(said);
}

/* Hands on whole lines. */
static void hear(void *self, const char *bytes, size_t len)
{
    struct suite_run *run = self;
    run->line = gg_realloc(run->line, run->line_len + len);
    memcpy(run->line + run->line_len, bytes, len);
    run->line_len += len;
    size_t whole = run->line_len;
    while (whole && run->line[whole - 1] != '\n')
        whole--;
    if (!whole && run->line_len > LINE_LIMIT)
        whole = run->line_len;
    if (!whole)
        return;
    say(run, gg_str_n(run->line, whole));
    run->line_len -= whole;
    memmove(run->line, run->line + whole, run->line_len);
}

static bool run_ctest(struct suite_run *run, bool *usage, struct gg_error *err)
{
    struct gg_suite *suite = run->suite;
    struct gg_watch watch = {.argv = gg_suite_command(run->arena, suite),
                             .directory = suite->shadow,
                             .timeout = suite->options->timeout,
                             .tick = tick,
                             .output = hear,
                             .self = run};
    int failure = gg_watch_run(run->arena, &watch);
    if (failure) {
        *usage = false;
        gg_error_set(err, "ctest: cannot be run: %s; it comes with CMake (apt-get install cmake)",
                     strerror(failure));
        return false;
    }
    suite->exit_code = WIFEXITED(watch.status) ? WEXITSTATUS(watch.status) : -1;
    suite->signal = WIFSIGNALED(watch.status) ? WTERMSIG(watch.status) : 0;
    suite->stop = watch.stop;
    suite->stop_signal = watch.stop_signal;
    if (run->line_len)
        say(run, gg_str_n(run->line, run->line_len));
    look(run, false);
    end_the_rest(run);
    look(run, true);
    return true;
}

/* --- before ----------------------------------------------------------------------------- */

/* What each test would stumble over is said once. */
static bool check_valgrind(struct gg_arena *arena, const struct gg_options *options,
                           const char *runs, bool *usage, struct gg_error *err)
{
    const char *version = gg_valgrind_version(arena, options->valgrind, err);
    struct gg_options probe = *options;
    static const char *const program[] = {"program", NULL};
    probe.command = program;
    if (!version)
        return false;
    *usage = true;
    return gg_flags_check(options->valgrind_args, version, err) &&
           gg_valgrind_command(arena, &probe, gg_fs_join(arena, runs, "20260309-141503-4194304"),
                               err);
}

static bool prepare(struct suite_run *run, bool *usage, struct gg_error *err)
{
    struct gg_suite *suite = run->suite;
    struct gg_arena *arena = run->arena;
    struct gg_keep keep;
    *usage = true;
    if (!gg_suite_check(arena, suite, err))
        return false;
    *usage = suite->options->keep != NULL;
    if (suite->options->keep && !gg_keep_collect(arena, suite->options->keep, &keep, err))
        return false;
    *usage = false;
    const char *shadow = gg_fs_temp_dir(arena, err);
    suite->shadow = shadow ? gg_fs_real(arena, shadow) : NULL;
    if (!suite->shadow)
        return false;
    run->temporary = !suite->options->keep;
    run->runs = run->temporary ? gg_fs_join(arena, suite->shadow, "runs") : keep.path;
    suite->results = gg_fs_join(arena, suite->shadow, "results.xml");
    struct gg_suite_file file = {suite->build, suite->shadow,
                                 gg_suite_launcher(arena, suite, run->runs),
                                 suite->options->timeout_factor};
    return gg_fs_make_dirs(run->runs, err) &&
           check_valgrind(arena, suite->options, run->runs, usage, err) &&
           gg_suite_file_write(arena, &file, err);
}

bool gg_suite_run(struct gg_arena *arena, struct gg_suite *suite, bool *usage, struct gg_error *err)
{
    struct suite_run run = {.arena = arena, .suite = suite};
    bool ok = prepare(&run, usage, err) && run_ctest(&run, usage, err);
    gg_map_free(&run.known);
    free(run.line);
    if (!ok)
        gg_suite_forget(suite);
    return ok;
}

void gg_suite_forget(const struct gg_suite *suite)
{
    if (suite->shadow)
        gg_fs_remove_tree(suite->shadow);
}
