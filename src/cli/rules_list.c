#include "base/out.h"
#include "cli/command.h"
#include "cli/rules_verbs.h"
#include "grindgate/grindgate.h"

#include <unistd.h>

enum { EXIT_UNDECIDED = 3 };

static void put_pack(struct gg_out *out, const struct gg_pack_info *pack)
{
    gg_out_printf(out, "%s\n    %s\n    for", pack->name, pack->summary);
    for (const char *const *object = pack->objects; *object; object++)
        gg_out_printf(out, " %s", *object);
    gg_out_char(out, '\n');
}

static int execute(struct gg_opts *opts, const char *const *operands)
{
    (void)opts;
    struct gg_error err = {0};
    struct gg_pack_info pack;
    if (operands[0])
        return gg_command_complain("rules list: takes no further words");
    struct gg_out *out = gg_out_fd(STDOUT_FILENO, "standard output");
    for (size_t i = 0; gg_pack_at(i, &pack); i++)
        put_pack(out, &pack);
    if (gg_out_close(out, &err))
        return 0;
    gg_command_complain(err.text);
    return EXIT_UNDECIDED;
}

static const enum gg_opt_id options[] = {GG_OPTS};

const struct gg_rules_verb gg_rules_verb_list = {"list", options, execute};
