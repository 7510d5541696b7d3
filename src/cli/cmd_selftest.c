#include "base/esc.h"
#include "base/out.h"
#include "cli/command.h"
#include "cli/settings.h"

#include <inttypes.h>
#include <unistd.h>

enum { EXIT_PROVED = 0, EXIT_UNPROVED = 3 };

static void put_text(struct gg_out *out, const char *text)
{
    gg_esc_terminal(out, gg_str(text));
}

/* "  proved      a leak: Leak_DefinitelyLost at canary.c:15 in canary_leak" */
static void put_fault(struct gg_out *out, const struct gg_selftest_fault *fault)
{
    gg_out_printf(out, "  %-12s%s: %s at %s:%" PRIu32 " in %s\n",
                  fault->why ? "not proved" : "proved", fault->title,
                  gg_kind_table[fault->kind].name, fault->path, fault->line, fault->function);
    if (fault->why) {
        gg_out_repeat(out, ' ', 14);
        put_text(out, fault->why);
        gg_out_char(out, '\n');
    }
}

static void put_result(struct gg_out *out, const struct gg_selftest *selftest)
{
    if (selftest->version) {
        gg_out_text(out, "valgrind ");
        put_text(out, selftest->version);
        gg_out_char(out, '\n');
    }
    for (size_t i = 0; i < selftest->fault_count && !selftest->failure; i++)
        put_fault(out, &selftest->faults[i]);
    if (selftest->proved) {
        gg_out_printf(out,
                      "PROVED (exit %d): the errors that were planted are caught, named and laid "
                      "to their lines\n",
                      EXIT_PROVED);
        return;
    }
    gg_out_printf(out, "NOT PROVED (exit %d): ", EXIT_UNPROVED);
    put_text(out, selftest->failure ? selftest->failure : "errors may go unseen here");
    gg_out_char(out, '\n');
}

static int execute(struct gg_opts *opts)
{
    struct gg_error err = {0};
    struct gg_config config;
    struct gg_options options;
    if (opts->operands && opts->operands[0])
        return gg_command_complain("selftest: takes options only; it brings its own program");
    if (!gg_settings_load(opts, false, &config, &err))
        return gg_command_complain(err.text);
    gg_settings_fill(opts, &options);
    struct gg_selftest *selftest = gg_selftest_new(&options, &err);
    if (!selftest)
        return gg_command_complain(err.text);
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    put_result(out, selftest);
    int status = selftest->proved ? EXIT_PROVED : EXIT_UNPROVED;
    gg_selftest_free(selftest);
    if (!gg_out_close(out, &err)) {
        gg_command_complain(err.text);
        status = EXIT_UNPROVED;
    }
    return status;
}

const struct gg_command gg_command_selftest = {
    .name = "selftest",
    .mask = GG_OPT_SELFTEST,
    .usage = "[OPTIONS]",
    .summary = "prove that errors are seen on this machine",
    .text = "Runs a small program of its own, the canary, under valgrind with the configuration\n"
            "at hand, and looks whether what was planted in it comes out: a leak, an invalid\n"
            "read and a jump on an uninitialised value, each with the name of its function and\n"
            "its line, and not suppressed. What does not is told with the reason: valgrind\n"
            "cannot start, an option keeps errors from being seen, a suppression hides too\n"
            "much.\n\n"
            "  grindgate selftest\n"
            "  grindgate selftest --suppressions tests/valgrind.supp\n\n"
            "'grindgate run' does the same before it runs a program, and remembers a success in\n"
            "$XDG_CACHE_HOME/grindgate (~/.cache/grindgate) for as long as valgrind, the C\n"
            "library, the kernel and the configuration stay as they are; --no-selftest skips\n"
            "it. This command always tries anew.\n",
    .exits = "  0  proved: each error was caught, named and laid to its line\n"
             "  2  usage or configuration error; nothing was tried\n"
             "  3  not proved: one was not, or valgrind could not run\n",
    .execute = execute,
};
