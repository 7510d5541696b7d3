#include "suite_intake.h"

#include "base/proc.h"
#include "capture/suite.h"
#include "launch.h"
#include "read/ctest_results.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct intake {
    struct gg_session *session;
    struct gg_suite suite;
    struct gg_ctest_results results;
    bool over;          /* they have been read, as far as there are any */
    struct gg_map seen; /* by the tests' name: how many runs there were under valgrind */
};

/* --- how it ended ----------------------------------------------------------------------- */

/* CTest's line says more of a failure than its results do. Each remark belongs to one test. */
static const char *remark_on(struct intake *intake, const char *name)
{
    for (size_t i = 0; i < intake->suite.remarks.len; i++) {
        struct gg_suite_remark *remark = &intake->suite.remarks.at[i];
        if (remark->text && strcmp(remark->name, name) == 0) {
            const char *text = remark->text;
            remark->text = NULL;
            return text;
        }
    }
    return NULL;
}

/* Once, when CTest has ended. */
static void read_results(struct intake *intake)
{
    struct gg_ctest_results *results = &intake->results;
    struct gg_error err = {0};
    if (intake->over)
        return;
    intake->over = true;
    if (!gg_ctest_results_read(&intake->session->arena, intake->suite.results, results, &err))
        results->tests.len = 0;
    for (size_t i = 0; i < results->tests.len; i++) {
        struct gg_test *test = &results->tests.at[i];
        if (test->state != GG_TEST_PASSED && !test->detail)
            test->detail = remark_on(intake, test->name);
    }
}

/* Why the suite as a whole did not end; NULL: it did. */
static const char *why_stopped(const struct intake *intake)
{
    const struct gg_suite *suite = &intake->suite;
    struct gg_arena *arena = &intake->session->arena;
    if (suite->stop == GG_STOP_TIMEOUT)
        return gg_arena_printf(arena,
                               "the suite was stopped after %u s (--timeout): give it more time, "
                               "or find out what hangs",
                               intake->session->options.timeout);
    if (suite->stop == GG_STOP_SIGNAL)
        return "grindgate was told to stop before the suite ended: run it again";
    if (suite->signal)
        return gg_arena_printf(arena, "ctest was killed by %s",
                               gg_proc_signal_name(arena, suite->signal));
    return NULL;
}

/* Why nobody saw the test's end. */
static const char *why_cut(const struct intake *intake, const char *name)
{
    struct gg_arena *arena = &intake->session->arena;
    const char *said = why_stopped(intake), *detail = NULL;
    if (said)
        return said;
    for (size_t i = 0; i < intake->results.tests.len && !detail; i++) {
        const struct gg_test *test = &intake->results.tests.at[i];
        if (test->state == GG_TEST_FAILED && strcmp(test->name, name) == 0)
            detail = test->detail;
    }
    if (detail && strncmp(detail, "Timeout", strlen("Timeout")) == 0)
        return gg_arena_printf(arena,
                               "CTest stopped the test (%s): give it more time with "
                               "--timeout-factor, or find out why it hangs",
                               detail);
    return gg_arena_printf(arena,
                           "whatever watched over the test was killed (CTest says: %s): by the "
                           "out-of-memory killer or by hand: run it again",
                           detail ? detail : "nothing");
}

/* --- while it runs ---------------------------------------------------------------------- */

static size_t *seen_of(struct intake *intake, const char *test)
{
    void **known = gg_map_put(&intake->seen, test, strlen(test));
    if (!*known)
        *known = gg_arena_alloc(&intake->session->arena, sizeof(size_t));
    return *known;
}

/* What becomes of the run's own name: a directory that is kept can be looked at, one that is gone
 * tells nobody anything. */
static const char *name_of(const struct intake *intake, const char *test, const char *directory)
{
    struct gg_session *session = intake->session;
    return session->options.keep || !test[0] ? gg_atom(&session->atoms, directory) : test;
}

/* The capture goes when this returns; of it only the name of the test is kept. */
static void take(void *self, const struct gg_capture *capture, const char *name)
{
    struct intake *intake = self;
    struct gg_session *session = intake->session;
    struct gg_capture kept = *capture;
    kept.test = gg_atom(&session->atoms, capture->test ? capture->test : name);
    name = name_of(intake, kept.test, name);
    ++*seen_of(intake, kept.test);
    if (capture->ended || capture->failure) {
        gg_launch_read(session, &kept, name);
        return;
    }
    read_results(intake);
    gg_launch_read_cut(session, &kept, name, why_cut(intake, kept.test));
}

static void lose(void *self, const char *name, const char *why)
{
    struct intake *intake = self;
    struct gg_session *session = intake->session;
    gg_launch_missing(session, gg_atom(&session->atoms, name),
                      gg_arena_printf(&session->arena, "the run of a test has no record: %s", why));
}

