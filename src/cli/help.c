#include "cli/help.h"
#include "grindgate/grindgate.h"

#include <string.h>

#define COLUMN 30
#define WIDTH 80

const char gg_help_introduction[] =
    "Runs a program under valgrind, or reads reports that exist; lays each leak and\n"
    "invalid access to a line of the repository and the commit that wrote it; says\n"
    "pass or fail.\n\n"
    "  grindgate run -- ./build/my_tests     run the tests under valgrind and judge\n"
    "  grindgate run --ctest build -j 4      run a CTest suite, each test under valgrind\n"
    "  grindgate wrap --dir reports -- TEST  let another runner do it, then\n"
    "  grindgate check reports/              judge reports that exist\n";

const char gg_help_exit_statuses[] =
    "  0  pass: every run complete, nothing open at or above --fail-on\n"
    "  1  fail: at least one open finding at or above --fail-on\n"
    "  2  usage or configuration error; nothing was judged\n"
    "  3  undecided: a report is missing, empty, cut off or unreadable, valgrind\n"
    "     could not run, or an output could not be written; never a pass\n"
    "  4  the gate passes, but the program itself failed; --ignore-exit ignores it\n";

/* Words folded to the width, further lines indented to the column. */
static void fold(struct gg_out *out, size_t at, const char *text)
{
    struct gg_str rest = gg_str(text), word;
    bool more = true, first = true;
    while (more) {
        more = gg_str_cut(rest, ' ', &word, &rest);
        if (!first && at + 1 + word.len > WIDTH) {
            gg_out_char(out, '\n');
            gg_out_repeat(out, ' ', COLUMN);
            at = COLUMN;
        } else if (!first) {
            gg_out_char(out, ' ');
            at++;
        }
        gg_out_str(out, word);
        at += word.len;
        first = false;
    }
    gg_out_char(out, '\n');
}

static size_t option_head(struct gg_out *out, const struct gg_opt_info *info)
{
    size_t len = strlen(info->name) + 8;
    if (info->letter)
        gg_out_printf(out, "  -%c, --%s", info->letter, info->name);
    else
        gg_out_printf(out, "      --%s", info->name);
    if (info->argument) {
        gg_out_printf(out, " %s", info->argument);
        len += 1 + strlen(info->argument);
    }
    return len;
}

static void option(struct gg_out *out, const struct gg_opt_info *info)
{
    size_t at = option_head(out, info);
    if (at + 2 > COLUMN) {
        gg_out_char(out, '\n');
        at = 0;
    }
    gg_out_repeat(out, ' ', COLUMN - at);
    fold(out, COLUMN, info->help);
}

void gg_help_overview(struct gg_out *out)
{
    gg_out_text(out, "grindgate: a merge gate on valgrind's reports\n\n");
    gg_out_text(out, gg_help_introduction);
    gg_out_text(out, "\nCommands:\n");
    for (const struct gg_command *const *command = gg_commands; *command; command++)
        gg_out_printf(out, "  %-9s %s\n", (*command)->name, (*command)->summary);
    gg_out_text(out, "\n'grindgate COMMAND --help' tells more; --version names the libraries.\n\n");
    gg_out_printf(out, "Exit status:\n%s", gg_help_exit_statuses);
}

static void formats(struct gg_out *out)
{
    gg_out_text(out, "\nFormats of --output:\n");
    for (const struct gg_writer *const *writer = gg_writers(); *writer; writer++)
        gg_out_printf(out, "  %-8s %s\n", (*writer)->name, (*writer)->summary);
}

void gg_help_command(struct gg_out *out, const struct gg_command *command)
{
    gg_out_printf(out, "Usage: grindgate %s %s\n\n%s\nOptions:\n", command->name, command->usage,
                  command->text);
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_opt_table[id].commands & command->mask)
            option(out, &gg_opt_table[id]);
    }
    if (gg_opt_table[GG_OPT_OUTPUT].commands & command->mask)
        formats(out);
    gg_out_text(out,
                "\nEach option can also be given in the environment, as GRINDGATE_FAIL_ON and the\n"
                "like (lists one entry a line), and most of them in grindgate.json.\n\n");
    gg_out_printf(out, "Exit status:\n%s", command->exits ? command->exits : gg_help_exit_statuses);
}
