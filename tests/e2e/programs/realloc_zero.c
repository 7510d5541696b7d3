// realloc to nothing means different things on different systems.
// valgrind: 3.21
#include <stdlib.h>

int main(void)
{
    char *block = malloc(8);
    volatile size_t size = 0;
    block = realloc(block, size); // expect: ReallocSizeZero
    free(block);
    return 0;
}
