/* Wrong uses of locks, for helgrind and drd. Threads take turns, so the errors are the same each
 * time. */
#include "noinline.h"
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t foreign = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int sink;

NOINLINE static void in_order(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    sink++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

NOINLINE static void unlocks(pthread_mutex_t *lock)
{
    sink++;
    pthread_mutex_unlock(lock);
    sink++;
}

static void *unlocks_foreign(void *unused)
{
    unlocks(&foreign);
    return unused;
}

static void *ends_locked(void *unused)
{
    static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&never);
    sink++;
    return unused;
}

NOINLINE static void in_thread(void *(*function)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL) == 0)
        pthread_join(thread, NULL);
}

NOINLINE static void signals_unlocked(void)
{
    sink++;
    pthread_cond_signal(&condition);
    sink++;
}

NOINLINE static void destroys_locked(void)
{
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock);
    sink++;
}

NOINLINE static void destroys_twice(void)
{
    sem_t gate;
    sem_init(&gate, 0, 0);
    sem_destroy(&gate);
    sem_destroy(&gate);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_destroy(&barrier);
    sink++;
}

NOINLINE static void unlocks_no_lock(void)
{
    static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_unlock(&shared);
    sink++;
}

int main(void)
{
    in_order(&first, &second);
    in_order(&second, &first);
    unlocks(&first);
    pthread_mutex_lock(&foreign);
    in_thread(unlocks_foreign);
    in_thread(ends_locked);
    signals_unlocked();
    destroys_locked();
    destroys_twice();
    unlocks_no_lock();
    return 0;
}
