/* Where reports come from: the program that was run, or files and kept runs that exist. Whatever
 * goes wrong here becomes a run or a note, so that a report that is not there can never look like a
 * clean one. */
#include "base/proc.h"
#include "capture/keep.h"
#include "capture/record.h"
#include "launch.h"
#include "model/note.h"
#include "programs.h"
#include "read/listing.h"
#include "read/program.h"
#include "read/readers.h"
#include "session.h"
#include "suite_intake.h"

#include <string.h>
#include <sys/stat.h>

bool gg_intake_run(struct gg_session *session, struct gg_error *err)
{
    if (session->options.ctest)
        return gg_suite_intake(session, err);
    bool usage = false;
    struct gg_error failure = {0};
    if (gg_capture_run(&session->arena, &session->options, &session->checkout, &session->capture,
                       &usage, &failure)) {
        session->program = (struct gg_program){
            .ran = true,
            .exit_code = session->capture.exit_code,
            .signal = session->capture.signal
                          ? gg_proc_signal_name(&session->arena, session->capture.signal)
                          : NULL};
        return true;
    }
    if (usage) {
        gg_error_set(err, "%s", failure.text);
        return false;
    }
    gg_collate_note(session->collate, "not-run", NULL, true, "%s", failure.text);
    return true;
}

static void read_captured(struct gg_session *session)
{
    if (!session->capture.ended)
        return;
    /* An exit status that is valgrind's, not the program's, says nothing of the program. */
    session->program.ran = gg_launch_read(session, &session->capture, "");
}

/* An error begins with the path of its file, and a note with where it belongs: the same path, or
 * the directory of the file. */
static void note_unreadable(struct gg_session *session, const struct gg_listed *listed,
                            const struct gg_error *err)
{
    const char *text = err->text;
    size_t len = strlen(listed->name);
    if (strncmp(text, listed->name, len) == 0) {
        if (text[len] == '/')
            text += len + 1;
        else if (strncmp(text + len, ": ", 2) == 0)
            text += len + 2;
    }
    gg_collate_note(session->collate, "unreadable", listed->name, true, "%s", text);
}

static void read_kept(struct gg_session *session, const struct gg_listed *listed)
{
    struct gg_capture capture;
    struct gg_error err = {0};
    struct gg_arena scratch; /* there may be thousands, and little of each is kept */
    gg_arena_init(&scratch);
    if (gg_capture_read(&scratch, listed->path, &capture, &err))
        gg_launch_read_kept(session, &capture, listed->name);
    else
        note_unreadable(session, listed, &err);
    gg_arena_free(&scratch);
}

static bool is_older(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec < b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

/* Why the report says nothing of the program as it is now, or NULL. A name without a slash is that
 * of a file in the PATH of its time, and standard input has no time. */
static const char *why_stale(struct gg_session *session, const char *path)
{
    struct gg_arena scratch;
    struct stat report, program;
    const char *why = NULL;
    gg_arena_init(&scratch);
    const char *name = strcmp(path, "-") != 0 ? gg_read_program(&scratch, path) : NULL;
    if (name && strchr(name, '/') && stat(path, &report) == 0 && stat(name, &program) == 0 &&
        S_ISREG(program.st_mode) && is_older(&report, &program))
        why = gg_arena_printf(&session->arena,
                              "is older than %s, which it is a report of: run it again", name);
    gg_arena_free(&scratch);
    return why;
}

static void read_file(struct gg_session *session, const struct gg_listed *listed)
{
    struct gg_error err = {0};
    const char *stale = why_stale(session, listed->path);
    if (stale)
        gg_launch_missing(session, listed->name, stale);
    else if (!gg_read(session->collate, listed->path, listed->name, &err))
        note_unreadable(session, listed, &err);
}

static void read_named(struct gg_session *session)
{
    struct gg_listing listing = {.record = GG_RECORD, .is_run = gg_keep_is_run_name};
    for (const char *const *path = session->options.reports; path && *path; path++)
        gg_listing_add(&session->arena, &listing, *path);
    for (size_t i = 0; i < listing.len; i++) {
        const struct gg_listed *listed = &listing.at[i];
        if (listed->failure)
            gg_launch_missing(session, listed->name, listed->failure);
        else if (listed->recorded)
            read_kept(session, listed);
        else
            read_file(session, listed);
    }
    gg_map_free(&listing.files);
}

void gg_intake_read(struct gg_session *session)
{
    bool one = session->options.command && !session->options.ctest;
    if (one)
        read_captured(session);
    else if (!session->options.ctest) /* the reports of a suite are read while it runs */
        read_named(session);
    if (!one)
        gg_programs_note_idle(session);
}

/* A report of our own is of the commit that it names. Where that is not here it is another one. */
static bool is_moved(struct gg_session *session, const struct gg_run *run)
{
    struct gg_checkout then = {.root = session->checkout.root, .head = run->head};
    return run->head && gg_repo_moved(session->repo, &then, &session->checkout);
}

void gg_intake_note_moved(struct gg_session *session)
{
    struct gg_report *report = &session->report;
    const char *told = NULL;
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (run->told_by == told || !is_moved(session, run))
            continue;
        told = run->told_by;
        struct gg_note note = {
            .kind = "stale-report",
            .text = gg_arena_printf(&session->arena,
                                    "was made at commit %.7s, and HEAD is %.7s now: run the tests "
                                    "again",
                                    run->head, session->checkout.head),
            .where = told,
            .incomplete = true};
        gg_report_note(&session->arena, report, &note);
    }
}
