/*
 * Content: a file of the work tree as git would commit it.
 */
#ifndef GG_VCS_CONTENT_H
#define GG_VCS_CONTENT_H

#include "vcs/handle.h"

enum gg_content_kind {
    GG_CONTENT_ABSENT, /* nothing there */
    GG_CONTENT_FILE,
    GG_CONTENT_OTHER /* no regular file, or behind a symbolic link */
};

struct gg_content {
    enum gg_content_kind kind;
    struct gg_str text; /* line ends and $Id$ as in the repository; in the arena */
    git_oid id;         /* of the blob it would be */
};

/* false when a file is there and cannot be read, or only git could tell what it would commit. */
bool gg_content_read(struct gg_arena *arena, struct gg_repo *repo, const char *path,
                     struct gg_content *content, struct gg_error *err);

#endif
