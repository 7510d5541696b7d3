/* Frames without names: code that is in no file, as a compiler at run time writes it, calls back
 * into the program, and errors lie in it and behind it. Deep recursion, for stacks that are longer
 * than valgrind keeps. x86-64 only. */
#include "noinline.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static volatile int sink;

/* int calls(int (*f)(const int *), const int *p) { return f(p); }, with a frame pointer */
static const unsigned char calls_code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8,
                                           0x48, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
/* int reads(const int *p) { return *p; } */
static const unsigned char reads_code[] = {0x55, 0x48, 0x89, 0xe5, 0x8b, 0x07, 0x5d, 0xc3};

typedef int reads_type(const int *);
typedef int calls_type(reads_type *, const int *);

NOINLINE static int own_read(const int *p)
{
    sink++;
    return *p;
}

NOINLINE static void through(calls_type *calls, reads_type *reads, const int *p)
{
    sink += calls(own_read, p);
    sink += calls(reads, p);
    sink += reads(p);
    sink++;
}

NOINLINE static void *deeper(int depth, const int *p)
{
    void *got;
    if (depth == 0) {
        sink += *p;
        got = malloc(5);
    } else {
        got = deeper(depth - 1, p);
    }
    sink++;
    return got;
}

NOINLINE static void even(int depth, const int *p);

NOINLINE static void odd(int depth, const int *p)
{
    sink++;
    if (depth)
        even(depth - 1, p);
    else if (*p == 4)
        sink++;
    sink++;
}

NOINLINE static void even(int depth, const int *p)
{
    sink++;
    if (depth)
        odd(depth - 1, p);
    sink++;
}

int main(void)
{
    char *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    memcpy(code, calls_code, sizeof calls_code);
    memcpy(code + 256, reads_code, sizeof reads_code);
    int *block = malloc(4);
    through((calls_type *)(void *)code, (reads_type *)(void *)(code + 256), block + 20);
    for (int depth = 1; depth < 60; depth += 7)
        deeper(depth, block + 20);
    even(31, block);
    free(block);
    return 0;
}
