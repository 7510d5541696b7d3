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
    struct gg_trace trace = {.frames = frames, .count = strlen(functions)};
    for (size_t i = 0; i < count; i++)
        wanted[i] = (struct gg_supp_frame){.place = pattern[i] == '.' ? GG_PLACE_ANY : GG_PLACE_FUN,
                                           .pattern = gg_str_n(pattern + i, 1)};
    for (size_t i = 0; i < trace.count; i++)
        frames[i] = (struct gg_trace_frame){.function = gg_str_n(functions + i, 1)};
    return gg_sequence_match(wanted, count, &trace);
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
