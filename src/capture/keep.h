/*
 * Keep: the directory that gets the reports of one run.
 *
 *     KEEP/manifest.json               all runs, oldest first
 *     KEEP/20250309-141503-4711/       one run: when (UTC) and grindgate's pid
 *         run.json                     what was run, and how it ended (record.h)
 *         4712-1.xml                   one process
 *         4712-2.xml                   and the program it became (exec)
 *         valgrind-1.log               what valgrind itself had to say, if anything
 *
 * Without --keep it is a private directory that nobody needs to know of. Nothing that is there is
 * ever overwritten, and runs side by side may share one KEEP.
 */
#ifndef GG_CAPTURE_KEEP_H
#define GG_CAPTURE_KEEP_H

#include <time.h>

#include "base/arena.h"
#include "capture/run.h"

struct gg_keep {
    const char *root; /* KEEP, absolute; NULL: the directory is temporary */
    const char *path; /* of the run, absolute */
    const char *name; /* of the run, in KEEP */
    time_t time;
};

/* Makes the directory; *usage when --keep is at fault. */
bool gg_keep_open(struct gg_arena *arena, const char *root, struct gg_keep *keep, bool *usage,
                  struct gg_error *err);

/* Makes a directory in `root` for a run that is only collected: there is no manifest, which
 * thousands of runs side by side would have to write one after the other. */
bool gg_keep_collect(struct gg_arena *arena, const char *root, struct gg_keep *keep,
                     struct gg_error *err);

/* Is this how the directory of a run is called? */
bool gg_keep_is_run_name(const char *name);

/* Enters the run in the manifest. */
bool gg_keep_record(struct gg_arena *arena, const struct gg_keep *keep,
                    const struct gg_capture *capture, struct gg_error *err);

#endif
