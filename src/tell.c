#include "tell.h"

static void tell(const struct gg_session *session, const struct gg_progress *progress)
{
    session->options.progress(session->options.progress_self, progress);
}

static void tell_reading(void *self)
{
    const struct gg_session *session = self;
    tell(session, &(struct gg_progress){.phase = GG_PHASE_READ,
                                        .reports = gg_collate_run_count(session->collate),
                                        .errors = gg_collate_error_total(session->collate)});
}

static void tell_blame(void *self)
{
    const struct gg_session *session = self;
    tell(session, &(struct gg_progress){.phase = GG_PHASE_BLAME,
                                        .reports = session->report.run_count,
                                        .errors = session->report.finding_count});
}

void gg_tell_reading(struct gg_session *session)
{
    if (!session->options.progress)
        return;
    session->beat = gg_beat_begin(tell_reading, session);
    gg_collate_set_beat(session->collate, &session->beat);
}

void gg_tell_blame(struct gg_session *session)
{
    if (!session->options.progress)
        return;
    session->beat = gg_beat_begin(tell_blame, session);
    gg_repo_beat(session->repo, &session->beat);
}
