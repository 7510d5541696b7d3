// The only pointer is overwritten.
#include <stdlib.h>

static char *buffer;

static void grow(size_t size)
{
    buffer = malloc(size); // expect: Leak_DefinitelyLost
}

int main(void)
{
    grow(16);
    buffer = NULL;
    return 0;
}
