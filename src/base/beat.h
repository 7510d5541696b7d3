/*
 * Beat: somebody who is to be told about every second while long work goes on.
 *
 * Whoever works calls gg_beat as often as is convenient (a chunk of input, a commit): that costs
 * one look at the clock.
 */
#ifndef GG_BASE_BEAT_H
#define GG_BASE_BEAT_H

struct gg_beat {
    void (*tell)(void *self);
    void *self;
    long long due; /* by gg_proc_now */
};

/* From now on: the first time in a second. */
struct gg_beat gg_beat_begin(void (*tell)(void *self), void *self);

/* Tells, if it is time. NULL: there is nobody. */
void gg_beat(struct gg_beat *beat);

#endif
