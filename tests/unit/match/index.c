#include "match/index.h"
#include "match/wildcard.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* ---- grams ---- */

static const char *const words[] = {
    "malloc", "g_malloc", "g_malloc0", "xmalloc",    "calloc",       "malloc",      "all",
    "",       "a",        "aaaaaaa",   "aaaabaaaab", "_ZN2ns3fooEv", "_ZN2ns3barEv"};
enum { WORDS = sizeof words / sizeof *words };

static const char *found(const char *wildcard)
{
    static char text[256];
    struct gg_str texts[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        texts[i] = gg_str(words[i]);
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_grams grams;
    gg_grams_init(&grams, &arena, texts, WORDS);
    gg_number_list list = {0};
    gg_grams_find(&grams, gg_str(wildcard), &arena, &list);
    bool there[WORDS] = {false};
    for (size_t i = 0; i < list.len; i++) {
        cr_expect_not(there[list.at[i]], "%s: %u twice", wildcard, list.at[i]);
        there[list.at[i]] = true;
    }
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < WORDS; i++) {
        if (there[i])
            len += (size_t)snprintf(text + len, sizeof text - len, "%zu ", i);
    }
    gg_grams_free(&grams);
    gg_arena_free(&arena);
    return text;
}

Test(grams, finds_what_a_wildcard_fits)
{
    cr_expect_str_eq(found("malloc"), "0 5 ");
    cr_expect_str_eq(found("*malloc"), "0 1 3 5 ");
    cr_expect_str_eq(found("*malloc*"), "0 1 2 3 5 ");
    cr_expect_str_eq(found("g_?alloc?"), "2 ");
    cr_expect_str_eq(found("*alloc"), "0 1 3 4 5 ");
    cr_expect_str_eq(found("*all*"), "0 1 2 3 4 5 6 ");
    cr_expect_str_eq(found("?"), "8 ");
    cr_expect_str_eq(found("*"), "0 1 2 3 4 5 6 7 8 9 10 11 12 ");
    cr_expect_str_eq(found(""), "7 ");
    cr_expect_str_eq(found("_ZN2ns*Ev"), "11 12 ");
    cr_expect_str_eq(found("_ZN2ns3bar*"), "12 ");
    cr_expect_str_eq(found("aaaa*aaaab"), "10 ");
    cr_expect_str_eq(found("nowhere*"), "");
}

Test(grams, without_texts)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_grams grams;
    gg_grams_init(&grams, &arena, NULL, 0);
    gg_number_list list = {0};
    gg_grams_find(&grams, gg_str("*"), &arena, &list);
    gg_grams_find(&grams, gg_str("malloc"), &arena, &list);
    cr_expect_eq(list.len, 0);
    gg_grams_free(&grams);
    gg_arena_free(&arena);
}

/* All texts over `letters`, one after the other: 0 is the empty one. */
static const char *text_number(unsigned number, const char *letters, char *buffer)
{
    size_t base = strlen(letters), len = 0;
    for (; number > 0; number = (number - 1) / (unsigned)base)
        buffer[len++] = letters[(number - 1) % base];
    buffer[len] = '\0';
    return buffer;
}

Test(grams, agrees_with_the_wildcard)
{
    enum { TEXTS = 1023, PATTERNS = 20000 };
    static char buffers[TEXTS][16];
    struct gg_str texts[TEXTS];
    for (unsigned t = 0; t < TEXTS; t++)
        texts[t] = gg_str(text_number(t, "ab", buffers[t]));
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_grams grams;
    gg_grams_init(&grams, &arena, texts, TEXTS);
    for (unsigned p = 0; p < PATTERNS; p += 7) {
        char pattern[16];
        text_number(p, "ab*?", pattern);
        gg_number_list list = {0};
        gg_grams_find(&grams, gg_str(pattern), &arena, &list);
        size_t count = 0;
        for (unsigned t = 0; t < TEXTS; t++)
            count += gg_wildcard_match(gg_str(pattern), texts[t]);
        cr_assert_eq(list.len, count, "%s", pattern);
        for (size_t i = 0; i < list.len; i++)
            cr_assert(gg_wildcard_match(gg_str(pattern), texts[list.at[i]]), "%s", pattern);
    }
    gg_grams_free(&grams);
    gg_arena_free(&arena);
}

