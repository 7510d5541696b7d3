// Without symbols nobody can say where: the leak is external, and nothing is decided.
// build: cc -s -o prog $SOURCE
// exit: 3
// external: Leak_DefinitelyLost
#include <stdlib.h>

int main(void)
{
    char *volatile lost = malloc(5);
    lost = NULL;
    return 0;
}
