/* Writes the manual page of a command (or the overview's, without an argument) to standard output,
 * from the tables that --help is made of. Run by the build; not installed. */
#include "base/out.h"
#include "cli/command.h"
#include "cli/help.h"
#include "grindgate/grindgate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* roff reads a leading dot or quote as a request, and a backslash or hyphen as its own. */
static void roff(struct gg_out *out, const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            gg_out_text(out, "\\&");
        if (*text == '\\')
            gg_out_text(out, "\\e");
        else if (*text == '-')
            gg_out_text(out, "\\-");
        else
            gg_out_char(out, *text);
        start = *text == '\n';
    }
}

static void head(struct gg_out *out, const char *name, const char *summary)
{
    gg_out_printf(out, ".TH %s 1 \"\" \"grindgate %s\"\n.SH NAME\n", name, GG_VERSION);
    roff(out, name);
    gg_out_text(out, " \\- ");
    roff(out, summary);
    gg_out_text(out, "\n.SH SYNOPSIS\n");
}

static void verbatim(struct gg_out *out, const char *text)
{
    gg_out_text(out, ".nf\n");
    roff(out, text);
    gg_out_text(out, ".fi\n");
}

static void option(struct gg_out *out, const struct gg_opt_info *info)
{
    gg_out_text(out, ".TP\n");
    if (info->letter)
        gg_out_printf(out, "\\fB\\-%c\\fR, ", info->letter);
    gg_out_text(out, "\\fB\\-\\-");
    roff(out, info->name);
    gg_out_text(out, "\\fR");
    if (info->argument) {
        gg_out_text(out, " \\fI");
        roff(out, info->argument);
        gg_out_text(out, "\\fR");
    }
    gg_out_char(out, '\n');
    roff(out, info->help);
    gg_out_char(out, '\n');
}

static void exit_status(struct gg_out *out, const char *text)
{
    gg_out_text(out, ".SH EXIT STATUS\n");
    verbatim(out, text ? text : gg_help_exit_statuses);
}

static void formats(struct gg_out *out)
{
    gg_out_text(out, ".SH FORMATS\n");
    for (const struct gg_writer *const *writer = gg_writers(); *writer; writer++)
        gg_out_printf(out, ".TP\n.B %s\n%s\n", (*writer)->name, (*writer)->summary);
}

static void command_page(struct gg_out *out, const struct gg_command *command)
{
    char name[64];
    snprintf(name, sizeof name, "grindgate-%s", command->name);
    head(out, name, command->summary);
    gg_out_printf(out, ".B grindgate %s\n", command->name);
    roff(out, command->usage);
    gg_out_text(out, "\n.SH DESCRIPTION\n");
    verbatim(out, command->text);
    gg_out_text(out, ".SH OPTIONS\n");
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_opt_table[id].commands & command->mask)
            option(out, &gg_opt_table[id]);
    }
    if (gg_opt_table[GG_OPT_OUTPUT].commands & command->mask)
        formats(out);
    exit_status(out, command->exits);
    gg_out_text(out, ".SH SEE ALSO\n.BR grindgate (1),\n.BR valgrind (1)\n");
}

static void overview_page(struct gg_out *out)
{
    head(out, "grindgate", "a merge gate on valgrind's reports");
    gg_out_text(out, ".B grindgate\n.I COMMAND\n[OPTIONS] ...\n.SH DESCRIPTION\n");
    verbatim(out, gg_help_introduction);
    gg_out_text(out, ".SH COMMANDS\n");
    for (size_t i = 0; gg_commands[i]; i++)
        gg_out_printf(out, ".TP\n.BR grindgate\\-%s (1)\n%s\n", gg_commands[i]->name,
                      gg_commands[i]->summary);
    gg_out_text(out, ".SH FILES\n.TP\n.I grindgate.json\nsettings, at the root of the repository; "
                     "keys are the long options with underscores\n");
    exit_status(out, NULL);
}

static const struct gg_command *find(const char *name)
{
    for (size_t i = 0; gg_commands[i]; i++) {
        if (strcmp(gg_commands[i]->name, name) == 0)
            return gg_commands[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    const struct gg_command *command = argc > 1 ? find(argv[1]) : NULL;
    struct gg_error err = {0};
    if (command)
        command_page(out, command);
    else if (argc == 1)
        overview_page(out);
    else
        gg_error_set(&err, "%s: is no command", argv[1]);
    if (!gg_out_close(out, &err) || err.set) {
        fprintf(stderr, "manpage: %s\n", err.text);
        return 1;
    }
    return 0;
}
