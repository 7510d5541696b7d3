// A size that became negative on the way.
#include <stdlib.h>

int main(void)
{
    volatile int used = 12, room = 8;
    char *rest = malloc((size_t)(room - used)); // expect: FishyValue
    free(rest);
    return 0;
}
