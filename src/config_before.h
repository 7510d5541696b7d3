/*
 * Config before: which rule files grindgate.json named in the base commit. A change that adds a
 * file to the list, or moves one, is seen by it.
 */
#ifndef GG_CONFIG_BEFORE_H
#define GG_CONFIG_BEFORE_H

#include "session.h"

/* Puts the lists that the options have from a settings file of this repository back to what they
 * were there; those of flags and of the environment are no part of a change and stay. */
bool gg_config_before(struct gg_session *session, struct gg_options *options, struct gg_error *err);

#endif
