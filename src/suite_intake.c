#include "suite_intake.h"

#include "base/proc.h"
#include "capture/suite.h"
#include "launch.h"
#include "read/ctest_results.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What was seen under valgrind of the tests of one name. */
struct seen {
    size_t runs;   /* under valgrind */
    size_t killed; /* of them: never ended */
};

struct intake {
    struct gg_session *session;
    struct gg_suite suite;
    struct gg_ctest_results results;
    struct gg_map seen; /* by the tests' name */
};

/* --- while it runs ---------------------------------------------------------------------- */

static struct seen *seen_of(struct intake *intake, const char *test)
{
    void **known = gg_map_put(&intake->seen, test, strlen(test));
    if (!*known)
        *known = gg_arena_alloc(&intake->session->arena, sizeof(struct seen));
    return *known;
}

/* The capture goes when this returns; of it only the name of the test is kept. */
static void take(void *self, const struct gg_capture *capture, const char *name)
{
    struct intake *intake = self;
    struct gg_session *session = intake->session;
    struct gg_capture kept = *capture;
    kept.test = gg_atom(&session->atoms, capture->test ? capture->test : name);
    struct seen *seen = seen_of(intake, kept.test);
    seen->runs++;
    seen->killed += !capture->ended && !capture->failure;
    gg_launch_read(session, &kept, gg_atom(&session->atoms, name));
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

/* A test that ran left a run of its own. */
static void account(struct intake *intake, const struct gg_test *test)
{
    struct seen *seen = seen_of(intake, test->name);
    if (seen->runs == 0) {
        note(intake, "not-checked", test, true,
             "the test was run, but not under valgrind: CTest starts a program that it finds "
             "elsewhere than the build says, or whatever watches over it was killed at once");
        return;
    }
    seen->runs--;
    if (!seen->killed)
        return;
    seen->killed--;
    note(intake, "killed", test, true,
         gg_arena_printf(&intake->session->arena,
                         "CTest stopped the test before it ended%s%s: give it more time with "
                         "--timeout-factor, or find out why it hangs",
                         test->detail ? ": " : "", test->detail ? test->detail : ""));
}

static void describe(struct intake *intake, struct gg_test *test)
{
    struct gg_arena *arena = &intake->session->arena;
    const char *detail = test->detail;
    if (test->state != GG_TEST_PASSED && !detail)
        test->detail = remark_on(intake, test->name);
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
             gg_arena_printf(arena, "CTest did not run the test: %s",
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

/* Why the suite as a whole is in doubt. */
static void note_doubts(struct intake *intake)
{
    const struct gg_suite *suite = &intake->suite;
    struct gg_arena *arena = &intake->session->arena;
    if (suite->stop == GG_STOP_TIMEOUT)
        note_suite(intake,
                   gg_arena_printf(arena,
                                   "the suite was stopped after %u s (--timeout): give it more "
                                   "time, or find out what hangs",
                                   intake->session->options.timeout));
    else if (suite->stop == GG_STOP_SIGNAL)
        note_suite(intake, "grindgate was told to stop before the suite ended: run it again");
    else if (suite->signal)
        note_suite(intake, gg_arena_printf(arena, "ctest was killed by %s",
                                           gg_proc_signal_name(arena, suite->signal)));
}

static void take_results(struct intake *intake)
{
    struct gg_session *session = intake->session;
    const struct gg_suite *suite = &intake->suite;
    struct gg_error err = {0};
    if (!gg_ctest_results_read(&session->arena, suite->results, &intake->results, &err))
        intake->results.tests.len = 0;
    if (!intake->results.tests.len && !suite->found_none)
        note_suite(intake, gg_arena_printf(&session->arena,
                                           "ctest ended with %d and left no results: is it older "
                                           "than 3.21, or was it told not to run the tests?",
                                           suite->exit_code));
    size_t ran = 0;
    for (size_t i = 0; i < intake->results.tests.len; i++) {
        struct gg_test *test = &intake->results.tests.at[i];
        describe(intake, test);
        ran += test->state == GG_TEST_PASSED || test->state == GG_TEST_FAILED;
    }
    if (suite->found_none)
        note_suite(intake, "CTest found no test: are tests added, and do the arguments (-R, -L) "
                           "select any?");
    else if (intake->results.tests.len && !ran)
        note_suite(intake, "not one test ran: all are skipped, disabled or could not be run");
    if (intake->results.tests.len)
        qsort(intake->results.tests.at, intake->results.tests.len, sizeof(struct gg_test), by_name);
    session->report.tests = intake->results.tests.at;
    session->report.test_count = intake->results.tests.len;
}

bool gg_suite_intake(struct gg_session *session, struct gg_error *err)
{
    struct intake intake = {
        .session = session,
        .suite = {.options = &session->options, .take = take, .lose = lose, .tell = tell}};
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
    note_doubts(&intake);
    take_results(&intake);
    session->program = (struct gg_program){
        .ran = intake.suite.exit_code >= 0, .exit_code = intake.suite.exit_code, .signal = NULL};
    gg_suite_forget(&intake.suite);
    gg_map_free(&intake.seen);
    return true;
}
