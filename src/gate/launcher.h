/*
 * Launcher: programs that are run to run others, and so are not what is tested.
 */
#ifndef GG_GATE_LAUNCHER_H
#define GG_GATE_LAUNCHER_H

#include <stdbool.h>

enum gg_launcher {
    GG_LAUNCHER_NONE,
    GG_LAUNCHER_ONLY,       /* a shell, a build tool, a runner of tests: it has no tests itself */
    GG_LAUNCHER_INTERPRETER /* what it loads into itself (an extension) may be what is tested */
};

/* By the name of the program, "/usr/bin/python3.11": GG_LAUNCHER_INTERPRETER. */
enum gg_launcher gg_launcher_of(const char *program);

/* Is it one of the system's own programs, by its path, or found in PATH by its name? */
bool gg_launcher_is_system(const char *program);

#endif
