#include "model/rule_story.h"

#include <string.h>
#include "base/str.h"

const char *gg_rule_story(struct gg_arena *arena, const struct gg_rule *rule)
{
    const char *owner = rule->owner, *ticket = rule->ticket;
    struct gg_str reason = rule->reason ? gg_str_trim(gg_str(rule->reason)) : gg_str("");
    while (gg_str_ends(reason, "."))
        reason.len--;
    const char *said =
        reason.len ? gg_arena_printf(arena, ": %.*s", (int)reason.len, reason.ptr) : "";
    if (!owner && !ticket)
        return said;
    return gg_arena_printf(arena, "%s (%s%s%s)", said, owner ? owner : "",
                           owner && ticket ? ", " : "", ticket ? ticket : "");
}

bool gg_rule_is_of_pack(const struct gg_rule *rule)
{
    return strncmp(rule->file, "pack:", strlen("pack:")) == 0;
}
