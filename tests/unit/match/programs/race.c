/* Two threads, one counter, no lock. As in errors.c no function begins with its error. */
#include <pthread.h>

static int counter;
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
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&thread, NULL, run, NULL);
    bump();
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
