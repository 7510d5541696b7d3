#include "cli/wrapping.h"
#include "cli/command.h"
#include "cli/settings.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* As for a shell: what could not be run, and what is not there. */
enum { EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127 };

/* Ends as the program did, so that whoever launched it sees what it would have seen. A core of
 * grindgate would only mislead. */
static int end_by(int number)
{
    sigset_t set;
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    return 128 + number;
}

/* A script that is wrapped itself may call wrap: valgrind does not run in valgrind, nor need it,
 * for the run around this one gets the program's reports too. */
static int step_aside(const char *const *command)
{
    struct gg_error err = {0};
    execvp(command[0], (char *const *)command);
    int failure = errno;
    gg_error_set(&err, "%s: %s", command[0], strerror(failure));
    gg_command_complain(err.text);
    return failure == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}

int gg_wrapping_run(const struct gg_opts *opts)
{
    struct gg_error err = {0};
    struct gg_options options;
    struct gg_collected collected;
    gg_settings_fill(opts, &options);
    options.keep = gg_opt_text(opts, GG_OPT_DIR);
    options.command = opts->operands;
    if (!options.keep || !options.command[0])
        return gg_command_complain("wrap: say where the reports go and what to run: "
                                   "grindgate wrap --dir DIR -- PROGRAM [ARGS...]");
    if (gg_is_collected())
        return step_aside(options.command);
    bool ran = gg_collect(&options, &collected, &err);
    if (err.set)
        gg_command_complain(err.text);
    if (!ran)
        return EXIT_NOT_RUN;
    return collected.signal ? end_by(collected.signal) : collected.exit_code;
}
