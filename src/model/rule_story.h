/*
 * Rule story: what a rule says of itself, for the end of a sentence that names it.
 */
#ifndef GG_MODEL_RULE_STORY_H
#define GG_MODEL_RULE_STORY_H

#include "base/arena.h"
#include "grindgate/model.h"

/* ": freed by nobody, once (net-team, NET-12)"; the owner and the ticket stand there when it has
 * them; "" when it says nothing. Ends with no stop. */
const char *gg_rule_story(struct gg_arena *arena, const struct gg_rule *rule);

#endif
