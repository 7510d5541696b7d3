// What new made is delete's to free.
#include <cstdlib>

int main()
{
    int *number = new int(7);
    std::free(number); // expect: MismatchedFree
    return 0;
}
