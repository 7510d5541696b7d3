/* Errors in the library, in a callback below it, and its leaks. */
#include "noinline.h"
#include <stdlib.h>

int lib_read(const int *p);
void lib_each(void (*call)(const int *), const int *p);
void *lib_make(unsigned n);

static volatile int sink;
static void *volatile kept;

NOINLINE static void visit(const int *p)
{
    sink++;
    if (*p == 7)
        sink++;
}

NOINLINE static void in_turn(const int *p)
{
    lib_each(visit, p);
    sink++;
}

int main(void)
{
    int *unset = lib_make(8);
    sink += lib_read(unset + 30);
    in_turn(unset);
    lib_each(visit, unset + 50);
    kept = lib_make(13);
    sink += lib_make(17) != NULL;
    free(unset);
    return 0;
}
