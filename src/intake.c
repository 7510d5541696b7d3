/* Where reports come from: the program that was run, or files that exist. Whatever goes wrong here
 * becomes a run or a note, so that a report that is not there can never look like a clean one. */
#include "base/fs.h"
#include "base/vec.h"
#include "read/readers.h"
#include "read/listing.h"
#include "session.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

bool gg_intake_run(struct gg_session *session, struct gg_error *err)
{
    bool usage = false;
    struct gg_error failure = {0};
    if (gg_capture_run(&session->arena, &session->options, &session->capture, &usage, &failure)) {
        session->program = (struct gg_program){.ran = true,
                                               .exit_code = session->capture.exit_code,
                                               .signal = session->capture.signal};
        return true;
    }
    if (usage) {
        gg_error_set(err, "%s", failure.text);
        return false;
    }
    gg_collate_note(session->collate, "not-run", NULL, true, "%s", failure.text);
    return true;
}

static void read_source(struct gg_session *session, const char *path, const char *name)
{
    struct gg_error err = {0};
    if (!gg_read(session->collate, path, name, &err))
        gg_collate_note(session->collate, "unreadable", name, true, "%s", err.text);
}

static void missing_run(struct gg_session *session, const char *source, const char *detail)
{
    uint32_t run = gg_collate_run(session->collate);
    struct gg_run *missing = gg_collate_run_at(session->collate, run);
    missing->source = source;
    missing->end = GG_END_MISSING;
    missing->detail = detail;
}

static void read_named(struct gg_session *session)
{
    struct gg_listing listing = {0};
    for (const char *const *path = session->options.reports; path && *path; path++)
        gg_listing_add(&session->arena, &listing, *path);
    for (size_t i = 0; i < listing.len; i++) {
        const struct gg_listed *listed = &listing.at[i];
        if (listed->failure)
            missing_run(session, listed->name, listed->failure);
        else
            read_source(session, listed->path, listed->name);
    }
    gg_map_free(&listing.files);
}

/* exec ends a report in the middle, and the next image of the process begins one of its own. A
 * process that was forked does not begin as RUNNING; so a report that does has exactly one before
 * it of the same pid that exec cut short: the last that is not taken by another. This holds too
 * where a pid comes again, and what was killed there stays truncated. Reports were read by pid and
 * number. */
static void find_replaced(struct gg_session *session)
{
    GG_VEC(struct gg_run *) cut = {0};
    for (uint32_t i = 0; i < gg_collate_run_count(session->collate); i++) {
        struct gg_run *run = gg_collate_run_at(session->collate, i);
        if (cut.len && cut.at[cut.len - 1]->pid != run->pid)
            cut.len = 0;
        if (cut.len && run->saw_running) {
            struct gg_run *before = cut.at[--cut.len];
            before->end = GG_END_REPLACED;
            before->detail = "the program replaced itself by another one (exec)";
        }
        if (run->pid >= 0 && run->cut_between && run->end == GG_END_TRUNCATED)
            *gg_vec_push(&session->arena, &cut) = run;
    }
}

/* The last image of the program's process. */
static struct gg_run *find_root_run(struct gg_session *session)
{
    struct gg_run *root = NULL;
    for (uint32_t i = 0; i < gg_collate_run_count(session->collate); i++) {
        struct gg_run *run = gg_collate_run_at(session->collate, i);
        if (run->pid == session->capture.pid)
            root = run;
    }
    return root;
}

static const char *why_stopped(struct gg_session *session)
{
    switch (session->capture.stop) {
    case GG_STOP_TIMEOUT:
        return gg_arena_printf(&session->arena,
                               "the program was stopped after %u s (--timeout): give it more "
                               "time, or find out why it hangs",
                               session->options.timeout);
    case GG_STOP_REPORT_SIZE:
        return "the program was stopped because its reports grew past --max-report-size: mend the "
               "first errors, or allow more";
    case GG_STOP_SIGNAL:
        return "grindgate was told to stop before the program ended: run it again";
    default:
        return NULL;
    }
}

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
static const char *why_missing(struct gg_session *session)
{
    const struct gg_capture *capture = &session->capture;
    const char *program = session->options.command[0];
    if (capture->log && capture->log[0])
        return gg_arena_printf(&session->arena, "valgrind left no report; it said: %s",
                               capture->log);
    if (capture->exit_code == 127)
        return gg_arena_printf(&session->arena, "valgrind left no report: %s %s", program,
                               why_not_found(program));
    if (capture->exit_code == 126)
        return gg_arena_printf(&session->arena, "valgrind left no report: %s is not executable",
                               program);
    return gg_arena_printf(&session->arena,
                           "valgrind left no report of %s (it exited with %d): try the valgrind "
                           "command by hand, or --keep DIR to see what it wrote",
                           program, capture->exit_code);
}

static void describe_root(struct gg_session *session)
{
    const struct gg_capture *capture = &session->capture;
    struct gg_run *root = find_root_run(session);
    if (!root) {
        missing_run(session, session->options.command[0], why_missing(session));
        /* An exit status that is valgrind's, not the program's, says nothing of the program. */
        session->program.ran = false;
        return;
    }
    root->exit_code = capture->exit_code;
    root->signal = capture->signal;
    if (root->end == GG_END_TRUNCATED && capture->signal_number == SIGKILL)
        root->end = GG_END_KILLED;
}

/* What may keep any report from being there, or from being whole. */
static void note_doubts(struct gg_session *session)
{
    const struct gg_capture *capture = &session->capture;
    struct gg_collate *collate = session->collate;
    if (capture->unsure)
        gg_collate_note(collate, "overwritten", NULL, true, "%s", capture->unsure);
    for (const char *const *line = capture->last_words; *line; line++)
        gg_collate_note(collate, "not-checked", NULL, true,
                        "a process was not checked, or not to its end; valgrind said: %s", *line);
    if (capture->manifest_error)
        gg_collate_note(collate, "manifest", NULL, true, "%s", capture->manifest_error);
    const char *stopped = why_stopped(session);
    if (stopped)
        gg_collate_note(collate, "stopped", NULL, true, "%s", stopped);
    if (capture->unread)
        gg_collate_note(collate, "options-unread", NULL, false,
                        "valgrind was told not to read its options from %s: give those that are "
                        "needed with --valgrind-arg",
                        capture->unread);
}

/* The program can put anything into the directory, also what would be waited for without end. */
static void read_captured(struct gg_session *session)
{
    const struct gg_capture *capture = &session->capture;
    if (!capture->started)
        return;
    for (const char *const *name = capture->reports; *name; name++) {
        const char *path = gg_fs_join(&session->arena, capture->directory, *name);
        if (gg_fs_is_regular(path))
            read_source(session, path, *name);
        else
            gg_collate_note(session->collate, "unreadable", *name, true,
                            "is no regular file, so it is not valgrind that made it: a report may "
                            "be missing");
    }
    find_replaced(session);
    describe_root(session);
    note_doubts(session);
}

void gg_intake_read(struct gg_session *session)
{
    if (session->options.command)
        read_captured(session);
    else
        read_named(session);
}
