// The same with --external fail.
// build: cc -s -o prog $SOURCE
// options: --external fail
// open: Leak_DefinitelyLost
#include <stdlib.h>

int main(void)
{
    char *volatile lost = malloc(5);
    lost = NULL;
    return 0;
}
