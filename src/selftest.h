/*
 * Selftest: is it proved that errors are seen here? Private to the spine; for others see
 * grindgate.h.
 *
 * The canary is judged by a session of its own with the configuration at hand. What does not come
 * out as it was planted is a sentence that says why.
 */
#ifndef GG_SELFTEST_H
#define GG_SELFTEST_H

#include "session.h"

/* Before anything is run: a proof that is remembered, or a new one, in session->selftest. false
 * when nothing can be run with these options (usage). */
bool gg_selftest_before(struct gg_session *session, struct gg_error *err);

/* After it was run: what is proved and what is not, as notes. */
void gg_selftest_note(struct gg_session *session);

#endif
