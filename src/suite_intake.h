/*
 * Suite intake: runs a CTest suite and takes in what its tests left. Private to the spine.
 */
#ifndef GG_SUITE_INTAKE_H
#define GG_SUITE_INTAKE_H

#include "session.h"

/* Runs the suite of the options, reads each test's reports as it ends, and fills report.tests;
 * false when nothing was judged (usage). */
bool gg_suite_intake(struct gg_session *session, struct gg_error *err);

#endif
