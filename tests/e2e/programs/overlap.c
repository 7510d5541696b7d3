// strcpy within one buffer, where memmove is called for.
#include <string.h>

int main(void)
{
    char line[32] = "   indented";
    strcpy(line, line + 3); // expect: Overlap
    return line[0] != 'i';
}
