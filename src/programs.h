/*
 * Programs: were those that ran under valgrind the ones to be tested, and could it see all of
 * them? Private to the spine.
 */
#ifndef GG_PROGRAMS_H
#define GG_PROGRAMS_H

#include "session.h"

/* Notes what a launch lacks, whose runs are those from `first` on in the collate: a program of
 * one's own, when only a shell or the like was run; leaks, in programs linked statically. `here`:
 * it is the one program that was run just now, from this directory. */
void gg_programs_note(struct gg_session *session, const struct gg_capture *capture, uint32_t first,
                      const char *where, bool here);

/* After all launches of a suite or of kept runs: was any of them of a program that is tested? */
void gg_programs_note_idle(struct gg_session *session);

/* The same as gg_programs_note for reports that others made, where the program is still there. */
void gg_programs_note_others(struct gg_session *session);

/* Has the program that was to run setuid, setgid or capabilities? */
bool gg_programs_are_privileged(const struct gg_capture *capture);

#endif
