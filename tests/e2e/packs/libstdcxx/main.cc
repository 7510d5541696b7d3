// Uses the C++ library as programs do, loses memory through it, and reads what it must not.
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <locale>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

namespace
{

struct Grouping : std::numpunct<char> {
    const char *digits = new char[1]{3};
    ~Grouping() override
    {
        delete[] digits;
    }
    std::string do_grouping() const override
    {
        std::string grouping(1, digits[0]);
        if (digits[4] == 77) // expect: InvalidRead
            grouping = "";
        return grouping;
    }
};

struct Sink : std::streambuf {
    int overflow(int byte) override
    {
        new char[10]; // expect: Leak_DefinitelyLost
        return byte;
    }
};

void write()
{
    std::locale::global(std::locale("C.UTF-8"));
    std::cout.imbue(std::locale());
    std::cout << std::put_money(123) << 1.5 << 42 << true << "\n";
    std::wcout << L"wide" << 1.5 << 42 << "\n";
    std::time_t now = 0;
    std::cout << std::put_time(std::localtime(&now), "%c") << "\n";
    std::wstringstream wide(L"12 1.5");
    int whole;
    double real;
    wide >> whole >> real;
    std::locale mixed(std::locale("C.UTF-8"), std::locale::classic(), std::locale::numeric);
    std::cout.imbue(mixed);
    std::cout << 1.5 << 12 << "\n";
    std::ios_base::sync_with_stdio(false);
    std::cout << 1 << std::endl;
}

void rest()
{
    try {
        throw std::runtime_error("thrown");
    } catch (const std::exception &) {
    }
    std::regex_match("aaa", std::regex("a+"));
    std::filesystem::exists("/nowhere");
}

void lose()
{
    std::ostringstream own;
    own.imbue(std::locale(std::locale::classic(), new Grouping));
    own << 1234567;
    Sink sink;
    std::ostream(&sink) << "1" << std::flush;
    new std::locale(std::locale::classic()); // expect: Leak_DefinitelyLost
    new std::string(100, 'x');               // expect: Leak_DefinitelyLost Leak_IndirectlyLost
}

} // namespace

int main(int argc, char **)
{
    write();
    rest();
    lose();
    if (argc > 1)
        std::abort(); // expect abort: FatalSignal
}