/* ---- index ---- */

static struct gg_arena arena;
static struct gg_names names;
static struct gg_name_index name_index;

static void open_index(void)
{
    gg_arena_init(&arena);
    gg_name_index_init(&name_index, &arena);
}

static void close_index(void)
{
    gg_name_index_free(&name_index);
    gg_arena_free(&arena);
}

TestSuite(index, .init = open_index, .fini = close_index);

/* Three frames: foo in libfoo, a C++ function by its readable name in libfoo, one unknown. */
static void collect(void)
{
    static struct gg_frame foo = {.ip = 1, .id = 0, .symbol = "foo", .object = "/l/libfoo.so"};
    static struct gg_frame bar = {.ip = 2,
                                  .id = 1,
                                  .symbol = "ns::bar(int)",
                                  .function = "ns::bar(int)",
                                  .object = "/l/libfoo.so"};
    static struct gg_frame none = {.ip = 3, .id = 2};
    static struct gg_frame *frames[] = {&foo, &bar, &none, &foo};
    static struct gg_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 4};
    static struct gg_finding finding = {.stacks = &stack, .stack_count = 1};
    static struct gg_report report = {.findings = &finding, .finding_count = 1};
    bool wanted[GG_PLACES] = {[GG_PLACE_SYMBOL] = true, [GG_PLACE_OBJECT] = true};
    gg_names_collect(&names, &arena, &report, wanted);
    gg_name_index_solve(&name_index, &names);
}

static uint32_t add(enum gg_place place, const char *text)
{
    struct gg_pattern pattern = {.place = place, .text = gg_str(text)};
    return gg_name_index_add(&name_index, &pattern);
}

/* How many frames have a name that the pattern fits. */
static uint64_t uses(uint32_t pattern)
{
    return name_index.fits[pattern].uses;
}

Test(index, tries_equal_patterns_once)
{
    uint32_t foo = add(GG_PLACE_SYMBOL, "foo");
    cr_expect_eq(add(GG_PLACE_SYMBOL, "foo"), foo);
    cr_expect_neq(add(GG_PLACE_OBJECT, "foo"), foo);
    cr_expect_neq(add(GG_PLACE_SYMBOL, "foo*"), foo);
    cr_expect_eq(name_index.patterns.len, 3);
}

Test(index, counts_the_frames_of_what_fits)
{
    uint32_t foo = add(GG_PLACE_SYMBOL, "f*"), lib = add(GG_PLACE_OBJECT, "*/libfoo.so*");
    uint32_t unknown = add(GG_PLACE_OBJECT, "???"), nothing = add(GG_PLACE_SYMBOL, "nothing");
    collect();
    cr_expect_eq(uses(foo), 2);
    cr_expect_eq(uses(lib), 3);
    cr_expect_eq(name_index.fits[unknown].count, 1);
    cr_expect_eq(uses(nothing), 0);
}

Test(index, takes_readable_names_for_what_they_mean)
{
    uint32_t mangled = add(GG_PLACE_SYMBOL, "_ZN2ns3barEi"), bare = add(GG_PLACE_SYMBOL, "ns::bar");
    uint32_t start = add(GG_PLACE_SYMBOL, "_ZN2ns3b*"),
             other = add(GG_PLACE_SYMBOL, "_ZN2ns3barEv");
    collect();
    cr_expect_eq(uses(mangled), 1);
    cr_expect_eq(uses(bare), 1);
    cr_expect_eq(uses(start), 1);
    cr_expect_eq(uses(other), 0);
}
