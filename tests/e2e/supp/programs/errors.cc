// Mangled names: namespaces, templates, operators, and code of the C++ library between own frames.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

static volatile int sink;

namespace shop
{
template <typename T> struct Shelf {
    std::vector<T> items;
    __attribute__((noinline)) T past(std::size_t at) const
    {
        return items.data()[at];
    }
    __attribute__((noinline)) bool operator<(const Shelf &other) const
    {
        return items.data()[1] < other.items[0];
    }
};

namespace
{
__attribute__((noinline)) int *hidden(int n)
{
    return new int[n];
}
} // namespace

__attribute__((noinline)) void lose()
{
    sink = *new (std::nothrow) int(4);
}
} // namespace shop

int main()
{
    shop::Shelf<int> shelf{{1}};
    shop::Shelf<double> doubles{{1.5}};
    sink = shelf.past(1);
    sink = static_cast<int>(doubles.past(1));
    sink = shelf < shelf;
    shop::lose();
    int *numbers = shop::hidden(3);
    auto each = [](int n) {
        if (n == 7)
            sink = n;
    };
    std::for_each(numbers, numbers + 1, each);
    delete numbers; // mismatched
    std::string *text = new std::string("long enough to live on the heap, really");
    sink = static_cast<int>(text->size());
    return 0;
}
