/* writesample FORMAT SAMPLE [--root DIR] [--color] [--width N] [-q] [-v]
 *
 * Writes a sample report (see sample_report.h) to standard output. SAMPLE is clean, fail,
 * incomplete, or hostile: the hostile text is standard input. */
#include "sample_report.h"

#include "base/out.h"
#include "write/writers.h"

#include <stdlib.h>
#include <unistd.h>

static char evil[65536];

static bool fill(struct sample *sample, const char *name)
{
    if (strcmp(name, "clean") == 0)
        sample_clean(sample);
    else if (strcmp(name, "fail") == 0)
        sample_fail(sample);
    else if (strcmp(name, "incomplete") == 0)
        sample_incomplete(sample);
    else if (strcmp(name, "hostile") == 0 && fread(evil, 1, sizeof evil - 1, stdin) < sizeof evil)
        sample_hostile(sample, evil);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct gg_write_options options = {0};
    const char *root = NULL;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--root") == 0 && i + 1 < argc)
            root = argv[++i];
        else if (strcmp(argv[i], "--width") == 0 && i + 1 < argc)
            options.width = (unsigned)strtoul(argv[++i], NULL, 10);
        options.color |= strcmp(argv[i], "--color") == 0;
        options.quiet |= strcmp(argv[i], "-q") == 0;
        options.verbose |= strcmp(argv[i], "-v") == 0;
    }
    struct sample sample;
    const struct gg_writer *writer = argc > 2 ? gg_writer_find(argv[1]) : NULL;
    if (!writer || !fill(&sample, argv[2])) {
        fputs("usage: writesample FORMAT clean|fail|incomplete|hostile [OPTION...]\n", stderr);
        return 2;
    }
    sample_root(&sample, root);
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    struct gg_error err = {0};
    writer->write(&sample.report, &sample.verdict, &options, out);
    bool ok = gg_out_close(out, &err);
    sample_free(&sample);
    return ok ? 0 : 1;
}
