// Calls a function pointer nobody has set: the jump is an error, and the program dies of it. The
// frame of the call itself is lost (valgrind cannot unwind from where no code is), so the first
// frame of ours is its caller's.
// program: SIGSEGV
#include <stddef.h>

struct plugin {
    void (*start)(void);
};

static void plugin_start(const struct plugin *plugin)
{
    plugin->start();
}

int main(void)
{
    struct plugin plugin = {NULL};
    plugin_start(&plugin); // expect: InvalidJump FatalSignal
    return 0;
}
