/*
 * Proof: that the canary's faults were seen once, remembered for the next time.
 *
 * A proof is good for a machine, a valgrind and a configuration: its key is a hash over all that
 * decides whether an error is seen. It lies in $XDG_CACHE_HOME/grindgate or ~/.cache/grindgate,
 * which nobody but this user may be able to write to. A cache that is not there or cannot be used
 * is no error: then nothing is known, and nothing is remembered. Private to the spine.
 */
#ifndef GG_PROOF_H
#define GG_PROOF_H

#include <stdbool.h>

#include "base/arena.h"
#include "grindgate/grindgate.h"

/* The key for what these options would run, as 64 hexadecimal digits. `version` is valgrind's. */
const char *gg_proof_key(struct gg_arena *arena, const struct gg_options *options,
                         const char *version);

/* Was it proved before? A cache below `worktree` (NULL: none) does not count: whoever writes the
 * repository could have planted it. */
bool gg_proof_known(struct gg_arena *arena, const char *key, const char *worktree);

void gg_proof_remember(struct gg_arena *arena, const char *key);

/* Another try failed: what was remembered is no longer so. */
void gg_proof_forget(struct gg_arena *arena, const char *key);

#endif
