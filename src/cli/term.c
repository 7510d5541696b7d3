#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
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

struct gg_term_size gg_term_size(int fd)
{
    struct winsize size;
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        return (struct gg_term_size){0, 0};
    return (struct gg_term_size){size.ws_row, size.ws_col};
}

unsigned gg_term_width(int fd)
{
    return gg_term_size(fd).columns;
}

bool gg_term_can_erase(int fd)
{
    return isatty(fd) && !is_dumb();
}

bool gg_term_has_lines(int fd)
{
    struct termios mode;
    return getenv("TERM") && !is_dumb() && tcgetattr(fd, &mode) == 0 && (mode.c_lflag & ICANON) &&
           (mode.c_oflag & OPOST);
}
