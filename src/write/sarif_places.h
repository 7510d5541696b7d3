/*
 * Sarif places: locations, stacks and code flows of a SARIF result, and its text. Private to the
 * SARIF writer.
 *
 * A physical location is only ever a line of a file of the repository: relative, percent-encoded,
 * below %SRCROOT%.
 */
#ifndef GG_WRITE_SARIF_PLACES_H
#define GG_WRITE_SARIF_PLACES_H

#include "base/jsonio.h"
#include "base/arena.h"
#include "grindgate/model.h"

/* Places of the other stacks, which the message links to by their number. */
enum { GG_SARIF_RELATED = 8 };

struct gg_sarif_related {
    size_t count;
    struct {
        const struct gg_frame *frame;
        const char *title; /* of the stack */
        const char *link;  /* "The block was [freed here]" */
    } at[GG_SARIF_RELATED];
};

void gg_sarif_find_related(const struct gg_finding *finding, struct gg_sarif_related *related);

/* Adds " text in where." to a message; nothing for a NULL text. Brackets that would make a link
 * ("operator[](int)") are set apart. */
void gg_sarif_sentence(struct gg_arena *arena, struct gg_out *out, const char *text,
                       const char *where);

/* The member "message" of a location or notification: one sentence. */
void gg_sarif_put_text(struct gg_arena *arena, struct gg_json *json, const char *text);

/* The member "physicalLocation"; line 0: the file. */
void gg_sarif_put_physical(struct gg_json *json, const char *path, uint32_t line);

/* The member "logicalLocations", which stands beside a physical location only. */
void gg_sarif_put_logical(struct gg_arena *arena, struct gg_json *json, const char *function);

/* The member "codeFlows": through the repository's own lines from allocation to error; left out
 * when that is less than two steps. */
void gg_sarif_put_flow(struct gg_arena *arena, struct gg_json *json,
                       const struct gg_finding *finding);

/* The member "stacks". */
void gg_sarif_put_stacks(struct gg_arena *arena, struct gg_json *json,
                         const struct gg_finding *finding);

#endif
