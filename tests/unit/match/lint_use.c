#include "linting.h"

#include "match/supp_uses.h"

TestSuite(lint_use, .init = open_set, .fini = close_set);

static struct gg_frame frames[] = {
    {.function = "malloc", .symbol = "malloc", .object = "/v/vgpreload.so", .zone = GG_ZONE_TOOL},
    {.function = "strdup", .symbol = "strdup", .object = "/l/libc.so.6", .zone = GG_ZONE_SYSTEM},
    {.function = "keep",
     .symbol = "keep",
     .object = "/r/p",
     .zone = GG_ZONE_OWN,
     .path = "src/keep.c",
     .line = 7},
    {.function = "foo", .symbol = "foo", .object = "/l/libfoo.so", .zone = GG_ZONE_THIRD_PARTY},
    {.function = "other", .symbol = "other", .object = "/l/libfoo.so"}};

static struct gg_finding leak(struct gg_frame *const *stack, size_t len, uint32_t run)
{
    struct gg_stack *own = gg_arena_alloc(&arena, sizeof *own);
    struct gg_witness *witness = gg_arena_alloc(&arena, sizeof *witness);
    *own = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = stack, .len = len};
    *witness = (struct gg_witness){.run = run, .count = 1, .bytes = 8, .blocks = 1};
    return (struct gg_finding){.kind = GG_KIND_Leak_DefinitelyLost,
                               .kind_name = "Leak_DefinitelyLost",
                               .message = "8 bytes in 1 block are definitely lost",
                               .is_leak = true,
                               .leak_bytes = 8,
                               .leak_blocks = 1,
                               .stacks = own,
                               .stack_count = 1,
                               .witnesses = witness,
                               .witness_count = 1,
                               .count = 1};
}

static struct gg_frame *const in_own[] = {&frames[0], &frames[1], &frames[2], &frames[3]};
static struct gg_frame *const in_foo[] = {&frames[0], &frames[3], &frames[2]};
static struct gg_frame *const in_other[] = {&frames[0], &frames[4]};

#define OWN(name, first)                                                                         \
    "# gg: owner=me\n{\n" name "\nMemcheck:Leak\nmatch-leak-kinds: definite\nfun:malloc\n" first \
    "}\n"
#define LEAK(name, first) \
    RULE(name, "Memcheck:Leak\nmatch-leak-kinds: definite", "fun:malloc\n" first)

static void apply(struct gg_report *report)
{
    gg_rules_apply(set, report);
    report->supp_uses = gg_supp_uses(&arena, report, &report->supp_use_count);
    lint(report);
}

Test(lint_use, of_what_rules_did)
{
    struct gg_run runs[] = {{.test = "one"}, {.test = "two"}, {.test = "two"}};
    struct gg_finding findings[] = {leak(in_own, 4, 0), leak(in_foo, 3, 1), leak(in_foo, 3, 2),
                                    leak(in_other, 2, 0)};
    load("x.supp", OWN("own", "fun:strdup\nfun:keep\n") LEAK("foo", "fun:foo\n")
                       LEAK("foo too", "fun:fo?\nfun:keep\n") LEAK("nobody", "fun:nobody\n"));
    load("pack:x", LEAK("spare", "fun:spare\n"));
    struct gg_report report = {
        .runs = runs, .run_count = 3, .findings = findings, .finding_count = 4};
    apply(&report);
    cr_expect_str_eq(kinds_of("own"), "no-reason own-code some-runs");
    cr_expect_str_eq(kinds_of("foo"), "some-runs");
    cr_expect_str_eq(kinds_of("foo too"), "shadowed!");
    cr_expect_str_eq(kinds_of("nobody"), "unused!");
    cr_expect_str_eq(kinds_of("spare"), "");
    cr_expect(strstr(find("own-code", "own")->text, "keep (src/keep.c:7)"));
    cr_expect(strstr(find("some-runs", "own")->text, "1 of 3 runs needs it (one)"));
    cr_expect(strstr(find("some-runs", "foo")->text, "2 of 3 runs need it (two)"));
    cr_expect(strstr(find("shadowed", "foo too")->text, "\"foo\" (x.supp:12)"));
}

/* A reason is what own-code asks for. */
Test(lint_use, of_own_code_with_a_reason)
{
    struct gg_run runs[] = {{.test = "one"}};
    struct gg_finding findings[] = {leak(in_own, 4, 0)};
    load("x.supp", LEAK("own", "fun:strdup\nfun:keep\n"));
    struct gg_report report = {
        .runs = runs, .run_count = 1, .findings = findings, .finding_count = 1};
    apply(&report);
    cr_expect_str_eq(kinds_of("own"), "");
}

