// A failed assertion ends the program: the signal is a finding of its own. The C library has an
// abort.c too, which is not this one.
// program: SIGABRT
#include <assert.h>

int main(int argc, char **argv)
{
    (void)argv;
    assert(argc > 5); // expect: FatalSignal
    return 0;
}