static void tell(void *self)
{
    struct intake *intake = self;
    const struct gg_session *session = intake->session;
    const struct gg_suite *suite = &intake->suite;
    if (!session->options.progress)
        return;
    struct gg_progress progress = {.phase = GG_PHASE_RUN,
                                   .tests = suite->tests,
                                   .tests_done = suite->done,
                                   .tests_running = suite->running,
                                   .reports = gg_collate_run_count(session->collate),
                                   .errors = gg_collate_error_total(session->collate),
                                   .said = suite->said,
                                   .said_len = suite->said_len};
    session->options.progress(session->options.progress_self, &progress);
}

/* --- afterwards ------------------------------------------------------------------------- */

static void note(struct intake *intake, const char *kind, const struct gg_test *test,
                 bool incomplete, const char *text)
{
    gg_collate_note(intake->session->collate, kind, test->name, incomplete, "%s", text);
}

/* A test that ran left a run of its own. */
static void account(struct intake *intake, const struct gg_test *test)
{
    size_t *runs = seen_of(intake, test->name);
    if (*runs)
        --*runs;
    else
        note(intake, "not-checked", test, true,
             "the test was run, but not under valgrind: CTest starts a program that it finds "
             "elsewhere than the build says, or whatever watches over it was killed at once");
}

static void describe(struct intake *intake, const struct gg_test *test)
{
    struct gg_arena *arena = &intake->session->arena;
    const char *detail = test->detail;
    switch (test->state) {
    case GG_TEST_SKIPPED:
        note(intake, "skipped", test, false,
             gg_arena_printf(arena, "the test skipped itself (%s)", detail ? detail : "no reason"));
        account(intake, test);
        break;
    case GG_TEST_DISABLED:
        note(intake, "disabled", test, false, "the test is disabled (DISABLED)");
        break;
    case GG_TEST_NOT_RUN:
        note(intake, "not-run", test, true,
             gg_arena_printf(arena,
                             "CTest did not run the test: %s: build it, or see what CTest says "
                             "above",
                             detail ? detail : "it does not say why"));
        break;
    default:
        account(intake, test);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct gg_test *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    if (order == 0)
        order = (left->state > right->state) - (left->state < right->state);
    return order ? order
                 : strcmp(left->detail ? left->detail : "", right->detail ? right->detail : "");
}

static void note_suite(struct intake *intake, const char *text)
{
    gg_collate_note(intake->session->collate, "suite", NULL, true, "%s", text);
}

static bool lists_only(const struct gg_options *options)
{
    static const char name[] = "--show-only";
    for (const char *const *arg = options->command; arg && *arg; arg++) {
        if (strcmp(*arg, "-N") == 0 || strncmp(*arg, name, strlen(name)) == 0)
            return true;
    }
    return false;
}

/* Why there are no results; NULL: there are some. */
static const char *why_no_results(const struct intake *intake)
{
    if (intake->results.tests.len)
        return NULL;
    if (intake->suite.found_none)
        return "CTest found no test: are tests added, and do the arguments (-R, -L) select any?";
    if (lists_only(&intake->session->options))
        return "ctest was told to list the tests and not to run them (-N, --show-only): leave that "
               "out";
    return gg_arena_printf(&intake->session->arena,
                           "ctest ended with %d and left no results: is it older than 3.21, or do "
                           "its arguments keep it from running the tests?",
                           intake->suite.exit_code);
}

static void take_results(struct intake *intake)
{
    struct gg_session *session = intake->session;
    read_results(intake);
    const char *why = why_stopped(intake);
    if (!why)
        why = why_no_results(intake);
    if (why)
        note_suite(intake, why);
    size_t ran = 0;
    for (size_t i = 0; i < intake->results.tests.len; i++) {
        const struct gg_test *test = &intake->results.tests.at[i];
        describe(intake, test);
        ran += test->state == GG_TEST_PASSED || test->state == GG_TEST_FAILED;
    }
    if (intake->results.tests.len && !ran)
        note_suite(intake, "not one test ran: all are skipped, disabled or could not be run");
    if (intake->results.tests.len)
        qsort(intake->results.tests.at, intake->results.tests.len, sizeof(struct gg_test), by_name);
    session->report.tests = intake->results.tests.at;
    session->report.test_count = intake->results.tests.len;
}

bool gg_suite_intake(struct gg_session *session, struct gg_error *err)
{
    struct intake intake = {.session = session,
                            .suite = {.options = &session->options,
                                      .root = session->checkout.root,
                                      .take = take,
                                      .lose = lose,
                                      .tell = tell}};
    struct gg_error failure = {0};
    bool usage = false;
    intake.suite.self = &intake;
    if (!gg_suite_run(&session->arena, &intake.suite, &usage, &failure)) {
        if (usage)
            gg_error_set(err, "%s", failure.text);
        else
            gg_collate_note(session->collate, "not-run", NULL, true, "%s", failure.text);
        gg_map_free(&intake.seen);
        return !usage;
    }
    take_results(&intake);
    session->program = (struct gg_program){
        .ran = intake.suite.exit_code >= 0, .exit_code = intake.suite.exit_code, .signal = NULL};
    gg_suite_forget(&intake.suite);
    gg_map_free(&intake.seen);
    return true;
}
