// Without symbols nobody can say where: the leak is kept, as one outside the repository.
// build: cc -s -o prog $SOURCE
// exit: 0
// external: Leak_DefinitelyLost
#include <stdlib.h>

int main(void)
{
    char *volatile lost = malloc(5);
    lost = NULL;
    return 0;
}
