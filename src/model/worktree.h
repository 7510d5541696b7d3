/*
 * Worktree: the files of the repository as plain data. vcs fills it, locate reads it.
 */
#ifndef GG_MODEL_WORKTREE_H
#define GG_MODEL_WORKTREE_H

#include <stdbool.h>
#include <stddef.h>

struct gg_worktree {
    const char
        *root; /* absolute, symbolic links resolved, no trailing slash; NULL: no repository */
    const char *const *paths; /* tracked files, repository-relative, sorted bytewise, those of
                                 checked-out submodules included */
    size_t path_count;
    const char *const *submodules; /* directories of submodules, sorted; NULL-terminated */
};

#endif
