#include "grindgate/model.h"

#include <string.h>

#define SEVERITY_note GG_NOTE
#define SEVERITY_warning GG_WARNING
#define SEVERITY_error GG_ERROR

const struct gg_kind_info gg_kind_table[GG_KINDS] = {
#define GG_KIND(name, group, severity, cwe, title, advice) \
    [GG_KIND_##name] = {#name, GG_GROUP_##group, SEVERITY_##severity, cwe, title, advice},
#include "grindgate/kinds.def"
#undef GG_KIND
};

enum gg_kind gg_kind_of(const char *name, size_t len)
{
    for (unsigned kind = 0; kind < GG_KIND_FatalSignal; kind++) {
        const char *known = gg_kind_table[kind].name;
        if (strlen(known) == len && memcmp(known, name, len) == 0)
            return (enum gg_kind)kind;
    }
    return GG_KIND_Unknown;
}
