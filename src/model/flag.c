#include "model/flag.h"

#include <string.h>

const char *gg_flag(const struct gg_run *run, const char *name)
{
    const char *value = NULL;
    size_t len = strlen(name);
    for (const char *const *option = run->options; *option; option++) {
        if (strncmp(*option, "--", 2) == 0 && strncmp(*option + 2, name, len) == 0 &&
            (*option)[2 + len] == '=')
            value = *option + 2 + len + 1;
    }
    return value;
}
