#include "cli/command.h"
#include "cli/judge.h"

static int execute(struct gg_opts *opts)
{
    return gg_judge(opts, opts->operands, NULL);
}

const struct gg_command gg_command_run = {
    .name = "run",
    .mask = GG_OPT_RUN,
    .usage = "[OPTIONS] -- PROGRAM [ARGS...] | --ctest BUILD_DIR [OPTIONS] [-- CTEST_ARGS...]",
    .summary = "run a program under valgrind, then judge",
    .text = "Runs PROGRAM, and every process it starts, under valgrind's memcheck and judges\n"
            "what valgrind reports. The program keeps its own standard streams, working\n"
            "directory and exit status. For data races instead of memory:\n"
            "--valgrind-arg=--tool=helgrind (or drd).\n\n"
            "  grindgate run -- ./build/my_tests\n"
            "  grindgate run -o sarif:grindgate.sarif -o junit:grindgate.xml -- make check\n"
            "  grindgate run --timeout 600 --keep reports -- ./build/my_tests --fast\n\n"
            "With --ctest CTest runs its tests as always, but each under valgrind: in its order,\n"
            "with its fixtures, locks and properties, their timeouts multiplied. What a test\n"
            "reports carries its name; whether CTest calls it passed or failed is told apart\n"
            "from that (exit 4). A test that could not be run leaves the run incomplete.\n\n"
            "  grindgate run --ctest build -j 4\n"
            "  grindgate run --ctest build -- -L unit -E slow\n",
    .execute = execute,
};
