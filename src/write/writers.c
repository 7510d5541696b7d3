#include "write/writers.h"

#include <string.h>

extern const struct gg_writer gg_writer_text, gg_writer_json, gg_writer_sarif, gg_writer_junit;

const struct gg_writer *const gg_writer_table[] = {
    &gg_writer_text, &gg_writer_json, &gg_writer_sarif, &gg_writer_junit, NULL,
};

const struct gg_writer *gg_writer_find(const char *name)
{
    for (const struct gg_writer *const *writer = gg_writer_table; *writer; writer++) {
        if (strcmp((*writer)->name, name) == 0)
            return *writer;
    }
    return NULL;
}
