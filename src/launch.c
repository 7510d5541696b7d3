#include "launch.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/vec.h"
#include "capture/inbox.h"
#include "model/flag.h"
#include "programs.h"
#include "read/readers.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

struct launch {
    struct gg_session *session;
    const struct gg_capture *capture;
    const char *name;
    uint32_t first;  /* of its runs in the collate */
    const char *why; /* nobody saw its end */
};

struct gg_run *gg_launch_missing(struct gg_session *session, const char *source, const char *detail)
{
    struct gg_run *missing = gg_collate_run_at(session->collate, gg_collate_run(session->collate));
    missing->source = source;
    missing->end = GG_END_MISSING;
    missing->detail = detail;
    return missing;
}

/* The capture may be gone before the session. */
static const char *lasting(struct gg_session *session, const char *text)
{
    return text ? gg_atom(&session->atoms, text) : NULL;
}

/* --- reports ---------------------------------------------------------------------------- */

/* "20260309-141503-4711/4712-1.xml" */
static const char *source_of(const struct launch *launch, const char *report)
{
    struct gg_arena *arena = &launch->session->arena;
    return launch->name[0] ? gg_fs_join(arena, launch->name, report) : report;
}

/* What is said of the whole launch is said of its test, or of its directory. */
static const char *where(const struct launch *launch)
{
    if (launch->capture->test)
        return launch->capture->test;
    return launch->name[0] ? launch->name : NULL;
}

static void read_report(const struct launch *launch, const char *report)
{
    struct gg_collate *collate = launch->session->collate;
    const char *path = gg_fs_join(&launch->session->arena, launch->capture->directory, report);
    const char *source = source_of(launch, report), *foreign;
    struct gg_error err = {0};
    if (!gg_fs_is_regular(path)) /* the program can put there what would be waited for forever */
        gg_collate_note(collate, "unreadable", source, true,
                        "is no regular file, so it is not valgrind that made it: a report may be "
                        "missing");
    else if ((foreign = gg_capture_foreign(launch->capture, report)))
        gg_collate_note(collate, "foreign-report", source, true, "%s", foreign);
    else if (!gg_read(collate, path, source, &err))
        gg_collate_note(collate, "unreadable", source, true, "%s", err.text);
}

/* What came while the program ran, and is not there now: the program, or whoever cleaned up or
 * copied the directory, lost it. */
static void name_lost(const struct launch *launch)
{
    struct gg_map there = {0};
    for (const char *const *report = launch->capture->reports; *report; report++)
        gg_map_put(&there, *report, strlen(*report));
    for (const char *const *made = launch->capture->made; made && *made; made++) {
        struct gg_image image;
        if (gg_map_find(&there, *made, strlen(*made)) || !gg_image_parse(*made, &image))
            continue;
        struct gg_run *lost =
            gg_launch_missing(launch->session, lasting(launch->session, source_of(launch, *made)),
                              "valgrind wrote this report, and it is gone: see what removes files "
                              "in the directory of the reports, and run it again");
        lost->pid = (int64_t)image.pid;
    }
    gg_map_free(&there);
}

/* exec ends a report in the middle, and the next image of the process begins one of its own. A
 * process that was forked does not begin as RUNNING; so a report that does has exactly one before
 * it of the same pid that exec cut short: the last that is not taken by another. This holds too
 * where a pid comes again, and what was killed there stays truncated. Reports were read by pid and
 * number. */
static void find_replaced(const struct launch *launch)
{
    struct gg_collate *collate = launch->session->collate;
    GG_VEC(struct gg_run *) cut = {0};
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        struct gg_run *run = gg_collate_run_at(collate, i);
        if (cut.len && cut.at[cut.len - 1]->pid != run->pid)
            cut.len = 0;
        if (cut.len && run->saw_running) {
            struct gg_run *before = cut.at[--cut.len];
            before->end = GG_END_REPLACED;
            before->detail = "the program replaced itself by another one (exec)";
        }
        if (run->pid >= 0 && run->cut_between && run->end == GG_END_TRUNCATED)
            *gg_vec_push(&launch->session->arena, &cut) = run;
    }
}

static bool has_option(const struct gg_run *run, const char *name)
{
    const char *value = gg_flag(run, name);
    return value && value[0];
}

