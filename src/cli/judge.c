#include "cli/judge.h"
#include "base/fs.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "cli/subject.h"
#include "base/suggest.h"
#include "cli/term.h"

#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

struct output {
    const char *format;
    const char *path; /* NULL: standard output */
};

struct outputs {
    struct output *at;
    size_t len, cap;
};

/* --- outputs ---------------------------------------------------------------------------- */

static bool known_format(const char *format, struct gg_error *err)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, gg_str(format));
    for (const struct gg_writer *const *writer = gg_writers(); *writer; writer++) {
        if (strcmp((*writer)->name, format) == 0)
            return true;
        gg_suggest_offer(&suggest, (*writer)->name);
    }
    if (suggest.best)
        gg_error_set(err, "-o %s: is no format; did you mean %s?", format, suggest.best);
    else
        gg_error_set(err, "-o %s: is no format; 'grindgate check --help' lists them", format);
    return false;
}

/* The file a name stands for, whether it is there or not: two names may mean one file. */
static const char *canonical(struct gg_arena *arena, const char *path)
{
    size_t len = (size_t)(gg_fs_basename(path) - path);
    const char *dir = gg_fs_real(arena, len ? gg_arena_strndup(arena, path, len) : ".");
    return dir ? gg_fs_join(arena, dir, gg_fs_basename(path)) : path;
}

static bool add_output(const struct gg_opts *opts, struct outputs *outputs, const char *text,
                       struct gg_error *err)
{
    struct gg_str format, path;
    gg_str_cut(gg_str(text), ':', &format, &path);
    struct output output = {.format = gg_arena_strndup(opts->arena, format.ptr, format.len)};
    if (path.len && !gg_str_is(path, "-"))
        output.path = canonical(opts->arena, path.ptr);
    for (size_t i = 0; i < outputs->len; i++) {
        const char *other = outputs->at[i].path;
        if (other == output.path || (other && output.path && strcmp(other, output.path) == 0)) {
            gg_error_set(err, "-o %s: another report goes to %s already", text,
                         other ? other : "standard output");
            return false;
        }
    }
    if (!known_format(output.format, err))
        return false;
    *gg_vec_push(opts->arena, outputs) = output;
    return true;
}

/* What was asked for, and the text for people unless something else has standard output. It comes
 * last, so that it can say when another report could not be written. */
static bool list_outputs(const struct gg_opts *opts, struct outputs *outputs, struct gg_error *err)
{
    bool standard = false;
    for (const char *const *text = gg_opt_list(opts, GG_OPT_OUTPUT); text && *text; text++) {
        if (!add_output(opts, outputs, *text, err))
            return false;
        standard = standard || !outputs->at[outputs->len - 1].path;
    }
    if (!standard)
        *gg_vec_push(opts->arena, outputs) = (struct output){"text", NULL};
    return true;
}

/* What is read must not be written over. */
static bool spares(const struct gg_opts *opts, const struct outputs *outputs,
                   const char *const *inputs, const char *what, struct gg_error *err)
{
    for (; inputs && *inputs; inputs++) {
        const char *input = canonical(opts->arena, *inputs);
        for (size_t i = 0; i < outputs->len; i++) {
            const char *path = outputs->at[i].path;
            if (path && strcmp(path, input) == 0) {
                gg_error_set(err, "-o %s:%s: is one of the %s to read", outputs->at[i].format,
                             *inputs, what);
                return false;
            }
        }
    }
    return true;
}

static bool spares_inputs(const struct gg_opts *opts, const struct outputs *outputs,
                          const char *const *reports, struct gg_error *err)
{
    return spares(opts, outputs, reports, "reports", err) &&
           spares(opts, outputs, gg_opt_list(opts, GG_OPT_RULE_FILE), "rule files", err) &&
           spares(opts, outputs, gg_opt_list(opts, GG_OPT_SUPPRESSIONS), "rule files", err);
}

static void write_outputs(const struct gg_opts *opts, struct gg_session *session,
                          const struct outputs *outputs)
{
    struct gg_write_options options = {.verbose = gg_opt_flag(opts, GG_OPT_VERBOSE)};
    for (size_t i = 0; i < outputs->len; i++) {
        const struct output *output = &outputs->at[i];
        struct gg_error err = {0};
        bool terminal = !output->path;
        options.quiet = terminal && gg_opt_flag(opts, GG_OPT_QUIET);
        options.color = terminal && gg_term_color(gg_opt_choice(opts, GG_OPT_COLOR, 0));
        options.width = terminal ? gg_term_width(STDOUT_FILENO) : 0;
        if (!gg_session_write(session, output->format, output->path, &options, &err)) {
            gg_command_complain(err.text);
            gg_session_output_failed(session, err.text);
        }
    }
}

int gg_judge(struct gg_opts *opts, const char *const *command, const char *const *reports)
{
    struct gg_error err = {0};
    struct gg_config config;
    struct outputs outputs = {0};
    struct gg_options options;
    if (!gg_settings_load(opts, true, &config, &err) || !list_outputs(opts, &outputs, &err) ||
        !spares_inputs(opts, &outputs, reports, &err))
        return gg_command_complain(err.text);
    gg_settings_fill(opts, &options);
    options.reports = reports;
    if (!reports && !gg_subject_choose(opts, &config, command, &options, &err))
        return gg_command_complain(err.text);
    struct gg_progress_view view = gg_progress_begin(opts, options.command && !options.ctest);
    options.progress = gg_progress_tell;
    options.progress_self = &view;
    struct gg_session *session = gg_session_new(&options);
    int status = EXIT_USAGE;
    bool judged = gg_session_judge(session, &err);
    gg_progress_end(&view);
    if (judged) {
        write_outputs(opts, session, &outputs);
        status = gg_session_verdict(session)->exit_code;
    } else {
        gg_command_complain(err.text);
    }
    gg_session_free(session);
    return status;
}
