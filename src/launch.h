/*
 * Launch: what the run of one program under valgrind left becomes runs, findings and notes.
 * Private to the spine.
 *
 * A capture may be freed right after: what the session keeps of it is copied.
 */
#ifndef GG_LAUNCH_H
#define GG_LAUNCH_H

#include "session.h"

/* Reads the reports of a run that was just made. `name` is how outputs call its directory; "": the
 * reports are named alone. false when there is no report of the program itself. */
bool gg_launch_read(struct gg_session *session, const struct gg_capture *capture, const char *name);

/* The same for a run whose end nobody saw: `why`, a sentence that its cut-off reports get. */
bool gg_launch_read_cut(struct gg_session *session, const struct gg_capture *capture,
                        const char *name, const char *why);

/* The same for a run that was kept: one of another commit, or of another build of the program, is
 * named, not judged. */
void gg_launch_read_kept(struct gg_session *session, const struct gg_capture *capture,
                         const char *name);

/* A run whose report is not there; the run is returned. */
struct gg_run *gg_launch_missing(struct gg_session *session, const char *source,
                                 const char *detail);

#endif
