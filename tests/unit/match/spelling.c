#include "match/spelling.h"
#include "match/wildcard.h"

#include <criterion/criterion.h>

/* A wildcard for the names, which fits each of them. */
static void expect(const char *(*spell)(struct gg_arena *, const struct gg_str *, size_t),
                   const char *const *names, const char *wildcard)
{
    struct gg_arena arena;
    struct gg_str list[8];
    size_t count = 0;
    gg_arena_init(&arena);
    for (; names[count]; count++)
        list[count] = gg_str(names[count]);
    const char *said = spell(&arena, list, count);
    cr_expect_str_eq(said, wildcard);
    for (size_t i = 0; i < count; i++)
        cr_expect(gg_wildcard_match(gg_str(said), list[i]), "%s does not fit %s", said, names[i]);
    gg_arena_free(&arena);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool same_function(const char *a, const char *b)
{
    return gg_spelling_same_function(gg_str(a), gg_str(b));
}

static bool same_object(const char *a, const char *b)
{
    return gg_spelling_same_object(gg_str(a), gg_str(b));
}

Test(spelling, functions_are_the_same_but_for_what_was_added)
{
    cr_expect(same_function("foo", "foo.isra.0"));
    cr_expect(same_function("foo.part.3.cold", "foo.constprop.1"));
    cr_expect(same_function("memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.2.5"));
    cr_expect(same_function("_ZN1a1b17h0123456789abcdefE", "_ZN1a1b17hfedcba9876543210E"));
    cr_expect_not(same_function("foo", "foobar"));
    cr_expect_not(same_function("foo", "foo.bar"));
    cr_expect_not(same_function("_ZN1a1b17h0123456789abcdefE", "_ZN1a1bE"));
    cr_expect_not(same_function("_ZN1a1b17h0123456789abcdegE", "_ZN1a1b17h0123456789abcdefE"));
}

Test(spelling, a_function_gets_a_wildcard_where_builds_differ)
{
    expect(gg_spelling_function, NAMES("foo"), "foo");
    expect(gg_spelling_function, NAMES("foo.isra.0"), "foo.*");
    expect(gg_spelling_function, NAMES("foo.isra.0", "foo.part.1.cold"), "foo.*");
    expect(gg_spelling_function, NAMES("foo", "foo.constprop.0"), "foo*");
    expect(gg_spelling_function, NAMES("memcpy@@GLIBC_2.14"), "memcpy@*");
    expect(gg_spelling_function, NAMES("memcpy@@GLIBC_2.14", "memcpy"), "memcpy*");
    expect(gg_spelling_function, NAMES("f.part.0", "f@@V_1"), "f*");
    expect(gg_spelling_function, NAMES("_ZN1a1b17h0123456789abcdefE"), "_ZN1a1b17h*E");
    expect(gg_spelling_function, NAMES("_ZN1a1b17h0123456789abcdefE.llvm.99"), "_ZN1a1b17h*E.*");
}

Test(spelling, what_a_line_cannot_hold_is_any_byte)
{
    expect(gg_spelling_function, NAMES("a\x1b[31m\nb"), "a?[31m?b");
    expect(gg_spelling_function, NAMES(" f "), "?f?");
    expect(gg_spelling_function, NAMES("caf\xc3\xa9"), "caf??");
}

Test(spelling, objects_are_the_same_but_for_directory_and_version)
{
    cr_expect(same_object("/usr/lib/libz.so.1.2.13", "/lib64/libz.so.1"));
    cr_expect(same_object("/a/libpython3.11.so.1.0", "/b/libpython3.9.so.1.0"));
    cr_expect(same_object("/a/prog", "/b/prog"));
    cr_expect_not(same_object("/a/libz.so.1", "/a/libzstd.so.1"));
    cr_expect_not(same_object("/a/prog", "/a/progs"));
    cr_expect_not(same_object("/a/lib.sock", "/a/lib.so"));
}

Test(spelling, an_object_gets_a_wildcard_for_directory_and_version)
{
    expect(gg_spelling_object, NAMES("/usr/lib/libz.so.1.2.13"), "*/libz.so.*");
    expect(gg_spelling_object, NAMES("/usr/lib/libz.so.1", "/l/libz.so"), "*/libz.so*");
    expect(gg_spelling_object, NAMES("/usr/lib/plugin.so"), "*/plugin.so");
    expect(gg_spelling_object, NAMES("/a/libpython3.11.so.1.0", "/b/libpython3.9.so.1.0"),
           "*/libpython3.*.so.*");
    expect(gg_spelling_object, NAMES("/a/p11", "/b/p12"), "*/p*");
    expect(gg_spelling_object, NAMES("/home/me/build/prog"), "*/prog");
}
