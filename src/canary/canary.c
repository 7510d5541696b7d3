/*
 * The canary: three faults that valgrind has to see, each on a line of its own.
 *
 * A fault's line carries a mark with its function and the kind that valgrind gives it; the marks
 * are where grindgate learns which lines to expect (src/canary.c). It is compiled apart from the
 * rest, as a program under test is: not optimised, with debug information.
 */
#include <stdlib.h>

static volatile int sink;

static void canary_leak(void)
{
    char *volatile lost = malloc(41); /* canary_leak: Leak_DefinitelyLost */
    lost = NULL;
}

static void canary_read(void)
{
    char *block = malloc(8);
    if (block)
        sink = block[8]; /* canary_read: InvalidRead */
    free(block);
}

static void canary_jump(void)
{
    int *value = malloc(sizeof *value);
    if (value) {
        if (*value == 7) /* canary_jump: UninitCondition */
            sink = 7;
    }
    free(value);
}

/* The leak first: what comes after wipes its address out of registers and stack. */
int main(void)
{
    canary_leak();
    canary_read();
    canary_jump();
    return 0;
}
