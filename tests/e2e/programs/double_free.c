// Two owners, both of whom free.
#include <stdlib.h>

static void drop(void *block)
{
    free(block); // expect: InvalidFree
}

int main(void)
{
    char *block = malloc(10);
    drop(block);
    drop(block);
    return 0;
}
