/* One error of each kind that memcheck can be made to report in C, reached in ways that matter to
 * suppressions: plain calls, recursion, inlined calls, callbacks out of the C library. No function
 * begins with its error: valgrind then takes the caller for the innermost frame and what is on the
 * stack for return addresses. */
#include "noinline.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INLINE static inline __attribute__((always_inline))

static volatile int sink;
static void *volatile kept;

NOINLINE static void read_one(const volatile char *p)
{
    sink++;
    sink = *p;
}

NOINLINE static void write_eight(volatile long *p)
{
    sink++;
    *p = 1;
}

NOINLINE static void read_via_middle(char *p)
{
    read_one(p + 8);
    sink++;
}

NOINLINE static void recurse(int depth, char *p)
{
    if (depth == 0)
        sink = *(volatile short *)(p + 8);
    else
        recurse(depth - 1, p);
    sink++;
}

INLINE int innermost(const int *p)
{
    return *(const volatile int *)p;
}

INLINE int inner(const int *p)
{
    return innermost(p) + 1;
}

NOINLINE static void has_inlined(const int *p)
{
    sink++;
    sink = inner(p);
    sink++;
}

NOINLINE static void branches(const int *p)
{
    sink++;
    if (*p == 3)
        sink++;
}

NOINLINE static void indexes(const unsigned char *p)
{
    static volatile char table[256];
    sink++;
    sink = table[*p];
}

static int compare(const void *a, const void *b)
{
    const int *volatile far = a;
    sink = far[1000];
    return *(const int *)a - *(const int *)b;
}

NOINLINE static void calls_back(void)
{
    int *numbers = calloc(2, sizeof *numbers);
    numbers[0] = 2;
    qsort(numbers, 2, sizeof *numbers, compare);
    free(numbers);
}

NOINLINE static void writes_out(const char *p)
{
    int fd = open("/dev/null", O_WRONLY);
    if (write(fd, p, 4) > 0)
        sink++;
    close(fd);
}

NOINLINE static void overlaps(char *p, size_t n)
{
    strncpy(p + 2, p, n);
}

NOINLINE static void frees_twice(void)
{
    char *volatile p = malloc(3);
    free(p);
    free(p);
}

NOINLINE static void asks_too_much(volatile long n)
{
    char *volatile p = malloc((size_t)n);
    free(p);
}

NOINLINE static void *wrapped(size_t n)
{
    void *p = malloc(n);
    sink++;
    return p;
}

NOINLINE static void leaks(void)
{
    void **volatile head = wrapped(sizeof(void *));
    *head = wrapped(11);
    head = NULL;
}

NOINLINE static void keeps(void)
{
    static char *volatile middle;
    kept = wrapped(13);
    middle = (char *)wrapped(17) + 5;
    sink = *middle;
}

int main(void)
{
    char *block = malloc(8);
    int *unset = malloc(sizeof *unset);
    char *bytes = calloc(16, 1);
    memset(bytes, 'x', 15);
    read_via_middle(block);
    write_eight((volatile long *)(block + 8));
    recurse(4, block);
    has_inlined((const int *)(block + 8));
    branches(unset);
    indexes((const unsigned char *)unset);
    calls_back();
    writes_out((const char *)unset);
    overlaps(bytes, 8);
    frees_twice();
    asks_too_much(-3);
    leaks();
    keeps();
    free(bytes);
    free(unset);
    free(block);
    return 0;
}
