/*
 * Rules: everything that sets findings aside or lifts them, in the order in which it is asked.
 *
 * JSON rules first, then suppression files, then packs, each in the order given and from top to
 * bottom: the first rule that fits a finding decides it. All rules that fit are counted, which is
 * what the ledger lives on. Writes rule, lapsed, approximate of findings, and what rules did.
 */
#ifndef GG_MATCH_RULES_H
#define GG_MATCH_RULES_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "grindgate/model.h"
#include "match/entry.h"

struct gg_rules;

/* What rules depend on beside findings. */
struct gg_rules_context {
    int64_t today;      /* days since 1970-01-01; rules that ended before do not count */
    const char *branch; /* NULL: unknown */
};

struct gg_rules *gg_rules_new(struct gg_arena *arena, const struct gg_rules_context *context);

/* Adds the rules of a file, already read, behind those that are there; `name` is its name for
 * messages. false with file:line when it is refused as a whole. The text must stay. */
bool gg_rules_add_json(struct gg_rules *rules, const char *name, struct gg_str text,
                       struct gg_error *err);
bool gg_rules_add_supp(struct gg_rules *rules, const char *name, struct gg_str text,
                       struct gg_error *err);

/* Adds what can still be used of a suppression file that is refused, and gives what is wrong with
 * the rest, in order, from the rules' arena. */
const struct gg_supp_fault *gg_rules_salvage_supp(struct gg_rules *rules, const char *name,
                                                  struct gg_str text, size_t *fault_count);

/* Decides every finding of the report, and fills the ledger. Once. */
void gg_rules_apply(struct gg_rules *rules, const struct gg_report *report);

/* In the order in which they are asked; good as long as the arena. */
struct gg_entry **gg_rules_entries(struct gg_rules *rules, size_t *count);
struct gg_rule **gg_rules_list(struct gg_rules *rules, size_t *count);

#endif
