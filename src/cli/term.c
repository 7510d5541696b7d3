#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") == 0;
}

bool gg_term_color(unsigned choice)
{
    const char *no_color = getenv("NO_COLOR");
    if (choice)
        return choice == 1;
    return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) && !is_dumb();
}

unsigned gg_term_width(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool gg_term_can_erase(int fd)
{
    return isatty(fd) && !is_dumb();
}