Test(lint_use, of_a_duplicate_is_told_once)
{
    struct gg_run runs[] = {{.test = "one"}};
    struct gg_finding findings[] = {leak(in_foo, 3, 0)};
    load("x.supp", LEAK("foo", "fun:foo\n") LEAK("again", "fun:foo\n"));
    struct gg_report report = {
        .runs = runs, .run_count = 1, .findings = findings, .finding_count = 1};
    apply(&report);
    cr_expect_str_eq(kinds_of("again"), "duplicate!");
}

Test(lint_use, of_rules_for_some_tests)
{
    struct gg_run runs[] = {{.test = "alpha"}, {.test = "beta"}};
    struct gg_finding findings[] = {leak(in_foo, 3, 0), leak(in_own, 4, 0)};
    const struct gg_witness both[] = {{.run = 0, .count = 1}, {.run = 1, .count = 1}};
    findings[1].witnesses = both;
    findings[1].witness_count = 2;
    load("x.supp", "# gg: reason=r tests=alpha\n{\nfits\nMemcheck:Leak\nmatch-leak-kinds: "
                   "definite\nfun:malloc\nfun:foo\n}\n"
                   "# gg: reason=r tests=alpha\n{\nboth\nMemcheck:Leak\nmatch-leak-kinds: "
                   "definite\nfun:malloc\nfun:strdup\n}\n"
                   "# gg: reason=r tests=gamma\n{\nneither\nMemcheck:Leak\nmatch-leak-kinds: "
                   "definite\nfun:malloc\nfun:strdup\n}\n");
    struct gg_report report = {
        .runs = runs, .run_count = 2, .findings = findings, .finding_count = 2};
    apply(&report);
    cr_expect_str_eq(kinds_of("fits"), "", "that only some runs need it is what it says");
    const char *text = find("unused", "both")->text;
    cr_expect(strstr(text, "also shown by test beta, which the rule is not for"), "%s", text);
    cr_expect_null(strstr(text, "remove it"));
    text = find("unused", "neither")->text;
    cr_expect(strstr(text, "remove it"), "%s", text);
}

/* What is not there may be what the rule is for. */
Test(lint_use, of_rules_unused_in_reports_that_are_not_whole)
{
    struct gg_run cut[] = {{.end = GG_END_TRUNCATED}};
    load("x.supp", LEAK("nobody", "fun:nobody\n"));
    struct gg_report report = {.runs = cut, .run_count = 1};
    apply(&report);
    cr_expect_str_eq(kinds_of("nobody"), "unused!");
    cr_expect_null(strstr(find("unused", "nobody")->text, "remove it"));
}

Test(lint_use, of_rules_for_other_branches)
{
    struct gg_report report = {0};
    load("x.supp", "# gg: reason=r branches=release/*\n{\nelsewhere\nMemcheck:Cond\nfun:foo\n}\n");
    apply(&report);
    cr_expect_str_eq(kinds_of("elsewhere"), "unused");
}

/* What valgrind was given as well is in no report any more. */
Test(lint_use, of_what_valgrind_set_aside_itself)
{
    struct gg_suppcount first[] = {{"zlib", 2}, {"theirs", 1}}, second[] = {{"zlib", 3}};
    struct gg_run runs[] = {{.suppcounts = first, .suppcount_count = 2},
                            {0},
                            {.suppcounts = second, .suppcount_count = 1}};
    struct gg_report report = {.runs = runs, .run_count = 3};
    load("x.supp", RULE("zlib", "Memcheck:Cond", "fun:inflate\n")
                       RULE("unused", "Memcheck:Cond", "fun:foo\n"));
    apply(&report);
    cr_expect_str_eq(kinds_of("zlib"), "used-by-valgrind");
    cr_expect_str_eq(kinds_of("unused"), "unused!");
    cr_assert_eq(report.supp_use_count, 2);
    cr_expect_str_eq(report.supp_uses[0].name, "theirs");
    cr_expect_eq(report.supp_uses[0].count, 1);
    cr_expect_str_eq(report.supp_uses[1].name, "zlib");
    cr_expect_eq(report.supp_uses[1].count, 5);
    static const uint32_t seen[] = {0, 2};
    cr_assert_eq(report.supp_uses[1].run_count, 2);
    cr_expect_arr_eq(report.supp_uses[1].runs, seen, sizeof seen);
}
