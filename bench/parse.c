/* Parse: the read stage and the collate on one report, and nothing else. Prints what was read and
 * the peak of its resident set, which only the process itself knows: what wait4 tells includes the
 * memory of the process that started it. */
#include "model/collate.h"
#include "read/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "VmHWM:      4980 kB" */
static unsigned long peak_kilobytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long peak = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            peak = strtoul(line + 6, NULL, 10);
    }
    if (file)
        fclose(file);
    return peak;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    struct gg_arena arena;
    struct gg_atoms atoms;
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    struct gg_collate *collate = gg_collate_new(&arena, &atoms);
    struct gg_error err = {0};
    bool ok = gg_read(collate, argv[1], argv[1], &err);
    struct gg_report report = {0};
    gg_collate_finish(collate, &report);
    unsigned long long errors = 0;
    for (size_t i = 0; i < report.run_count; i++) {
        errors += report.runs[i].errors;
        ok = ok && report.runs[i].end == GG_END_FINISHED;
    }
    printf("%llu errors, %zu findings, %lu kB\n", errors, report.finding_count, peak_kilobytes());
    gg_collate_close(collate);
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
    return ok ? 0 : 1;
}