/* A forked child leaves no more than a head when it becomes a program that is to be left alone. */
static void find_left_alone(const struct launch *launch)
{
    struct gg_collate *collate = launch->session->collate;
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        struct gg_run *run = gg_collate_run_at(collate, i);
        if (run->end != GG_END_TRUNCATED || !run->cut_between || run->saw_running || run->errors ||
            run->pid == launch->capture->pid ||
            !(has_option(run, "trace-children-skip") ||
              has_option(run, "trace-children-skip-by-arg")))
            continue;
        run->end = GG_END_REPLACED;
        run->detail = "a child became a program that is left alone (--trace-children-skip)";
    }
}

/* --- the program itself ----------------------------------------------------------------- */

static const char *why_not_found(const char *program)
{
    struct stat st;
    if (stat(program, &st) != 0)
        return "was not found; is it built, and is this the right directory?";
    if (S_ISDIR(st.st_mode))
        return "is a directory";
    return strchr(program, '/') ? "cannot be run" : "is not in PATH; for the file here say ./NAME";
}

/* valgrind's own last words say more than any guess of ours. */
static const char *why_missing(const struct launch *launch)
{
    struct gg_arena *arena = &launch->session->arena;
    const struct gg_capture *capture = launch->capture;
    const char *program = capture->program[0];
    if (capture->failure)
        return gg_arena_printf(arena, "it could not be run: %s", capture->failure);
    if (!capture->ended)
        return launch->why;
    if (capture->log && capture->log[0])
        return gg_arena_printf(arena, "valgrind left no report; it said: %s", capture->log);
    if (capture->exit_code == 127)
        return gg_arena_printf(arena, "valgrind left no report: %s %s", program,
                               why_not_found(program));
    if (capture->exit_code == 126)
        return gg_arena_printf(arena, "valgrind left no report: %s %s", program,
                               gg_programs_are_privileged(capture)
                                   ? "has setuid, setgid or capabilities, with which valgrind "
                                     "cannot run it: test a copy without them"
                                   : "is not executable");
    return gg_arena_printf(arena,
                           "valgrind left no report of %s (it exited with %d): try the valgrind "
                           "command by hand, or --keep DIR to see what it wrote",
                           program, capture->exit_code);
}

/* The last image of the program's process. */
static struct gg_run *find_root(const struct launch *launch)
{
    struct gg_collate *collate = launch->session->collate;
    struct gg_run *root = NULL;
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        struct gg_run *run = gg_collate_run_at(collate, i);
        if (launch->capture->ended && run->pid == launch->capture->pid)
            root = run;
    }
    return root;
}

/* Which of them is the program's own is not known; the first is taken for it. Returns whether there
 * is one. */
static bool describe_cut(const struct launch *launch)
{
    struct gg_collate *collate = launch->session->collate;
    bool cut = false;
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        struct gg_run *run = gg_collate_run_at(collate, i);
        if (run->end != GG_END_TRUNCATED)
            continue;
        run->detail = launch->why;
        run->root = !cut;
        cut = true;
    }
    return cut;
}

static void add_missing_root(const struct launch *launch)
{
    struct gg_session *session = launch->session;
    const char *program = lasting(session, launch->capture->program[0]);
    gg_launch_missing(session, launch->name[0] ? launch->name : program, why_missing(launch))
        ->root = true;
}

/* Returns whether there is a report of the program. */
static bool describe_runs(const struct launch *launch)
{
    struct gg_session *session = launch->session;
    const struct gg_capture *capture = launch->capture;
    struct gg_run *root = find_root(launch);
    bool found = root && root->end != GG_END_MISSING;
    bool unseen = !capture->ended && !capture->failure;
    if (root)
        root->root = true;
    else if (!unseen || !describe_cut(launch))
        add_missing_root(launch);
    if (found) {
        root->exit_code = capture->exit_code;
        root->signal =
            capture->signal ? gg_proc_signal_name(&session->arena, capture->signal) : NULL;
        if (root->end == GG_END_TRUNCATED && capture->signal == SIGKILL) {
            root->end = GG_END_KILLED;
            root->detail = "the program was killed (SIGKILL) before its report was whole: by the "
                           "out-of-memory killer, a time limit or by hand; give it what it lacks, "
                           "and run it again";
        }
    }
    const char *test = lasting(session, capture->test);
    for (uint32_t i = launch->first; i < gg_collate_run_count(session->collate); i++) {
        struct gg_run *run = gg_collate_run_at(session->collate, i);
        run->launched = true;
        run->test = test;
    }
    return found;
}

/* --- doubts ----------------------------------------------------------------------------- */

