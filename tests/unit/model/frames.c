#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/demangle.h"
#include "model/fingerprint.h"
#include "model/frames.h"

static struct gg_arena arena;
static struct gg_atoms atoms;
static struct gg_frames frames;

static void begin(void)
{
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    gg_frames_init(&frames, &arena, &atoms);
}

static void end(void)
{
    gg_frames_close(&frames);
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
}

TestSuite(frames, .init = begin, .fini = end);
TestSuite(demangle, .init = begin, .fini = end);
TestSuite(fingerprint, .init = begin, .fini = end);

static struct gg_frame *intern(const char *blob)
{
    return gg_frames_intern(&frames, blob, strlen(blob));
}

Test(frames, fields_are_taken_apart)
{
    struct gg_frame *frame = intern("\1"
                                    "0x10A3B3\2/bin/p\3_ZN2ns3addEii\4/src/../lib\5"
                                    "a.cc\6"
                                    "12");
    cr_assert_eq(frame->ip, 0x10A3B3);
    cr_assert_str_eq(frame->object, "/bin/p");
    cr_assert_str_eq(frame->symbol, "_ZN2ns3addEii");
    cr_assert_str_eq(frame->function, "ns::add(int, int)");
    cr_assert_str_eq(frame->dir, "/src/../lib");
    cr_assert_str_eq(frame->file, "a.cc");
    cr_assert_eq(frame->line, 12);
}

Test(frames, what_is_not_there_is_null)
{
    struct gg_frame *frame = intern("\1"
                                    "0x0");
    cr_assert(!frame->object && !frame->symbol && !frame->function && !frame->dir && !frame->file);
    cr_assert_eq(frame->line, 0);
}

Test(frames, one_blob_is_one_frame_and_one_place_has_many_addresses)
{
    struct gg_frame *a = intern("\1"
                                "0x1\2/p\3f\5x.c\6"
                                "3");
    struct gg_frame *again = intern("\1"
                                    "0x1\2/p\3f\5x.c\6"
                                    "3");
    struct gg_frame *moved = intern("\1"
                                    "0x2\2/p\3f\5x.c\6"
                                    "3");
    struct gg_frame *other = intern("\1"
                                    "0x1\2/p\3f\5x.c\6"
                                    "4");
    cr_assert_eq(a, again);
    cr_assert_neq(a, moved);
    cr_assert_eq(a->place, moved->place);
    cr_assert_neq(a->place, other->place);
    struct gg_frame *elsewhere = intern("\1"
                                        "0x1\2/q\3f\5x.c\6"
                                        "3");
    cr_assert_neq(a->place, elsewhere->place, "a suppression may name the one object only");
}

Test(frames, without_source_and_symbol_the_address_counts)
{
    cr_assert_neq(intern("\1"
                         "0x1\2/p")
                      ->place,
                  intern("\1"
                         "0x2\2/p")
                      ->place);
}

Test(frames, a_line_that_does_not_fit_is_none)
{
    cr_assert_eq(intern("\1"
                        "0x1\5x.c\6"
                        "99999999999")
                     ->line,
                 0);
}

/* Expected values: c++filt and rustfilt know these. */
Test(demangle, knows_cpp_and_rust)
{
    cr_expect_str_eq(gg_demangle(&arena, "main"), "main");
    cr_expect_str_eq(gg_demangle(&arena, "_Znwm"), "operator new(unsigned long)");
    cr_expect_str_eq(gg_demangle(&arena, "_Z3fooi.isra.0"), "foo(int) [clone .isra.0]");
    cr_expect_str_eq(gg_demangle(&arena, "_ZNSs4swapERSs@@GLIBCXX_3.4"),
                     "std::string::swap(std::string&)@@GLIBCXX_3.4");
    cr_expect_str_eq(gg_demangle(&arena, "_RNvC6_123foo3bar"), "123foo::bar");
    cr_expect_str_eq(gg_demangle(&arena, "_Z"), "_Z");
    cr_expect_str_eq(gg_demangle(&arena, "_ZN"), "_ZN");
}

