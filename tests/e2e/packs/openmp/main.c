/* Parallel regions, tasks and locks, with memory lost in them and a read past the end. */
#include <omp.h>
#include <stdlib.h>

static int sum;

static void work(void)
{
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += omp_get_thread_num();
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; i++)
        sum += i;
    omp_set_nested(1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp critical
    sum++;
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_destroy_lock(&lock);
}

static void lose(void)
{
    int *numbers = malloc(4 * sizeof *numbers);
    for (int i = 0; i < 4; i++)
        numbers[i] = i;
#pragma omp parallel num_threads(2)
    {
        void *volatile block = malloc(9); // expect: Leak_DefinitelyLost
        block = NULL;
#pragma omp single
#pragma omp task shared(sum)
        sum += numbers[4]; // expect: InvalidRead
    }
    free(numbers);
    void *volatile own = omp_alloc(20, omp_default_mem_alloc); // expect: Leak_DefinitelyLost
    own = NULL;
}

int main(void)
{
    work();
    lose();
    work();
    return sum < 0;
}
