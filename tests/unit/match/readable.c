#include "match/readable.h"

#include <criterion/criterion.h>
#include <string.h>

static bool looks(const char *name)
{
    return gg_readable_looks(gg_str(name));
}

Test(readable, tells_demangled_names_by_their_looks)
{
    cr_expect(looks("ns::f(int)"));
    cr_expect(looks("f(int)"));
    cr_expect(looks("operator new(unsigned long)"));
    cr_expect(looks("operator<<(std::ostream&, X const&)"));
    cr_expect(looks("core::fmt::write"));
    cr_expect(looks("<alloc::string::String as core::fmt::Write>::write_str"));
    cr_expect(looks("void sort<int*>(int*, int*)"));
    cr_expect_not(looks("malloc"));
    cr_expect_not(looks("(below main)"));
    cr_expect_not(looks("_ZN2ns1fEi"));
    cr_expect_not(looks("???"));
    cr_expect_not(looks(""));
}

/* Names of inlined functions, which valgrind never has otherwise. */
Test(readable, leaves_short_names_alone)
{
    cr_expect_not(looks("operator()"));
    cr_expect_not(looks("operator<"));
    cr_expect_not(looks("operator->"));
    cr_expect_not(looks("push_back"));
    cr_expect_not(looks("sort<std::vector<int>, void (*)(int)>"));
    cr_expect_not(looks("~Session"));
}

static const char *bare(const char *name)
{
    static char text[256];
    struct gg_str result = gg_readable_bare(gg_str(name));
    cr_assert_lt(result.len, sizeof text);
    memcpy(text, result.ptr, result.len);
    text[result.len] = '\0';
    return text;
}

Test(readable, leaves_out_parameters)
{
    cr_expect_str_eq(bare("ns::f(int)"), "ns::f");
    cr_expect_str_eq(bare("ns::f(void (*)(int), char) const"), "ns::f");
    cr_expect_str_eq(bare("ns::f() [clone .part.0]"), "ns::f");
    cr_expect_str_eq(bare("ns::C::operator()(int) const"), "ns::C::operator()");
    cr_expect_str_eq(bare("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
    cr_expect_str_eq(bare("f(int)::{lambda()#1}::operator()() const"),
                     "f(int)::{lambda()#1}::operator()");
    cr_expect_str_eq(bare("(anonymous namespace)::f"), "(anonymous namespace)::f");
    cr_expect_str_eq(bare("core::fmt::write"), "core::fmt::write");
    cr_expect_str_eq(bare("odd(name"), "odd(name");
    cr_expect_str_eq(bare("odd)name"), "odd)name");
    cr_expect_str_eq(bare("(odd)"), "(odd)");
}

static bool fits(const char *pattern, const char *name)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    bool result = gg_readable_fits(&arena, gg_str(pattern), gg_str(name));
    gg_arena_free(&arena);
    return result;
}

Test(readable, reads_mangled_patterns)
{
    cr_expect(fits("_ZN2ns3Foo3barEi", "ns::Foo::bar(int)"));
    cr_expect_not(fits("_ZN2ns3Foo3barEi", "ns::Foo::bar(long)"));
    cr_expect(fits("_ZNK2ns3Foo3barEv", "ns::Foo::bar() const"));
    cr_expect(fits("_Z3fooPKc", "foo(char const*)"));
    cr_expect(fits("_Znwm", "operator new(unsigned long)"));
    cr_expect_not(fits("_Znwm", "operator new[](unsigned long)"));
}

Test(readable, reads_the_beginning_of_mangled_patterns)
{
    cr_expect(fits("_ZN2ns3Foo*", "ns::Foo::bar(int)"));
    cr_expect(fits("_ZNK2ns3Foo*", "ns::Foo::bar() const"));
    cr_expect(fits("_ZN2ns6Foo*", "ns::Foobar(int)"));
    cr_expect(fits("_ZN2ns*", "ns::Foo::bar(int)"));
    cr_expect(fits("_ZNSt6vector*", "std::vector<int, std::allocator<int> >::push_back(int&&)"));
    cr_expect(fits("_Z3foo*", "foo(char const*)"));
    cr_expect_not(fits("_ZN2ns3Bar*", "ns::Foo::bar(int)"));
    cr_expect(fits("_Zn*", "operator new[](unsigned long)"));
    cr_expect(fits("_Znw*", "operator new(unsigned long)"));
    cr_expect_not(fits("_Znw*", "operator new[](unsigned long)"));
    cr_expect(fits("_Zna*", "operator new[](unsigned long)"));
    cr_expect(fits("_Zdl*", "operator delete(void*)"));
    /* What cannot be told fits nothing. */
    cr_expect_not(fits("_ZNSaIcE*", "std::allocator<char>::allocate(unsigned long)"));
    cr_expect_not(fits("_Z*", "foo(char const*)"));
    cr_expect_not(fits("_ZN99999999999999999999*", "ns::f()"));
}

Test(readable, takes_patterns_as_people_write_them)
{
    cr_expect(fits("ns::Foo::bar", "ns::Foo::bar(int)"));
    cr_expect(fits("ns::Foo::bar(int)", "ns::Foo::bar(int)"));
    cr_expect(fits("ns::Foo::b*", "ns::Foo::bar(int)"));
    cr_expect(fits("*Foo*bar*", "ns::Foo::bar(int)"));
    cr_expect_not(fits("ns::Foo", "ns::Foo::bar(int)"));
    cr_expect_not(fits("bar", "ns::Foo::bar(int)"));
}
