// Asks valgrind itself whether a buffer is set throughout.
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

int main(void)
{
    char *buffer = malloc(16);
    memset(buffer, 0, 8);
    VALGRIND_CHECK_MEM_IS_DEFINED(buffer, 16); // expect: ClientCheck
    free(buffer);
    return 0;
}
