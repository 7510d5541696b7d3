/*
 * Base: the commit that a change is compared with, and files as they were in it.
 */
#ifndef GG_VCS_BASE_H
#define GG_VCS_BASE_H

#include "base/str.h"
#include "vcs/repo.h"

/* The merge base of HEAD and a revision, in hex (as in gg_repository.base). false with an error
 * that says what to do: there is no such revision here, or the two share no history here. */
bool gg_base_find(struct gg_repo *repo, const char *revision, char hex[65], struct gg_error *err);

/* What a file of the work tree held at that commit: `path` is repository-relative, one in a
 * submodule is looked up in the commit that the submodule was at. *there is false when it was no
 * plain file then. false with an error when the objects cannot be read. */
bool gg_base_file(struct gg_repo *repo, const char *hex, const char *path, bool *there,
                  struct gg_str *text, struct gg_error *err);

#endif
