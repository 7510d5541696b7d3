// Indexes a table by a byte that was never set.
#include <stdlib.h>

static const char digits[256] = "0123456789abcdef";

int main(void)
{
    unsigned char *bytes = malloc(4);
    volatile char digit = digits[bytes[1]]; // expect: UninitValue
    (void)digit;
    free(bytes);
    return 0;
}
