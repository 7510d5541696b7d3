#include "cli/command.h"
#include "base/esc.h"

#include <unistd.h>

enum { EXIT_USAGE = 2 };

int gg_command_complain(const char *text)
{
    struct gg_error ignored = {0};
    struct gg_out *out = gg_out_fd(STDERR_FILENO, "standard error");
    gg_out_text(out, "grindgate: ");
    gg_esc_terminal(out, gg_str(text));
    gg_out_char(out, '\n');
    gg_out_close(out, &ignored);
    return EXIT_USAGE;
}
