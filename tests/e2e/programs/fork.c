// The child repeats its parent's leak in its own report; it is one leak all the same. The invalid
// read is the child's alone.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *lost;

int main(void)
{
    lost = malloc(11); // expect: Leak_DefinitelyLost count=1
    lost = NULL;
    char *shared = calloc(4, 1);
    pid_t child = fork();
    if (child == 0) {
        volatile char past = shared[4]; // expect: InvalidRead count=1
        (void)past;
        free(shared);
        exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    free(shared);
    return status;
}
