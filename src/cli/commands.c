#include "cli/command.h"

const struct gg_command *const gg_commands[] = {&gg_command_run,
                                                &gg_command_check,
                                                &gg_command_wrap,
                                                &gg_command_selftest,
                                                &gg_command_rules,
                                                &gg_command_explain,
                                                NULL};
