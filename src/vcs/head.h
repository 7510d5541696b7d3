/*
 * Head: which commit a work tree is at, as its files say.
 *
 * For who asks for each test of a suite: libgit2 would say the same, and take longer to load than
 * the rest of what is done then. It reads what git has kept its branches in since ever, HEAD and
 * plain or packed refs, and knows nothing of others (reftable).
 */
#ifndef GG_VCS_HEAD_H
#define GG_VCS_HEAD_H

#include "base/arena.h"
#include "model/checkout.h"

/* The work tree around `start` (NULL: the current directory), and HEAD in it; both NULL when there
 * is none. */
void gg_head_read(struct gg_arena *arena, const char *start, struct gg_checkout *checkout);

#endif
