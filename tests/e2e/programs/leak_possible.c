// Only a pointer into the middle of the block is left: a warning, which fails when asked to.
// options: --fail-on warning
#include <stdlib.h>

static char *cursor;

int main(void)
{
    cursor = malloc(40); // expect: Leak_PossiblyLost
    cursor += 8;
    return 0;
}
