#include "selftest.h"

#include "base/fs.h"
#include "canary.h"
#include "capture/flags.h"
#include "capture/valgrind.h"
#include "proof.h"
#include "rulebook.h"
#include "vcs/branch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The canary needs a second and writes 10 kB; the limits that the user sets are for the program. */
enum { CANARY_SECONDS = 120, CANARY_REPORT_SIZE = 64 << 20 };

struct look {
    struct gg_arena *arena;
    struct gg_session *session; /* of the canary */
    struct gg_selftest *result;
};

/* --- one fault -------------------------------------------------------------------------- */

static bool is_at(const struct gg_finding *finding, const struct gg_selftest_fault *fault)
{
    const struct gg_site *site = &finding->site;
    return finding->has_site && site->via == GG_VIA_ERROR && site->line == fault->line &&
           strcmp(site->path, fault->path) == 0 && site->function &&
           strcmp(site->function, fault->function) == 0;
}

static bool passes(const struct gg_finding *finding, const char *function)
{
    for (size_t i = 0; finding->stack_count && i < finding->stacks[0].len; i++) {
        const char *passed = finding->stacks[0].frames[i]->function;
        if (passed && strcmp(passed, function) == 0)
            return true;
    }
    return false;
}

/* The C library may err, too, and without symbols no function has a name. */
static const struct gg_finding *find(const struct gg_report *report,
                                     const struct gg_selftest_fault *fault)
{
    const struct gg_finding *best = NULL;
    int best_likeness = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        if (finding->kind != fault->kind)
            continue;
        int likeness = is_at(finding, fault) ? 3 : passes(finding, fault->function) ? 2 : 1;
        if (likeness > best_likeness) {
            best = finding;
            best_likeness = likeness;
        }
    }
    return best;
}

static bool gives_suppressions(const char *const *args)
{
    for (; args && *args; args++) {
        if (strncmp(*args, "--suppressions=", strlen("--suppressions=")) == 0)
            return true;
    }
    return false;
}

/* What valgrind used of the suppressions it was given, "NAME, NAME"; NULL: none. */
static const char *hidden_by(const struct look *look)
{
    const char *list = NULL;
    const struct gg_report *report = &look->session->report;
    if (!gives_suppressions(look->session->options.valgrind_args))
        return NULL;
    for (size_t r = 0; r < report->run_count; r++) {
        const struct gg_run *run = &report->runs[r];
        for (size_t i = 0; i < run->suppcount_count; i++)
            list = gg_arena_printf(look->arena, "%s%s%s", list ? list : "", list ? ", " : "",
                                   run->suppcounts[i].name);
    }
    return list;
}

static const char *why_unseen(const struct look *look, const struct gg_selftest_fault *fault)
{
    const char *const *args = look->session->options.valgrind_args, *hidden = hidden_by(look);
    if (fault->kind == GG_KIND_UninitCondition && gg_flags_has(args, "--undef-value-errors=no"))
        return "it was not found: with --undef-value-errors=no valgrind does not look for "
               "uninitialised values; leave that out, or say --no-selftest if it is meant";
    if (hidden)
        return gg_arena_printf(look->arena,
                               "it was not reported: suppressions that valgrind was given hid "
                               "something, and would hide an error of yours as well: %s",
                               hidden);
    return gg_arena_printf(look->arena, "it was not reported, though the report is whole: %s",
                           args && *args ? "an option of --valgrind-arg hides it, or this valgrind "
                                           "does not work on this machine"
                                         : "this valgrind does not work on this machine");
}

/* NULL: it was found as it is. */
static const char *why_unproved(const struct look *look, const struct gg_selftest_fault *fault)
{
    const struct gg_finding *finding = find(&look->session->report, fault);
    if (!finding)
        return why_unseen(look, fault);
    if (finding->fate == GG_SUPPRESSED)
        return gg_arena_printf(look->arena,
                               "it was found, but the suppression \"%s\" (%s:%" PRIu32
                               ") hides it, and would hide an error of yours as well: narrow it",
                               finding->rule->id, finding->rule->file, finding->rule->line);
    if (!finding->has_site)
        return "it was found, but laid to no line: valgrind could not read the debug information "
               "of the canary";
    if (!is_at(finding, fault))
        return gg_arena_printf(look->arena, "it was found, but laid to %s:%" PRIu32 "%s%s",
                               finding->site.path, finding->site.line,
                               finding->site.function ? " in " : "",
                               finding->site.function ? finding->site.function : "");
    if (finding->fate != GG_OPEN)
        return gg_arena_printf(look->arena, "it was found, but does not count: %s", finding->why);
    return NULL;
}

