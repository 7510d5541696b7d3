#include "cli/command.h"
#include "cli/judge.h"

static int execute(struct gg_opts *opts)
{
    return gg_judge(opts, opts->operands, NULL);
}

const struct gg_command gg_command_run = {
    .name = "run",
    .mask = GG_OPT_RUN,
    .usage = "[OPTIONS] -- PROGRAM [ARGS...]",
    .summary = "run a program under valgrind, then judge",
    .text = "Runs PROGRAM, and every process it starts, under valgrind's memcheck and judges\n"
            "what valgrind reports. The program keeps its own standard streams, working\n"
            "directory and exit status. For data races instead of memory:\n"
            "--valgrind-arg=--tool=helgrind (or drd).\n\n"
            "  grindgate run -- ./build/my_tests\n"
            "  grindgate run -o sarif:grindgate.sarif -o junit:grindgate.xml -- make check\n"
            "  grindgate run --timeout 600 --keep reports -- ./build/my_tests --fast\n",
    .execute = execute,
};
