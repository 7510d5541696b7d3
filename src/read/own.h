/*
 * Own: the parts of grindgate's own JSON (schemas/report-1.schema.json), between jansson and the
 * collate. Private to own_json.c (the report as a whole), own_finding.c and own_fields.c.
 *
 * What was worked out from a report (sites, fates, blame, fingerprints) is not read: it is worked
 * out again, by the rules and the repository at hand. What it says came of a finding is kept for
 * people to compare.
 */
#ifndef GG_READ_OWN_H
#define GG_READ_OWN_H

#include "model/collate.h"
#include "read/jsonstream.h"

struct gg_own {
    struct gg_collate *collate;
    struct gg_jsonstream stream;
    const char *name;        /* the report's; an atom */
    struct gg_arena scratch; /* of the item at hand */
    const char *wrong;       /* its key whose value is missing or of another kind; NULL: none */
    bool told_wrong;
    uint32_t first_run, run_count;
    bool unfinished;  /* one of its runs did not finish */
    bool doubtful;    /* it holds an incomplete note, or something in it could not be read */
    bool undecided;   /* its verdict is incomplete */
    bool failed;      /* its verdict is that findings failed the gate */
    bool open;        /* one of its findings was open */
    const char *head; /* the commit that it was made at; NULL: not said */
    unsigned seen;    /* of the keys that must be there, as bits */
};

/* Fields of the item at hand. What is not there or null is NULL, `otherwise`, false, an empty list;
 * what is of another kind is as if it were not there, and `wrong`. Text is the report's own, in the
 * scratch arena. */
const char *gg_own_text(struct gg_own *own, const json_t *object, const char *key);
int64_t gg_own_int(struct gg_own *own, const json_t *object, const char *key, int64_t least,
                   int64_t most, int64_t otherwise);
uint64_t gg_own_count(struct gg_own *own, const json_t *object, const char *key);
bool gg_own_bool(struct gg_own *own, const json_t *object, const char *key);
const json_t *gg_own_list(struct gg_own *own, const json_t *object, const char *key);
const json_t *gg_own_object(struct gg_own *own, const json_t *object, const char *key);

/* The same of something that must be there: "" when it is not. */
const char *gg_own_need_text(struct gg_own *own, const json_t *object, const char *key);

/* A text of a list, "" when it is none. */
const char *gg_own_item(struct gg_own *own, const json_t *list, size_t index, const char *key);

void gg_own_finding(struct gg_own *own, const json_t *finding);

#endif
