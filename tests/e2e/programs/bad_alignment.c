// An alignment must be a power of two.
// valgrind: 3.22
#include <stdlib.h>

int main(void)
{
    volatile size_t alignment = 24;
    void *block = NULL;
    if (posix_memalign(&block, alignment, 48) == 0) // expect: InvalidAlignment
        free(block);
    return 0;
}
