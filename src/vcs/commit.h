/*
 * Commit: the fields of a raw commit object.
 *
 *     tree 7f4a...
 *     parent 91bc...
 *     author A U Thor <author@example.org> 1700000000 +0100
 *     committer ...
 *     encoding ISO-8859-1
 *
 *     Subject
 */
#ifndef GG_VCS_COMMIT_H
#define GG_VCS_COMMIT_H

#include "base/arena.h"
#include "vcs/mailmap.h"
#include "vcs/objects.h"

/* What the walk needs. */
struct gg_commit {
    git_oid tree;
    git_oid *parents; /* malloc'ed */
    size_t parent_count;
    int64_t time; /* the committer's; 0 when it makes no sense */
};

/* What people are told; all texts are in the arena. In UTF-8, as far as iconv knows the encoding
 * the commit names. */
struct gg_authorship {
    struct gg_person author;
    const char *summary;
    int64_t time;
    int offset; /* minutes east of UTC */
};

bool gg_commit_parse(struct gg_str text, struct gg_commit *commit);

void gg_commit_authorship(struct gg_arena *arena, struct gg_str text,
                          struct gg_authorship *authorship);

#endif
