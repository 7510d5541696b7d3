/* Two threads, one counter, no lock. As in errors.c no function begins with its error. The pipe
 * puts the accesses in one order, which helgrind and drd do not take for one: so the same errors
 * are found each time. */
#include <pthread.h>
#include <unistd.h>

static int counter;
static int ends[2];
static _Thread_local volatile int calls;

__attribute__((noinline)) static void bump(void)
{
    calls++;
    counter++;
}

static void *run(void *unused)
{
    (void)unused;
    bump();
    return write(ends[1], "", 1) == 1 ? NULL : &counter;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char byte;
    if (pipe(ends) != 0 || pthread_create(&thread, NULL, run, NULL) != 0 ||
        read(ends[0], &byte, 1) != 1)
        return 1;
    bump();
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
