// Never freed and never lost: a note, which does not fail the gate.
// exit: 0
#include <stdlib.h>

static char *table;

int main(void)
{
    table = malloc(64); // expect: Leak_StillReachable
    return table == NULL;
}
