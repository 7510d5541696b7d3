#include "match/sequence.h"

#include <criterion/criterion.h>
#include <string.h>

/* Frames and patterns as letters: 'a', 'b' a function, '.' any number of frames. */
static bool defined(const char *pattern, const char *trace)
{
    if (*pattern == '\0')
        return true; /* frames may be left over */
    if (*pattern == '.')
        return defined(pattern + 1, trace) || (*trace && defined(pattern, trace + 1));
    return *pattern == *trace && defined(pattern + 1, trace + 1);
}

static bool matches(const char *pattern, const char *functions)
{
    static struct gg_supp_frame wanted[600];
    static struct gg_trace_frame frames[600];
    size_t count = strlen(pattern);
    struct gg_trace trace = {.frames = frames, .count = strlen(functions), .callers = 500};
    for (size_t i = 0; i < count; i++)
        wanted[i] = (struct gg_supp_frame){.place = pattern[i] == '.' ? GG_PLACE_ANY : GG_PLACE_FUN,
                                           .pattern = gg_str_n(pattern + i, 1)};
    for (size_t i = 0; i < trace.count; i++)
        frames[i].names[GG_PLACE_SYMBOL] = gg_str_n(functions + i, 1);
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_supp supp = {.frames = wanted, .frame_count = count};
    enum gg_fit fit = gg_sequence_match(gg_entry_of_supp(&arena, &supp), &trace, NULL);
    gg_arena_free(&arena);
    return fit == GG_FIT_EXACT;
}

static const char *text_number(unsigned number, const char *letters, char *buffer)
{
    size_t base = strlen(letters), len = 0;
    for (; number > 0; number = (number - 1) / (unsigned)base)
        buffer[len++] = letters[(number - 1) % base];
    buffer[len] = '\0';
    return buffer;
}

Test(sequence, agrees_with_its_definition)
{
    char pattern[16], trace[16];
    for (unsigned p = 0; p < 3280; p++) {
        text_number(p, "ab.", pattern);
        if (strspn(pattern, ".") == strlen(pattern))
            continue; /* nothing but "..." is no suppression */
        for (unsigned t = 0; t < 127; t++) {
            text_number(t, "ab", trace);
            cr_assert_eq(matches(pattern, trace), defined(pattern, trace), "%s %s", pattern, trace);
        }
    }
}

Test(sequence, many_dots_take_no_time, .timeout = 10)
{
    char pattern[501] = "", trace[501] = "";
    for (size_t i = 0; i < 500; i += 2)
        memcpy(pattern + i, ".a", 2);
    pattern[499] = 'b';
    memset(trace, 'a', 500);
    cr_expect_not(matches(pattern, trace));
}

/* ---- what else steps ask ---- */

static struct gg_trace_frame frame_of(const char *function, const char *path)
{
    return (struct gg_trace_frame){.names = {[GG_PLACE_SYMBOL] = gg_str(function),
                                             [GG_PLACE_OBJECT] = gg_str("/p"),
                                             [GG_PLACE_FUNCTION] = gg_str(function),
                                             [GG_PLACE_PATH] = gg_str(path)}};
}

/* Four frames, the last of which no report shows. */
static struct gg_trace_frame four[4];
static struct gg_trace trace = {.frames = four, .count = 4, .shown = 3, .callers = 500};

static void set_four(void)
{
    four[0] = frame_of("malloc", "");
    four[1] = frame_of("make", "src/make.c");
    four[2] = frame_of("main", "src/main.c");
    four[3] = frame_of("(below main)", "");
}

static const struct gg_pattern make = {.place = GG_PLACE_FUNCTION,
                                       .text = {.ptr = "make", .len = 4}};
static const struct gg_pattern main_c[] = {
    {.place = GG_PLACE_FUNCTION, .text = {.ptr = "ma*", .len = 3}},
    {.place = GG_PLACE_PATH, .form = GG_PATTERN_GLOB, .text = {.ptr = "**/main.c", .len = 9}}};
static const struct gg_pattern program = {.place = GG_PLACE_OBJECT,
                                          .text = {.ptr = "/p", .len = 2}};

static bool meets(const struct gg_step *steps, size_t count, struct gg_reach *reach)
{
    struct gg_entry entry = {.steps = steps, .step_count = count};
    return gg_sequence_match(&entry, &trace, reach) == GG_FIT_EXACT;
}

Test(sequence, a_rule_without_steps_fits_every_stack)
{
    cr_expect(meets(NULL, 0, NULL));
}

Test(sequence, all_tests_of_a_step_are_of_one_frame, .init = set_four)
{
    struct gg_step step = {.skips = true, .patterns = main_c, .count = 2};
    cr_expect(meets(&step, 1, NULL));
    four[2] = frame_of("main", "src/other.c");
    four[1] = frame_of("other", "src/main.c");
    cr_expect_not(meets(&step, 1, NULL));
}

Test(sequence, a_step_may_have_to_be_near_the_top, .init = set_four)
{
    struct gg_step step = {.skips = true, .within = 2, .patterns = &make, .count = 1};
    cr_expect(meets(&step, 1, NULL));
    step.within = 1;
    cr_expect_not(meets(&step, 1, NULL));
}

