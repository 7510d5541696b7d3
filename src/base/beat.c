#include "base/beat.h"

#include "base/proc.h"

enum { EVERY = 1000 /* ms */ };

struct gg_beat gg_beat_begin(void (*tell)(void *self), void *self)
{
    return (struct gg_beat){.tell = tell, .self = self, .due = gg_proc_now() + EVERY};
}

void gg_beat(struct gg_beat *beat)
{
    if (!beat || gg_proc_now() < beat->due)
        return;
    beat->tell(beat->self);
    beat->due = gg_proc_now() + EVERY;
}
