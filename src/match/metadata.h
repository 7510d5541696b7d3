/*
 * Metadata: what "# gg:" comments above a suppression say of it.
 *
 *     # gg: reason=fixed upstream in 2.4 owner=net-team expires=2030-01-31 ticket=NET-12
 *     # gg: id=libfoo-cache action=downgrade tests=unit.* branches=main,stable-?
 *
 * A value goes on to the next key or the end of the line; in double quotes it may hold keys. A
 * later comment above the same block adds to an earlier one.
 */
#ifndef GG_MATCH_METADATA_H
#define GG_MATCH_METADATA_H

#include "base/arena.h"
#include "base/str.h"

/* Pieces of the file. Without a pointer: not said. */
struct gg_metadata {
    struct gg_str id, reason, owner, ticket, expires, action, tests, branches;
    /* The first word in a key's place that is none, or a value whose quote is not closed, from its
     * quote on. Words with "=" within a value count when they look like a key that was misspelled.
     */
    struct gg_str unknown;
    /* The first of them that is no misspelled id, reason, owner, ticket or expires. */
    struct gg_str stranger;
};

/* `line` begins with "#"; one without "gg:" says nothing. */
void gg_metadata_read(struct gg_metadata *metadata, struct gg_str line);

/* The key that `word` may have been meant for; NULL: none. */
const char *gg_metadata_suggest(struct gg_str word);

/* A piece as text for people and reports, whatever bytes the file holds. */
const char *gg_metadata_text(struct gg_arena *arena, struct gg_str piece);

#endif
