/*
 * Parting: what the terminal is to get before a signal ends or stops grindgate.
 *
 * There is one terminal and a signal may come at any time, so this belongs to the process. Bytes
 * are borrowed for good. Signals that are ignored (nohup) or held elsewhere (while a program runs)
 * do what they would do without it.
 */
#ifndef GG_CLI_PARTING_H
#define GG_CLI_PARTING_H

/* What would be written to standard error. NULL: nothing, or it has been, at a stop (^Z). */
const char *gg_parting(void);

/* NULL: there is nothing left to be put right. */
void gg_parting_set(const char *bytes);

/* Between these two no signal comes: what is on the terminal and what would put it right change
 * together. */
void gg_parting_hold(void);
void gg_parting_release(void);

#endif
