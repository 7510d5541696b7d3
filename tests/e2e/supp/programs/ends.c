/* Errors that main does not call: before it, and behind it. */
#include "noinline.h"
#include <stdlib.h>

static volatile int sink;

NOINLINE static void reads_freed(void)
{
    char *volatile p = malloc(4);
    free(p);
    sink++;
    sink += *p;
}

NOINLINE static void branches(void)
{
    int *volatile p = malloc(sizeof *p);
    sink++;
    if (*p == 3)
        sink++;
    free(p);
}

__attribute__((constructor)) static void before(void)
{
    reads_freed();
    sink += malloc(3) != NULL;
    sink++;
}

static void at_exit(void)
{
    branches();
    sink++;
}

__attribute__((destructor)) static void behind(void)
{
    reads_freed();
    branches();
    sink++;
}

int main(void)
{
    atexit(at_exit);
    branches();
    return 0;
}
