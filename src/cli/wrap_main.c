/* grindgate-wrap: `grindgate wrap --no-config` and nothing else. CTest starts it for every test,
 * and loading the libraries that judging needs would take longer than all that it does. */
#include "cli/command.h"
#include "cli/wrapping.h"

#include <string.h>

int main(int argc, char **argv)
{
    struct gg_arena arena;
    struct gg_error err = {0};
    char *const *words = argv + (argc > 0);
    gg_arena_init(&arena);
    struct gg_opts opts = {.arena = &arena, .command = GG_OPT_WRAP};
    if (*words && strcmp(*words, "wrap") == 0)
        words++;
    int status =
        gg_opt_parse(&opts, words, &err) ? gg_wrapping_run(&opts) : gg_command_complain(err.text);
    gg_arena_free(&arena);
    return status;
}
