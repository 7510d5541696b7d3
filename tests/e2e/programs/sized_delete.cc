// A class is deleted as if it were smaller than it is.
// valgrind: 3.22
// build: c++ -g -std=c++14 -fsized-deallocation -o prog $SOURCE
#include <cstddef>
#include <new>

int main()
{
    void *block = ::operator new(32);
    ::operator delete(block, std::size_t(16)); // expect: MismatchedAllocateDeallocateSize
    return 0;
}
