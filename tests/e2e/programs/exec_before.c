// Parent and child each become another program after an error; what stands after exec is clean.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        return 0;
    char *block = malloc(2);
    pid_t child = fork();
    if (child == 0) {
        block[2] = 1; // expect: InvalidWrite count=1
        execl(argv[0], argv[0], "again", (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
    volatile char past = block[3]; // expect: InvalidRead count=1
    execl(argv[0], argv[0], "again", (char *)NULL);
    return past;
}
