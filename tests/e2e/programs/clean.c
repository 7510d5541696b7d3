// Nothing is wrong here.
// exit: 0
#include <stdlib.h>

int main(void)
{
    free(malloc(10));
    return 0;
}
