// The last index is one too far.
#include <stdlib.h>

static int sum(const int *numbers, int count)
{
    int total = 0;
    for (int i = 0; i <= count; i++)
        total += numbers[i]; // expect: InvalidRead
    return total;
}

int main(void)
{
    int *numbers = calloc(3, sizeof *numbers);
    volatile int total = sum(numbers, 3);
    (void)total;
    free(numbers);
    return 0;
}
