/* The spine: the stages of a session, called in order. What one stage needs of another is handed
 * over here, as data. See docs/ARCHITECTURE.md. */
#include "session.h"
#include "tell.h"

#include "base/out.h"
#include "gate/doctor.h"
#include "gate/expect.h"
#include "gate/reliability.h"
#include "locate/locate.h"
#include "match/lint.h"
#include "match/supp_uses.h"
#include "model/fingerprint.h"
#include "model/order.h"
#include "programs.h"
#include "rulebook.h"
#include "rules_before.h"
#include "selftest.h"
#include "vcs/branch.h"
#include "write/writers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gg_session *gg_session_new(const struct gg_options *options)
{
    struct gg_session *session = gg_alloc(sizeof *session);
    gg_arena_init(&session->arena);
    gg_atoms_init(&session->atoms, &session->arena);
    session->options = *options;
    session->collate = gg_collate_new(&session->arena, &session->atoms);
    return session;
}

void gg_session_free(struct gg_session *session)
{
    if (!session)
        return;
    gg_capture_forget(&session->capture);
    gg_collate_close(session->collate);
    gg_atoms_free(&session->atoms);
    gg_arena_free(&session->arena);
    free(session);
}

static bool open_repository(struct gg_session *session, struct gg_error *err)
{
    session->repo = gg_repo_open(&session->arena, session->options.repo, err);
    if (!session->repo || !gg_repo_worktree(session->repo, &session->worktree, err))
        return false;
    gg_repo_checkout(session->repo, &session->checkout);
    if (session->worktree.path_count == 0)
        gg_collate_note(session->collate, "nothing-tracked", NULL, true,
                        "the repository tracks no file, so no error can be its own: git add the "
                        "sources, or name the right repository with --repo");
    return true;
}

/* Branch and day are settled here, so that the proof that errors are seen stands on the same. */
static bool open_rules(struct gg_session *session, struct gg_error *err)
{
    struct gg_rules_context context =
        gg_rulebook_context(&session->options, gg_repo_branch(session->repo));
    session->options.branch = context.branch;
    session->options.today = context.today;
    struct gg_rulebook_source source =
        gg_rulebook_here(&session->arena, gg_repo_root(session->repo));
    session->rules = gg_rulebook_open(&session->arena, &session->options, &context, &source, err);
    return session->rules && gg_rules_before_find(session, err);
}

static bool locate(struct gg_session *session, struct gg_error *err)
{
    struct gg_locate_options options = {session->options.path_maps, session->options.wrappers};
    return gg_locate(&session->arena, &session->worktree, &options,
                     gg_collate_frames(session->collate), session->report.findings,
                     session->report.finding_count, err);
}

static bool match(struct gg_session *session, struct gg_error *err)
{
    struct gg_report *report = &session->report;
    if (!gg_rulebook_add_packs(session->rules, &session->options, report, err))
        return false;
    gg_rules_apply(session->rules, report);
    if (!gg_rules_before_judge(session, err))
        return false;
    report->rules = gg_rules_list(session->rules, &report->rule_count);
    report->supp_uses = gg_supp_uses(&session->arena, report, &report->supp_use_count);
    gg_rulebook_note(&session->arena, report);
    size_t count;
    struct gg_entry **entries = gg_rules_entries(session->rules, &count);
    gg_lint_mark(&session->arena, entries, count, report);
    return true;
}