Test(sequence, a_step_without_tests_is_any_frame, .init = set_four)
{
    struct gg_step steps[] = {{0}, {0}, {0}, {0}};
    cr_expect(meets(steps, 3, NULL));
    cr_expect_not(meets(steps, 4, NULL), "the fourth is not shown");
}

Test(sequence, what_is_not_shown_is_there_for_suppressions_only, .init = set_four)
{
    struct gg_step steps[] = {{.patterns = &program, .count = 1},
                              {.patterns = &program, .count = 1},
                              {.patterns = &program, .count = 1},
                              {.patterns = &program, .count = 1}};
    cr_expect_not(meets(steps, 4, NULL));
    struct gg_supp_frame frames[4];
    for (size_t i = 0; i < 4; i++)
        frames[i] = (struct gg_supp_frame){.place = GG_PLACE_OBJ, .pattern = gg_str("/p")};
    struct gg_supp supp = {.frames = frames, .frame_count = 4};
    struct gg_entry entry = {.supp = &supp, .steps = steps, .step_count = 4};
    cr_expect_eq(gg_sequence_match(&entry, &trace, NULL), GG_FIT_EXACT);
}

Test(sequence, says_how_far_it_got, .init = set_four)
{
    static const struct gg_pattern malloc_here = {.place = GG_PLACE_FUNCTION,
                                                  .text = {.ptr = "malloc", .len = 6}};
    static const struct gg_pattern other = {.place = GG_PLACE_FUNCTION,
                                            .text = {.ptr = "other", .len = 5}};
    struct gg_reach reach;
    struct gg_step steps[] = {{.patterns = &malloc_here, .count = 1},
                              {.patterns = &make, .count = 1},
                              {.patterns = &other, .count = 1}};
    cr_expect_not(meets(steps, 3, &reach));
    cr_expect(reach.met == 2 && reach.count == 3 && reach.frame == 2);
    cr_expect_not(meets(steps + 1, 2, &reach));
    cr_expect(reach.met == 0 && reach.count == 2 && reach.frame == 0);
    /* With what may lie between: "make" is met, "other" fails at the next frame. */
    steps[1].skips = true;
    cr_expect_not(meets(steps + 1, 2, &reach));
    cr_expect(reach.met == 1 && reach.frame == 2);
    /* The stack ends before it. */
    struct gg_step two[] = {{.skips = true, .patterns = main_c, .count = 2},
                            {.patterns = &other, .count = 1}};
    cr_expect_not(meets(two, 2, &reach));
    cr_expect(reach.met == 1 && reach.frame == 3);
    cr_expect(meets(steps, 2, &reach));
    cr_expect_eq(reach.met, 2);
}

/* ---- how many lines count ---- */

/* a, "...", b, c of a suppression. */
static size_t steps_with(unsigned callers, bool cut)
{
    static const struct gg_supp_frame frames[] = {{.place = GG_PLACE_FUN, .pattern = {"a", 1}},
                                                  {.place = GG_PLACE_ANY},
                                                  {.place = GG_PLACE_FUN, .pattern = {"b", 1}},
                                                  {.place = GG_PLACE_FUN, .pattern = {"c", 1}}};
    struct gg_supp supp = {.frames = frames, .frame_count = 4, .cut = cut};
    struct gg_arena arena;
    gg_arena_init(&arena);
    size_t count = gg_entry_steps(gg_entry_of_supp(&arena, &supp), callers);
    gg_arena_free(&arena);
    return count;
}

Test(sequence, as_many_lines_count_as_there_are_callers)
{
    cr_expect_eq(steps_with(12, false), 3);
    cr_expect_eq(steps_with(4, false), 3);
    cr_expect_eq(steps_with(3, false), 2);
    cr_expect_eq(steps_with(2, false), 1);
    cr_expect_eq(steps_with(1, false), 1);
    cr_expect_eq(steps_with(4, true), 3);
    cr_expect_eq(steps_with(5, true), SIZE_MAX);
}

Test(sequence, a_demangled_name_fits_about, .init = set_four)
{
    struct gg_supp_frame frame = {.place = GG_PLACE_FUN, .pattern = gg_str("_ZN2ns3barEi")};
    struct gg_supp supp = {.frames = &frame, .frame_count = 1};
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_entry *entry = gg_entry_of_supp(&arena, &supp);
    struct gg_trace guessed = trace;
    four[0] = frame_of("ns::bar(int)", "");
    cr_expect_eq(gg_sequence_match(entry, &guessed, NULL), GG_FIT_NONE);
    four[0].readable = guessed.readable = true;
    cr_expect_eq(gg_sequence_match(entry, &guessed, NULL), GG_FIT_APPROXIMATE);
    frame.pattern = gg_str("*");
    cr_expect_eq(gg_sequence_match(gg_entry_of_supp(&arena, &supp), &guessed, NULL), GG_FIT_EXACT);
    gg_arena_free(&arena);
}
