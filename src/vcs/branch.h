/*
 * Branch: what the work tree has checked out, by name.
 */
#ifndef GG_VCS_BRANCH_H
#define GG_VCS_BRANCH_H

#include "vcs/repo.h"

/* "main"; NULL when HEAD is a commit and no branch, as CI systems leave it. Good as long as the
 * repository's arena. */
const char *gg_repo_branch(struct gg_repo *repo);

#endif