/* Blame is dear, so only findings that are still open are asked about, all in one walk. */
static void attribute(struct gg_session *session)
{
    struct gg_report *report = &session->report;
    struct gg_blame_query *queries = gg_alloc(report->finding_count * sizeof *queries);
    size_t *asked = gg_alloc(report->finding_count * sizeof *asked);
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count && session->options.blame; i++) {
        const struct gg_finding *finding = &report->findings[i];
        if (finding->fate != GG_OPEN || !finding->has_site)
            continue;
        queries[count] = (struct gg_blame_query){finding->site.path, finding->site.line, {0}};
        asked[count++] = i;
    }
    struct gg_attributor attributor = gg_repo_attributor(session->repo);
    struct gg_error err = {0};
    if (count)
        gg_tell_blame(session);
    if (count && !attributor.attribute(attributor.self, queries, count, &err)) {
        const char *why = gg_arena_strdup(&session->arena, err.text);
        for (size_t i = 0; i < count; i++)
            queries[i].answer = (struct gg_blame){.state = GG_BLAME_UNKNOWN, .why = why};
    }
    for (size_t i = 0; i < count; i++)
        report->findings[asked[i]].blame = queries[i].answer;
    attributor.close(attributor.self);
    free(queries);
    free(asked);
}

/* First the proof that errors are seen here. Who tells grindgate to stop meanwhile means all of it.
 */
static bool launch(struct gg_session *session, struct gg_error *err)
{
    if (session->options.selftest && !gg_selftest_before(session, err))
        return false;
    if (!session->selftest.stopped && !gg_intake_run(session, err))
        return false;
    if (session->options.selftest)
        gg_selftest_note(session);
    return true;
}

bool gg_session_judge(struct gg_session *session, struct gg_error *err)
{
    struct gg_report *report = &session->report;
    if (!gg_expect_check(&session->options, err) || !open_repository(session, err) ||
        !open_rules(session, err))
        return false;
    if ((session->options.command || session->options.ctest) && !launch(session, err))
        return false;
    gg_tell_reading(session);
    gg_intake_read(session);
    gg_collate_finish(session->collate, report);
    gg_intake_note_moved(session);
    gg_repo_describe(session->repo, &report->repository);
    if (!locate(session, err))
        return false;
    gg_fingerprint(&session->arena, report->findings, report->finding_count);
    if (!match(session, err))
        return false;
    gg_decide_fates(&session->arena, &session->options, report);
    gg_decide_evidence(&session->arena, &session->worktree, report);
    gg_decide_reliability(&session->arena, report);
    gg_doctor(&session->arena, report);
    gg_programs_note_others(session);
    gg_expect(&session->arena, &session->options, report);
    attribute(session);
    gg_order_findings(&session->arena, report);
    gg_decide_verdict(&session->arena, &session->options, &session->program, report,
                      &session->verdict);
    return true;
}

bool gg_repository_root(const char *start, char *root, size_t size, struct gg_error *err)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_repo *repo = gg_repo_open(&arena, start, err);
    const char *found = repo ? gg_repo_root(repo) : NULL;
    if (found && strlen(found) >= size) {
        gg_error_set(err, "%s: path is too long", found);
        found = NULL;
    }
    if (found)
        memcpy(root, found, strlen(found) + 1);
    gg_arena_free(&arena);
    return found != NULL;
}

const struct gg_report *gg_session_report(const struct gg_session *session)
{
    return &session->report;
}

const struct gg_verdict *gg_session_verdict(const struct gg_session *session)
{
    return &session->verdict;
}

bool gg_session_write(struct gg_session *session, const char *format, const char *path,
                      const struct gg_write_options *options, struct gg_error *err)
{
    const struct gg_writer *writer = gg_writer_find(format);
    if (!writer) {
        gg_error_set(err, "%s: is no output format", format);
        return false;
    }
    bool standard = !path || strcmp(path, "-") == 0;
    struct gg_out *out =
        standard ? gg_out_fd(STDOUT_FILENO, "standard output") : gg_out_file(path, err);
    if (!out)
        return false;
    writer->write(&session->report, &session->verdict, options, out);
    return gg_out_close(out, err);
}

void gg_session_output_failed(struct gg_session *session, const char *reason)
{
    gg_decide_output_failed(&session->arena, &session->verdict, reason);
}

const struct gg_writer *const *gg_writers(void)
{
    return gg_writer_table;
}
