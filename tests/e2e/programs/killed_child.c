// The child is killed from outside: its report stops early, and without a finding nothing can be
// said either way.
// exit: 3
// end: truncated
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ready[2];
    char byte;
    if (pipe(ready) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        if (write(ready[1], "r", 1) == 1)
            pause();
        _exit(1);
    }
    if (read(ready[0], &byte, 1) != 1)
        return 1;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return 0;
}
