#include "cli/command.h"
#include "cli/judge.h"

static int execute(struct gg_opts *opts)
{
    if (!opts->operands[0])
        return gg_command_complain("check: no report is named: grindgate check REPORT...");
    return gg_judge(opts, NULL, opts->operands);
}

const struct gg_command gg_command_check = {
    .name = "check",
    .mask = GG_OPT_CHECK,
    .usage = "[OPTIONS] REPORT...",
    .summary = "judge reports that exist",
    .text = "Judges valgrind's XML reports and grindgate's own JSON: files, directories\n"
            "(every *.xml below them), or - for standard input.\n\n"
            "  valgrind --xml=yes --xml-file=out.%p.xml --demangle=no ./build/my_tests\n"
            "  grindgate check out.*.xml\n"
            "  grindgate check -o json reports/ > report.json\n",
    .execute = execute,
};
