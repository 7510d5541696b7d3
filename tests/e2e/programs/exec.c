// Starts itself anew in a child; the error is in the second image.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int second_image(void)
{
    int *numbers = malloc(2 * sizeof *numbers);
    numbers[2] = 1; // expect: InvalidWrite
    free(numbers);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return second_image();
    pid_t child = fork();
    if (child == 0) {
        execl(argv[0], argv[0], "again", (char *)NULL);
        _exit(127);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}
