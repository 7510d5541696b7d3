/* The door: finds the command, parses its options, shows help. */
#include "cli/command.h"
#include "cli/help.h"
#include "base/suggest.h"
#include "grindgate/grindgate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_UNDECIDED = 3 };

static int close_output(struct gg_out *out)
{
    struct gg_error err = {0};
    if (gg_out_close(out, &err))
        return 0;
    gg_command_complain(err.text);
    return EXIT_UNDECIDED;
}

static int show_version(void)
{
    char libraries[256];
    gg_libraries(libraries, sizeof libraries);
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    gg_out_printf(out, "grindgate %s (%s)\n", GG_VERSION, libraries);
    return close_output(out);
}

static int show_overview(void)
{
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    gg_help_overview(out);
    return close_output(out);
}

static int show_help(const struct gg_command *command)
{
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    gg_help_command(out, command);
    return close_output(out);
}

static const struct gg_command *find_command(const char *name)
{
    for (size_t i = 0; gg_commands[i]; i++) {
        if (strcmp(gg_commands[i]->name, name) == 0)
            return gg_commands[i];
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, gg_str(name));
    gg_suggest_offer(&suggest, "--version");
    gg_suggest_offer(&suggest, "--help");
    for (size_t i = 0; gg_commands[i]; i++)
        gg_suggest_offer(&suggest, gg_commands[i]->name);
    struct gg_error err = {0};
    if (strchr(name, '/'))
        gg_error_set(&err, "%s: is no command; did you mean grindgate run -- %s?", name, name);
    else if (suggest.best)
        gg_error_set(&err, "%s: is no command; did you mean %s?", name, suggest.best);
    else
        gg_error_set(&err, "%s: is no command; 'grindgate --help' lists them", name);
    return gg_command_complain(err.text);
}

static int execute(const struct gg_command *command, char *const *words)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_opts opts = {.arena = &arena, .command = command->mask};
    struct gg_error err = {0};
    int status;
    if (!gg_opt_parse(&opts, words, &err))
        status = gg_command_complain(err.text);
    else if (gg_opt_flag(&opts, GG_OPT_HELP))
        status = show_help(command);
    else
        status = command->execute(&opts);
    gg_arena_free(&arena);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        show_overview();
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        return show_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        const struct gg_command *about = argc > 2 ? find_command(argv[2]) : NULL;
        return about ? show_help(about) : show_overview();
    }
    const struct gg_command *command = find_command(word);
    return command ? execute(command, argv + 2) : unknown_command(word);
}
