// qsort calls back into our comparison, which reads freed memory.
#include <stdlib.h>

static int by_first(const void *left, const void *right)
{
    const char *const *one = left;
    const char *const *other = right;
    return **one - **other; // expect: InvalidRead
}

int main(void)
{
    char *kept = calloc(4, 1), *gone = calloc(4, 1);
    const char *names[2] = {kept, gone};
    free(gone);
    qsort(names, 2, sizeof names[0], by_first);
    free(kept);
    return 0;
}
