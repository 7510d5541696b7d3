/*
 * Rulebook: the rules that options name, from their files to the match stage.
 */
#ifndef GG_RULEBOOK_H
#define GG_RULEBOOK_H

#include "grindgate/grindgate.h"
#include "match/rules.h"

/* Larger files are no list of exceptions any more. */
#define GG_RULEBOOK_LIMIT ((size_t)64 << 20)

/* What rules of these options depend on. `branch` is that of HEAD or NULL, for options that name
 * none. */
struct gg_rules_context gg_rulebook_context(const struct gg_options *options, const char *branch);

/* Where in the work tree the file is, whatever links lead there; NULL: it is no part of it. Links
 * of the work tree itself are not followed: they are what git has there, and a change may turn
 * them. */
const char *gg_rulebook_place(struct gg_arena *arena, const char *root, const char *path);

/* Where rule files are taken from: as they are, or as another commit has them. */
struct gg_rulebook_source {
    void *self; /* handed to `read` */
    /* Reads the file; `inside` is its place in the work tree, or NULL. *there is false when there
     * is none, which is as good as an empty one. */
    bool (*read)(void *self, const char *path, const char *inside, bool *there, struct gg_str *text,
                 struct gg_error *err);
    const char *root;     /* of the work tree */
    bool refusals_matter; /* else a file that is refused, or a pack that is none, has no rules */
};

/* The files as they are. `arena` is for their texts. */
struct gg_rulebook_source gg_rulebook_here(struct gg_arena *arena, const char *root);

/* The JSON rules and suppressions of the options. Rules name files of the work tree by their place
 * in it, so that reports are the same on all machines. NULL with file:line when a file is refused,
 * or a pack has no such name. */
struct gg_rules *gg_rulebook_open(struct gg_arena *arena, const struct gg_options *options,
                                  const struct gg_rules_context *context,
                                  const struct gg_rulebook_source *source, struct gg_error *err);

/* Behind them the packs; "auto" stands for those whose objects the report names. */
bool gg_rulebook_add_packs(struct gg_rules *rules, const struct gg_options *options,
                           const struct gg_report *report, struct gg_error *err);

/* Tells in the report which rules do not do what they say. After they were applied. */
void gg_rulebook_note(struct gg_arena *arena, struct gg_report *report);

#endif
