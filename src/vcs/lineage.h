/*
 * Lineage: the walk that follows lines back to the commits that wrote them.
 *
 * git blame's rules, for many lines of many files at once: a file in a commit asks each parent
 * for the file of the same name, and where a parent has none, for the one it was renamed from. A
 * parent with the same content takes all lines; otherwise the parents, in order, take those the
 * diff calls unchanged. Lines that no parent takes were written by the commit. On top of HEAD
 * stands the work tree, treated as a commit of its own.
 *
 * What git offers beyond that would enter at one place each: -w in linemap, -M and -C after the
 * parents have taken what is theirs, ignored revisions where lines are settled.
 */
#ifndef GG_VCS_LINEAGE_H
#define GG_VCS_LINEAGE_H

#include "base/beat.h"
#include "grindgate/model.h"
#include "vcs/objects.h"
#include "vcs/top.h"

/* One line, and what became known of it. */
struct gg_line {
    uint32_t line;             /* asked; then the line in `path` of `commit` */
    enum gg_blame_state state; /* COMMIT, UNCOMMITTED, BOUNDARY, UNKNOWN once settled */
    git_oid commit;            /* COMMIT, BOUNDARY */
    const char *path;          /* in the walk's arena */
    const char *why;           /* UNKNOWN; in the walk's arena */
    struct gg_line *next;
};

struct gg_lineage;

/* `shallow` holds the ids of commits whose parents the clone has not. The arena is scratch: all
 * texts of the answers live in it. `beat` (NULL: none) is told of while commits are looked at. */
struct gg_lineage *gg_lineage_new(struct gg_arena *arena, struct gg_objects *objects,
                                  const struct gg_map *shallow, struct gg_top *top,
                                  struct gg_beat *beat);

/* Sets out from lines of a file of the top. */
void gg_lineage_follow(struct gg_lineage *lineage, const char *path, const struct gg_top_file *file,
                       struct gg_line *lines);

/* Settles every line. */
void gg_lineage_run(struct gg_lineage *lineage);

void gg_lineage_free(struct gg_lineage *lineage);

#endif
