// The C library frees what a thread left in its slot, but the thread has freed it already. No frame
// of the error's own stack is ours; the line that freed the block is.
// build: cc -g -pthread -o prog $SOURCE
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t slot;

static void *work(void *argument)
{
    char *scratch = malloc(24);
    pthread_setspecific(slot, scratch);
    free(scratch); // expect: InvalidFree via=freed
    return argument;
}

int main(void)
{
    pthread_t helper;
    pthread_key_create(&slot, free);
    if (pthread_create(&helper, NULL, work, NULL) != 0)
        return 1;
    pthread_join(helper, NULL);
    pthread_key_delete(slot);
    return 0;
}
