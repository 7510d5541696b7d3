// Takes from a pool that was never announced.
#include <valgrind/memcheck.h>

static char pool[256];

int main(void)
{
    VALGRIND_MEMPOOL_ALLOC(pool, pool + 16, 16); // expect: InvalidMemPool
    return 0;
}
