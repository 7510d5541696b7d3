/*
 * Session: what the spine carries from stage to stage. Private to the spine.
 */
#ifndef GG_SESSION_H
#define GG_SESSION_H

#include "base/atom.h"
#include "capture/run.h"
#include "gate/decide.h"
#include "grindgate/grindgate.h"
#include "match/rules.h"
#include "model/collate.h"
#include "model/worktree.h"
#include "vcs/repo.h"

struct gg_session {
    struct gg_arena arena;
    struct gg_atoms atoms;
    struct gg_options options;
    struct gg_repo *repo;
    struct gg_checkout checkout; /* as it is now */
    struct gg_worktree worktree;
    struct gg_rules *rules;
    struct gg_selftest selftest;
    struct gg_capture capture;
    struct gg_program program;
    struct gg_collate *collate;
    struct gg_report report;
    struct gg_verdict verdict;
    struct gg_beat beat;  /* of the stage at work */
    size_t launches;      /* read */
    size_t idle_launches; /* of them: those of a shell or the like that ran nothing to be tested */
};

/* Runs the program of the options; false when nothing was judged (usage). */
bool gg_intake_run(struct gg_session *session, struct gg_error *err);

/* Reads the reports of the program that was run, or those the options name. */
void gg_intake_read(struct gg_session *session);

/* Tells, in the finished report, of those that were made at another commit. */
void gg_intake_note_moved(struct gg_session *session);

#endif
