#include "match/trace.h"
#include "match/supp.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct gg_trace_options options(const char *const *list)
{
    struct gg_run run = {.options = list};
    return gg_trace_options(&run);
}

#define OPTIONS(...) options((const char *const[]){__VA_ARGS__, NULL})

Test(trace, reads_the_options_that_count)
{
    cr_expect_eq(OPTIONS("--xml=yes").callers, 12);
    cr_expect_eq(OPTIONS("--num-callers=40", "--num-callers=7").callers, 7);
    cr_expect_eq(OPTIONS("--num-callers=501").callers, GG_CALLERS_MAX);
    cr_expect_eq(OPTIONS("--num-callers=x").callers, 12);
    cr_expect_eq(OPTIONS("--num-callers=99999999999999999999").callers, 12);
    cr_expect_eq(options(NULL).callers, GG_CALLERS_MAX);
    cr_expect(OPTIONS("--show-below-main=yes").shows_below_main);
    cr_expect_not(OPTIONS("--show-below-main=yes", "--show-below-main=no").shows_below_main);
}

/* The trace of frames as "function@object ... file:line ...". */
static const char *text_of(struct gg_frame *const *frames, size_t count,
                           struct gg_trace_options with, const char *libc)
{
    static char text[1024];
    struct gg_stack stacks[] = {{.role = GG_ROLE_ALLOCATED},
                                {.role = GG_ROLE_ERROR, .frames = frames, .len = count}};
    struct gg_witness witness = {0};
    struct gg_finding finding = {
        .stacks = stacks, .stack_count = 2, .witnesses = &witness, .witness_count = 1};
    struct gg_trace_setting setting = {
        .runs = &with, .run_count = 1, .libc = libc, .program = "/program"};
    struct gg_trace trace = {0};
    gg_trace_set(&trace, &finding, &setting);
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < trace.count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s@%s ",
                                trace.frames[i].names[GG_PLACE_SYMBOL].ptr,
                                trace.frames[i].names[GG_PLACE_OBJECT].ptr);
    for (size_t i = 0; i < trace.count; i++) {
        struct gg_str file = trace.frames[i].names[GG_PLACE_SOURCE];
        len += (size_t)snprintf(text + len, sizeof text - len, "%.*s:%u ", (int)file.len, file.ptr,
                                trace.frames[i].line);
    }
    gg_trace_free(&trace);
    return text;
}

static struct gg_frame in_main = {.ip = 9, .symbol = "main", .object = "/p"};

Test(trace, names_what_is_unknown_and_undoes_spellings)
{
    struct gg_frame unknown = {.ip = 1};
    struct gg_frame odd = {.ip = 2, .symbol = "f\\x1b", .object = "/caf\\xe9", .file = "\\xff.c"};
    struct gg_frame *frames[] = {&unknown, &odd};
    cr_expect_str_eq(text_of(frames, 2, (struct gg_trace_options){.callers = 12}, "/libc.so.6"),
                     "???@??? f\x1b@/caf\xe9 :0 \xff.c:0 ");
}

Test(trace, has_one_source_an_address)
{
    struct gg_frame inner = {.ip = 1, .symbol = "i", .object = "/p", .file = "i.c", .line = 1};
    struct gg_frame outer = {.ip = 1, .symbol = "o", .object = "/p", .file = "o.c", .line = 2};
    struct gg_frame again = {.ip = 2, .symbol = "r", .object = "/p", .file = "r.c", .line = 3};
    struct gg_frame *frames[] = {&inner, &outer, &inner, &outer, &again, &again};
    cr_expect_str_eq(text_of(frames, 6, (struct gg_trace_options){.callers = 12}, "/libc.so.6"),
                     "i@/p o@/p i@/p o@/p r@/p r@/p i.c:1 i.c:1 r.c:3 r.c:3 :0 :0 ");
}