/* "_Z1fN3aaaIS_..." : every level names the one before twice, so the text doubles each time. */
Test(demangle, a_name_that_unfolds_without_end_is_left_alone, .timeout = 5)
{
    char symbol[1024] = "_Z1fSt4pairIiiE";
    strcat(symbol, "S_IS0_S0_E");
    for (int i = 1; i < 34; i++) {
        char level[16];
        const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        snprintf(level, sizeof level, "S_IS%c_S%c_E", digits[i], digits[i]);
        strcat(symbol, level);
    }
    cr_assert_str_eq(gg_demangle(&arena, symbol), symbol);
}

static void expect_plain(const char *function, const char *wanted)
{
    struct gg_frame frame = {.function = function};
    struct gg_str plain = gg_fingerprint_frame(&frame);
    cr_expect(gg_str_is(plain, wanted), "%s gave %.*s", function, (int)plain.len, plain.ptr);
}

Test(fingerprint, compilers_and_linkers_suffixes_go)
{
    expect_plain("parse", "parse");
    expect_plain("parse.isra.0", "parse");
    expect_plain("parse.part.1.cold", "parse");
    expect_plain("parse.constprop.12", "parse");
    expect_plain("ns::f(int) [clone .isra.0]", "ns::f(int)");
    expect_plain("memcpy@@GLIBC_2.14", "memcpy");
    expect_plain("core::fmt::write::h0123456789abcdef", "core::fmt::write");
    expect_plain("hash::h0123456789abcdeg", "hash::h0123456789abcdeg");
}

static void fingerprint_of(char *into, enum gg_kind kind, unsigned line, const char *last)
{
    struct gg_frame get = {.function = "get", .line = line, .ip = line};
    struct gg_frame run = {.function = last};
    struct gg_frame below = {.function = "(below main)", .ip = line};
    struct gg_frame junk = {.ip = line};
    struct gg_frame *list[] = {&get, &run, &below, &junk};
    struct gg_stack stack = {.role = GG_ROLE_ERROR, .len = 4, .frames = list};
    struct gg_finding finding = {.kind = kind, .kind_name = gg_kind_table[kind].name};
    finding.stacks = &stack;
    finding.stack_count = 1;
    gg_fingerprint(&arena, &finding, 1);
    strcpy(into, finding.fingerprint);
}

/* Every test program has a main. */
Test(fingerprint, functions_of_two_files_are_two)
{
    struct gg_frame one = {.function = "main", .path = "tests/a.c"};
    struct gg_frame other = {.function = "main", .path = "tests/b.c"};
    struct gg_frame *first[] = {&one}, *second[] = {&other};
    struct gg_stack stacks[] = {{.len = 1, .frames = first}, {.len = 1, .frames = second}};
    struct gg_finding findings[] = {{.stacks = &stacks[0], .stack_count = 1},
                                    {.stacks = &stacks[1], .stack_count = 1}};
    gg_fingerprint(&arena, findings, 2);
    cr_assert_str_neq(findings[0].fingerprint, findings[1].fingerprint);
}

Test(fingerprint, lines_addresses_and_leak_states_do_not_count_and_functions_do)
{
    char definite[65], possible[65], moved[65], other[65], access[65];
    fingerprint_of(definite, GG_KIND_Leak_DefinitelyLost, 3, "main");
    fingerprint_of(possible, GG_KIND_Leak_PossiblyLost, 3, "main");
    fingerprint_of(moved, GG_KIND_Leak_DefinitelyLost, 99, "main");
    fingerprint_of(other, GG_KIND_Leak_DefinitelyLost, 3, "other");
    fingerprint_of(access, GG_KIND_InvalidRead, 3, "main");
    cr_assert_eq(strlen(definite), 64);
    cr_assert_str_eq(definite, possible);
    cr_assert_str_eq(definite, moved);
    cr_assert_str_neq(definite, other);
    cr_assert_str_neq(definite, access);
    /* printf 'grindgate/v1\nleak\nget\nmain\n' | sha256sum */
    cr_assert_str_eq(definite, "45f893ce0eedea70434783ee9f54458a36fca1731df91823febacd58719fea74");
}