/* --- the canary's run ------------------------------------------------------------------- */

static const struct gg_run *root_of(const struct gg_report *report)
{
    for (size_t i = 0; i < report->run_count; i++) {
        if (report->runs[i].root)
            return &report->runs[i];
    }
    return NULL;
}

/* A report that is there, but says too little to be known as the canary's. */
static const struct gg_run *remains_of(const struct gg_report *report)
{
    for (size_t i = 0; i < report->run_count; i++) {
        if (report->runs[i].end == GG_END_TRUNCATED || report->runs[i].end == GG_END_KILLED)
            return &report->runs[i];
    }
    return NULL;
}

static const char *note_of(const struct gg_report *report, const char *kind)
{
    for (size_t i = 0; i < report->note_count; i++) {
        if (strcmp(report->notes[i].kind, kind) == 0)
            return report->notes[i].text;
    }
    return NULL;
}

/* A program that is no valgrind may end well and leave nothing. */
static const char *why_no_report(const struct look *look)
{
    const struct gg_capture *capture = &look->session->capture;
    if (capture->exit_code == 0)
        return "valgrind left no report: what is run in its place passes the program on without "
               "it, or loses valgrind's own arguments; see --valgrind";
    if (capture->exit_code > 0)
        return gg_arena_printf(look->arena,
                               "valgrind left no report and ended with status %d: see what it "
                               "says, and whether each --valgrind-arg is one it knows",
                               capture->exit_code);
    return "valgrind was killed and left no report";
}

/* valgrind's own words say more than any guess. */
static const char *why_cut(const struct look *look)
{
    const struct gg_run *remains = remains_of(&look->session->report);
    const struct gg_capture *capture = &look->session->capture;
    if (capture->word_count)
        return capture->words[0].text;
    if (capture->log[0])
        return gg_arena_printf(look->arena, "valgrind did not get through; it said: %.400s",
                               capture->log);
    if (!remains)
        return why_no_report(look);
    return gg_arena_printf(look->arena, "valgrind's report is not whole: %s",
                           remains->detail ? remains->detail : gg_end_name(remains->end));
}

/* What kept the canary from being run to its end; NULL: nothing did. */
static const char *why_not_run(const struct look *look)
{
    const struct gg_session *session = look->session;
    const struct gg_run *root = root_of(&session->report);
    const char *failure = note_of(&session->report, "not-run");
    if (failure)
        return failure;
    if (root && root->end == GG_END_FINISHED)
        return NULL;
    if (session->capture.stop == GG_STOP_TIMEOUT)
        return gg_arena_printf(look->arena, "the canary did not end within %d s under valgrind",
                               (int)CANARY_SECONDS);
    return why_cut(look);
}

static void read_result(const struct look *look)
{
    struct gg_selftest *result = look->result;
    result->stopped = look->session->capture.stop == GG_STOP_SIGNAL;
    const char *failure = result->stopped ? "grindgate was told to stop" : why_not_run(look);
    if (failure) {
        result->failure = gg_arena_strdup(look->arena, failure);
        return;
    }
    result->proved = true;
    for (size_t i = 0; i < result->fault_count; i++) {
        const char *why = why_unproved(look, &result->faults[i]);
        result->faults[i].why = why ? gg_arena_strdup(look->arena, why) : NULL;
        result->proved = result->proved && !why;
    }
}

/* The configuration of the run to come, but for what says which program it is and where. */
static bool judge_canary(struct gg_arena *arena, const struct gg_options *options,
                         const char *program, const char *directory, struct gg_selftest *result,
                         struct gg_error *err)
{
    const char *const command[] = {program, NULL};
    struct gg_options own = {.command = command,
                             .valgrind = options->valgrind,
                             .valgrind_args = options->valgrind_args,
                             .timeout = CANARY_SECONDS,
                             .max_report_size = CANARY_REPORT_SIZE,
                             .repo = directory,
                             .wrappers = options->wrappers,
                             .rules = options->rules,
                             .suppressions = options->suppressions,
                             .packs = options->packs,
                             .branch = options->branch,
                             .today = options->today,
                             .fail_on = options->fail_on,
                             .external = options->external,
                             .auxiliary = options->auxiliary};
    struct look look = {arena, gg_session_new(&own), result};
    bool ok = gg_session_judge(look.session, err);
    if (ok)
        read_result(&look);
    gg_session_free(look.session);
    return ok;
}

