/* A library of its own, between frames of the program that calls it. */
#include "noinline.h"
#include <stdlib.h>

static volatile int counter;

NOINLINE static int local_read(const int *p)
{
    counter++;
    return *p;
}

NOINLINE int lib_read(const int *p)
{
    counter++;
    return local_read(p) + 1;
}

NOINLINE void lib_each(void (*call)(const int *), const int *p)
{
    counter++;
    call(p);
    counter++;
}

NOINLINE void *lib_make(unsigned n)
{
    void *p = malloc(n);
    counter++;
    return p;
}
