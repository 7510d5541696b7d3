#include "cli/subject.h"

#include "base/fs.h"

#include <unistd.h>

static bool was_given(const struct gg_opts *opts, enum gg_opt_id id)
{
    return opts->values[id].source == GG_OPT_FROM_FLAG;
}

/* Options that mean nothing for a single program; in grindgate.json they wait for a suite. */
static bool needs_suite(const struct gg_opts *opts, struct gg_error *err)
{
    static const enum gg_opt_id ids[] = {GG_OPT_JOBS, GG_OPT_TIMEOUT_FACTOR};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (was_given(opts, ids[i])) {
            gg_error_set(err, "--%s: is for --ctest BUILD_DIR", gg_opt_table[ids[i]].name);
            return true;
        }
    }
    return false;
}

/* The small program that starts faster, or this one. */
static const char *launcher_beside(struct gg_arena *arena, const char *own)
{
    const char *name = gg_fs_basename(own);
    const char *wrap = gg_arena_printf(arena, "%.*s%s", (int)(name - own), own, "grindgate-wrap");
    return access(wrap, X_OK) == 0 ? wrap : own;
}

static bool choose_suite(const struct gg_opts *opts, const char *const *operands,
                         struct gg_options *options, struct gg_error *err)
{
    if (operands[0] && !opts->dashed) {
        gg_error_set(err,
                     "%s: is not expected behind --ctest BUILD_DIR: arguments for ctest go behind "
                     "--, as in --ctest BUILD_DIR -- -R NAME",
                     operands[0]);
        return false;
    }
    options->command = operands;
    const char *own = gg_fs_real(opts->arena, "/proc/self/exe");
    options->launcher = own ? launcher_beside(opts->arena, own) : NULL;
    if (options->launcher)
        return true;
    gg_error_set(err, "--ctest: needs /proc, to find grindgate's own program");
    return false;
}

static bool choose_program(const struct gg_opts *opts, const char *const *program,
                           struct gg_options *options, struct gg_error *err)
{
    options->ctest = NULL;
    options->command = program;
    if (program)
        return !needs_suite(opts, err);
    gg_error_set(err, "run: no program is named: grindgate run -- PROGRAM [ARGS...], grindgate run "
                      "--ctest BUILD_DIR, or \"command\" or \"ctest\" in grindgate.json");
    return false;
}

bool gg_subject_choose(const struct gg_opts *opts, const struct gg_config *config,
                       const char *const *operands, struct gg_options *options,
                       struct gg_error *err)
{
    bool configured = options->ctest && opts->values[GG_OPT_CTEST].source == GG_OPT_FROM_CONFIG;
    if (options->ctest && (!configured || !operands[0])) {
        if (configured && config->command) {
            gg_error_set(err,
                         "%s: \"command\" and \"ctest\" both say what to run: keep one, and name "
                         "the other with run -- or --ctest",
                         config->path);
            return false;
        }
        return choose_suite(opts, operands, options, err);
    }
    return choose_program(opts, operands[0] ? operands : config->command, options, err);
}