Test(trace, goes_on_below_main)
{
    struct gg_frame leaf = {.ip = 1, .symbol = "leaf", .object = "/p"};
    struct gg_frame *frames[] = {&leaf, &in_main};
    cr_expect_str_eq(text_of(frames, 2, (struct gg_trace_options){.callers = 12}, "/l/libc.so.6"),
                     "leaf@/p main@/p (below main)@/l/libc.so.6 "
                     "__libc_start_main@@GLIBC_2.34@/l/libc.so.6 (below main)@/p :0 :0 :0 :0 :0 ");
    cr_expect_str_eq(
        text_of(frames, 2, (struct gg_trace_options){.callers = 12}, "/l/libc-2.31.so"),
        "leaf@/p main@/p (below main)@/l/libc-2.31.so (below main)@/p :0 :0 :0 :0 ");
    cr_expect_str_eq(text_of(frames, 2, (struct gg_trace_options){.callers = 3}, "/l/libc.so.6"),
                     "leaf@/p main@/p (below main)@/l/libc.so.6 :0 :0 :0 ");
    cr_expect_str_eq(text_of(frames, 2, (struct gg_trace_options){.callers = 2}, "/l/libc.so.6"),
                     "leaf@/p main@/p :0 :0 ");
    cr_expect_str_eq(text_of(frames, 2,
                             (struct gg_trace_options){.callers = 12, .shows_below_main = true},
                             "/l/libc.so.6"),
                     "leaf@/p main@/p :0 :0 ");
    cr_expect_str_eq(text_of(frames, 1, (struct gg_trace_options){.callers = 12}, "/l/libc.so.6"),
                     "leaf@/p :0 ");
    cr_expect_str_eq(text_of(frames, 0, (struct gg_trace_options){.callers = 12}, "/l/libc.so.6"),
                     "");
}

/* As valgrind shows them with --show-below-main=yes: run `program`, `program a`, `program a b`. */
Test(trace, goes_on_behind_the_beginning)
{
    const char *none[] = {"p", NULL}, *one[] = {"p", "a", NULL}, *two[] = {"p", "a", "b", NULL};
    cr_expect_eq(gg_trace_options(&(struct gg_run){.command = none}).strays, 2);
    cr_expect_eq(gg_trace_options(&(struct gg_run){.command = one}).strays, 5);
    cr_expect_eq(gg_trace_options(&(struct gg_run){.command = two}).strays, 6);
    cr_expect_eq(gg_trace_options(&(struct gg_run){0}).strays, 0);
    struct gg_frame *frames[] = {&in_main};
    cr_expect_str_eq(
        text_of(frames, 1, (struct gg_trace_options){.callers = 12, .strays = 2}, "/libc-2.31.so"),
        "main@/p (below main)@/libc-2.31.so (below main)@/p ???@??? ???@??? :0 :0 :0 :0 :0 ");
    cr_expect_str_eq(
        text_of(frames, 1, (struct gg_trace_options){.callers = 4, .strays = 5}, "/libc-2.31.so"),
        "main@/p (below main)@/libc-2.31.so (below main)@/p ???@??? :0 :0 :0 :0 ");
}

/* Stacks without main end with what calls it, or with the program's beginning. */
Test(trace, goes_on_where_there_is_no_main)
{
    struct gg_frame call = {.ip = 1, .symbol = "(below main)", .object = "/l/libc.so.6"};
    struct gg_frame begin = {.ip = 2, .symbol = "(below main)", .object = "/p"};
    struct gg_frame *calls[] = {&call}, *begins[] = {&begin};
    struct gg_trace_options options = {.callers = 12, .strays = 2};
    cr_expect_str_eq(text_of(calls, 1, options, "/l/libc.so.6"),
                     "(below main)@/l/libc.so.6 __libc_start_main@@GLIBC_2.34@/l/libc.so.6 "
                     "(below main)@/program ???@??? ???@??? :0 :0 :0 :0 :0 ");
    cr_expect_str_eq(text_of(begins, 1, options, "/l/libc.so.6"),
                     "(below main)@/p ???@??? ???@??? :0 :0 :0 ");
}

Test(trace, takes_the_libc_of_the_report)
{
    struct gg_frame curl = {.object = "/usr/lib/libcurl.so.4"};
    struct gg_frame libc = {.object = "/opt/lib/libc-2.28.so"};
    struct gg_frame *frames[] = {&in_main, &curl, &libc};
    struct gg_stack stacks[] = {{.role = GG_ROLE_ERROR, .frames = frames, .len = 2},
                                {.role = GG_ROLE_FREED, .frames = frames, .len = 3}};
    struct gg_finding finding = {.stacks = stacks, .stack_count = 2};
    struct gg_report report = {.findings = &finding, .finding_count = 1};
    cr_expect_str_eq(gg_trace_libc(&report), "/opt/lib/libc-2.28.so");
    finding.stack_count = 1;
    cr_expect_str_eq(gg_trace_libc(&report), "/usr/lib/x86_64-linux-gnu/libc.so.6");
}
