// A helper thread writes past its buffer; its stack does not pass main.
// build: cc -g -pthread -o prog $SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *argument)
{
    char *buffer = argument;
    buffer[8] = 'x'; // expect: InvalidWrite
    return NULL;
}

int main(void)
{
    char *buffer = malloc(8);
    pthread_t helper;
    if (pthread_create(&helper, NULL, fill, buffer) != 0)
        return 1;
    pthread_join(helper, NULL);
    free(buffer);
    return 0;
}