static const char *why_stopped(const struct launch *launch)
{
    switch (launch->capture->stop) {
    case GG_STOP_TIMEOUT:
        return gg_arena_printf(&launch->session->arena,
                               "the program was stopped after %u s (--timeout): give it more "
                               "time, or find out why it hangs",
                               launch->capture->timeout);
    case GG_STOP_REPORT_SIZE:
        return "the program was stopped because its reports grew past --max-report-size: mend the "
               "first errors, or allow more";
    case GG_STOP_SIGNAL:
        return "grindgate was told to stop before the program ended: run it again";
    default:
        return NULL;
    }
}

static bool died_of(const struct launch *launch, const char *signal)
{
    struct gg_collate *collate = launch->session->collate;
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        const char *fatal = gg_collate_run_at(collate, i)->fatal;
        if (fatal && strcmp(fatal, signal) == 0)
            return true;
    }
    return false;
}

static void note_words(const struct launch *launch)
{
    for (size_t i = 0; i < launch->capture->word_count; i++) {
        const struct gg_word *word = &launch->capture->words[i];
        if (!word->signal || died_of(launch, word->signal))
            gg_collate_note(launch->session->collate, word->kind, where(launch), word->incomplete,
                            "%s", word->text);
    }
}

/* What is cut off for want of room looks as if its program had been killed. */
static void note_full(const struct launch *launch)
{
    struct gg_collate *collate = launch->session->collate;
    for (uint32_t i = launch->first; i < gg_collate_run_count(collate); i++) {
        if (!launch->capture->full || gg_collate_run_at(collate, i)->end == GG_END_FINISHED)
            continue;
        gg_collate_note(collate, "disk-full", where(launch), true,
                        "the disk of the reports is full, so they are cut off or lost: free some "
                        "space, or name another directory with --keep or TMPDIR");
        return;
    }
}

/* What may keep any report from being there, or from being whole. */
static void note_doubts(const struct launch *launch)
{
    const struct gg_capture *capture = launch->capture;
    struct gg_collate *collate = launch->session->collate;
    if (capture->unsure)
        gg_collate_note(collate, "overwritten", where(launch), true, "%s", capture->unsure);
    note_words(launch);
    note_full(launch);
    if (capture->manifest_error)
        gg_collate_note(collate, "manifest", NULL, true, "%s", capture->manifest_error);
    const char *stopped = why_stopped(launch);
    if (stopped)
        gg_collate_note(collate, "stopped", where(launch), true, "%s", stopped);
    if (capture->unread)
        gg_collate_note(collate, "options-unread", NULL, false,
                        "valgrind was told not to read its options from %s: give those that are "
                        "needed with --valgrind-arg",
                        capture->unread);
}

bool gg_launch_read_cut(struct gg_session *session, const struct gg_capture *capture,
                        const char *name, const char *why)
{
    struct launch launch = {session, capture, name, gg_collate_run_count(session->collate), why};
    for (const char *const *report = capture->reports; *report; report++)
        read_report(&launch, *report);
    name_lost(&launch);
    find_replaced(&launch);
    find_left_alone(&launch);
    bool found = describe_runs(&launch);
    if (found)
        gg_programs_note(session, capture, launch.first, where(&launch), name[0] == '\0');
    note_doubts(&launch);
    return found;
}

bool gg_launch_read(struct gg_session *session, const struct gg_capture *capture, const char *name)
{
    return gg_launch_read_cut(session, capture, name,
                              "whatever ran it was killed before it could begin, or end: by a time "
                              "limit, by the out-of-memory killer, or with the machine: run it "
                              "again");
}

/* Another commit says it for all runs alike. */
static const char *why_stale(struct gg_session *session, const struct gg_capture *capture)
{
    const struct gg_checkout *then = &capture->checkout, *now = &session->checkout;
    struct gg_arena scratch;
    gg_arena_init(&scratch);
    const char *why = gg_repo_moved(session->repo, then, now)
                          ? gg_arena_printf(&scratch,
                                            "run at commit %.7s, and HEAD is %.7s now, so it is "
                                            "not judged: run the tests again, and remove what "
                                            "older runs left",
                                            then->head, now->head)
                          : gg_capture_stale(&scratch, capture);
    why = lasting(session, why);
    gg_arena_free(&scratch);
    return why;
}

void gg_launch_read_kept(struct gg_session *session, const struct gg_capture *capture,
                         const char *name)
{
    const char *stale = why_stale(session, capture);
    if (!stale) {
        gg_launch_read(session, capture, name);
        return;
    }
    struct gg_run *run = gg_launch_missing(session, name, stale);
    run->launched = run->root = true;
    run->test = lasting(session, capture->test);
}
