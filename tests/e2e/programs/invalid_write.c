// Writes through a pointer that was kept after free.
#include <stdlib.h>

int main(void)
{
    char *kept = malloc(8);
    free(kept);
    kept[2] = 'x'; // expect: InvalidWrite
    return 0;
}
