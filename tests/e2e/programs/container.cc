// Reads a std::vector past its end: the innermost frames are the standard library's, ours is next.
#include <numeric>
#include <vector>

int main()
{
    std::vector<int> bag(4);
    volatile int total = std::accumulate(bag.begin(), bag.end() + 1, 0); // expect: InvalidRead
    (void)total;
    return 0;
}
