/*
 * Tell: says what the session is doing to whoever the options name. While a program runs, the
 * capture does so itself.
 */
#ifndef GG_TELL_H
#define GG_TELL_H

#include "session.h"

/* Reports are about to be read; from now on the collate tells. */
void gg_tell_reading(struct gg_session *session);

/* git is about to be asked; from now on the repository tells. */
void gg_tell_blame(struct gg_session *session);

#endif
