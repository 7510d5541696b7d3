#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool gg_term_color(unsigned choice)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    if (choice)
        return choice == 1;
    return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) &&
           !(term && strcmp(term, "dumb") == 0);
}

unsigned gg_term_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}
