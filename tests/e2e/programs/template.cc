// One line of a template, inlined into two callers: two findings.
// build: c++ -g -O1 -o prog $SOURCE
#include <cstddef>
#include <cstdlib>

template <typename T> class row
{
  public:
    explicit row(std::size_t size)
        : size_(size), cells_(static_cast<T *>(std::calloc(size, sizeof(T))))
    {
    }
    ~row()
    {
        std::free(cells_);
    }
    T sum() const
    {
        T total = 0;
        std::size_t i = 0;
        // clang-format off
        while (i <= size_) total += cells_[i++]; // expect: InvalidRead InvalidRead
        // clang-format on
        return total;
    }

  private:
    std::size_t size_;
    T *cells_;
};

__attribute__((noinline)) static long sum_of(const row<long> &numbers)
{
    return numbers.sum();
}

__attribute__((noinline)) static double sum_of(const row<double> &numbers)
{
    return numbers.sum();
}

int main()
{
    row<long> longs(4);
    row<double> doubles(8);
    volatile double total = static_cast<double>(sum_of(longs)) + sum_of(doubles);
    (void)total;
    return 0;
}