/* false: usage. */
static bool prove(struct gg_arena *arena, const struct gg_options *options,
                  struct gg_selftest *result, struct gg_error *err)
{
    const char *tool = gg_flags_tool(options->valgrind_args), *directory;
    struct gg_error failure = {0};
    result->faults = gg_canary_faults(arena, &result->fault_count);
    if (!result->applies) {
        result->failure = gg_arena_printf(
            arena, "the errors that are planted for that are memcheck's, and the tool is %s", tool);
        return true;
    }
    const char *program = gg_canary_put(arena, &directory, &failure);
    if (!program) {
        result->failure = gg_arena_strdup(arena, failure.text);
        return true;
    }
    bool ok = judge_canary(arena, options, program, directory, result, err);
    gg_fs_remove_tree(directory);
    return ok;
}

/* Asks valgrind for its version; without one there is nothing to prove. */
static bool begin(struct gg_arena *arena, const struct gg_options *options,
                  struct gg_selftest *result)
{
    struct gg_error failure = {0};
    *result = (struct gg_selftest){
        .applies = strcmp(gg_flags_tool(options->valgrind_args), "memcheck") == 0};
    result->version = gg_valgrind_version(arena, options->valgrind, &failure);
    if (!result->version)
        result->failure = gg_arena_strdup(arena, failure.text);
    return result->version != NULL;
}

/* --- for the session -------------------------------------------------------------------- */

bool gg_selftest_before(struct gg_session *session, struct gg_error *err)
{
    struct gg_arena *arena = &session->arena;
    struct gg_selftest *result = &session->selftest;
    if (!begin(arena, &session->options, result))
        return true;
    const char *key = gg_proof_key(arena, &session->options, result->version);
    result->proved = result->applies && gg_proof_known(arena, key, session->worktree.root);
    if (result->proved)
        return true;
    if (!prove(arena, &session->options, result, err))
        return false;
    if (result->proved)
        gg_proof_remember(arena, key);
    return true;
}

static void note_unproved(struct gg_session *session)
{
    const struct gg_selftest *result = &session->selftest;
    if (!result->version && !session->program.ran)
        return; /* as valgrind cannot be run, nothing was, and that is noted */
    if (result->failure)
        gg_collate_note(session->collate, "not-proved", NULL, result->applies,
                        "it is not proved that errors are seen here: %s", result->failure);
    for (size_t i = 0; i < result->fault_count && !result->failure; i++) {
        const struct gg_selftest_fault *fault = &result->faults[i];
        if (fault->why)
            gg_collate_note(session->collate, "not-proved", NULL, true,
                            "it is not proved that errors are seen here: %s was planted, and %s",
                            fault->title, fault->why);
    }
}

void gg_selftest_note(struct gg_session *session)
{
    const struct gg_selftest *result = &session->selftest;
    if (result->proved)
        gg_collate_note(session->collate, "proved", NULL, false,
                        "proved: a leak, an invalid read and an uninitialised jump are caught, "
                        "named and laid to their lines here (valgrind %s)",
                        result->version);
    else if (result->stopped)
        gg_collate_note(session->collate, "stopped", NULL, true,
                        "grindgate was told to stop before the program began: run it again");
    else
        note_unproved(session);
}

/* --- for others ------------------------------------------------------------------------- */

struct held {
    struct gg_selftest result; /* first: what is handed out */
    struct gg_arena arena;
};

/* Rules hold on the branch and the day that they would hold on in a run. */
static struct gg_options settled(struct gg_arena *arena, const struct gg_options *options)
{
    struct gg_options own = *options;
    struct gg_error none = {0}; /* without a repository there is no branch */
    struct gg_repo *repo = gg_repo_open(arena, options->repo, &none);
    struct gg_rules_context context =
        gg_rulebook_context(options, repo ? gg_repo_branch(repo) : NULL);
    own.branch = context.branch;
    own.today = context.today;
    return own;
}

struct gg_selftest *gg_selftest_new(const struct gg_options *given, struct gg_error *err)
{
    struct held *held = gg_alloc(sizeof *held);
    gg_arena_init(&held->arena);
    const struct gg_options own = settled(&held->arena, given), *options = &own;
    if (!begin(&held->arena, options, &held->result))
        return &held->result;
    if (!prove(&held->arena, options, &held->result, err)) {
        gg_selftest_free(&held->result);
        return NULL;
    }
    const char *key = gg_proof_key(&held->arena, options, held->result.version);
    if (held->result.proved)
        gg_proof_remember(&held->arena, key);
    else
        gg_proof_forget(&held->arena, key);
    return &held->result;
}

void gg_selftest_free(struct gg_selftest *selftest)
{
    if (!selftest)
        return;
    struct held *held = (struct held *)selftest;
    gg_arena_free(&held->arena);
    free(held);
}
