/* What a rule asks beside frames, of findings made by hand. */
#include "match/condition.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gg_arena arena;
static struct gg_run runs[3];
static struct gg_report report;
static struct gg_frame frames[4];
static struct gg_frame *list[4];
static struct gg_stack stack;
static struct gg_witness witnesses[2];
static struct gg_finding finding;
static struct gg_condition condition;
static struct gg_condition_context context;
static const char *why;

static const char *const fast[] = {"./prog", "--fast", "a b", NULL};
static const char *const slow[] = {"./prog", "--slow", NULL};

/* A leak of 16 bytes in 2 blocks, seen in unit.a and unit.b; its second frame is own code. */
static void begin(void)
{
    gg_arena_init(&arena);
    runs[0] = (struct gg_run){.test = "unit.a", .command = fast, .source = "a.xml"};
    runs[1] = (struct gg_run){.test = "unit.b", .command = slow, .source = "b.xml"};
    runs[2] = (struct gg_run){.command = &fast[3], .source = "c.xml"};
    report = (struct gg_report){.runs = runs, .run_count = 3};
    for (size_t i = 0; i < 4; i++) {
        frames[i] = (struct gg_frame){.zone = GG_ZONE_SYSTEM};
        list[i] = &frames[i];
    }
    frames[0].zone = GG_ZONE_TOOL;
    frames[1].zone = GG_ZONE_OWN;
    stack = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = list, .len = 4};
    witnesses[0] = (struct gg_witness){.run = 0, .count = 1, .bytes = 16, .blocks = 2};
    witnesses[1] = (struct gg_witness){.run = 1, .count = 1, .bytes = 16, .blocks = 2};
    finding = (struct gg_finding){.kind = GG_KIND_Leak_DefinitelyLost,
                                  .is_leak = true,
                                  .leak_bytes = 16,
                                  .leak_blocks = 2,
                                  .message = "bytes are definitely lost",
                                  .stacks = &stack,
                                  .stack_count = 1,
                                  .witnesses = witnesses,
                                  .witness_count = 2};
    condition = (struct gg_condition){.bytes = {0, UINT64_MAX}, .blocks = {0, UINT64_MAX}};
    context = (struct gg_condition_context){.report = &report, .branch = gg_str("release/2.1")};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(condition, .init = begin, .fini = end);

static bool holds(void)
{
    bool silent = gg_condition_holds(&condition, &finding, &context, &arena, NULL);
    why = "";
    bool told = gg_condition_holds(&condition, &finding, &context, &arena, &why);
    cr_expect_eq(silent, told);
    return told;
}

static bool says(const char *text)
{
    return strstr(why, text) != NULL;
}

static struct gg_regex *regex(const char *text)
{
    struct gg_error err = {0};
    struct gg_regex *made = gg_regex_new(&arena, gg_str(text), &err);
    cr_assert(made, "%s", err.text);
    return made;
}

Test(condition, one_that_asks_nothing_holds)
{
    condition = (struct gg_condition){0};
    cr_expect(holds());
}

Test(condition, kinds)
{
    bool kinds[GG_KINDS] = {[GG_KIND_InvalidRead] = true};
    condition.kinds = kinds;
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the rule is not for errors of the kind Leak_DefinitelyLost");
    kinds[GG_KIND_Leak_DefinitelyLost] = true;
    cr_expect(holds());
}

Test(condition, message)
{
    condition.message = regex("definitely");
    cr_expect(holds());
    condition.message = regex("^possibly");
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the message does not match ^possibly");
}

Test(condition, sizes_of_leaks)
{
    condition.sized = true;
    cr_expect(holds());
    condition.bytes = (struct gg_range){16, 16};
    condition.blocks = (struct gg_range){2, 2};
    cr_expect(holds());
    condition.bytes = (struct gg_range){32, UINT64_MAX};
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the leak has 16 bytes, the rule asks for 32 at least");
    condition.bytes = (struct gg_range){0, 15};
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the leak has 16 bytes, the rule asks for 15 at most");
    condition.bytes = (struct gg_range){0, UINT64_MAX};
    condition.blocks = (struct gg_range){0, 1};
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the leak has 2 blocks, the rule asks for 1 at most");
    finding.is_leak = false;
    condition.blocks = condition.bytes;
    cr_expect_not(holds());
    cr_expect(says("this is no leak"));
}

/* In one run it grew beyond what the rule is for, in another it is smaller. */
Test(condition, every_sighting_must_have_the_size)
{
    condition.sized = true;
    condition.bytes = (struct gg_range){10, 100};
    witnesses[1].bytes = finding.leak_bytes = 200;
    cr_expect_not(holds());
    cr_expect(says("200 bytes"));
    witnesses[1].bytes = 4;
    finding.leak_bytes = 16;
    cr_expect_not(holds());
    cr_expect(says("4 bytes"));
    witnesses[1].copy = true;
    cr_expect(holds(), "a forked child's copy is no sighting");
    finding.witness_count = 0;
    cr_expect(holds(), "nothing is known of runs");
    finding.leak_bytes = 9;
    cr_expect_not(holds());
}

Test(condition, own_code_within)
{
    condition.own_within = 2;
    cr_expect(holds());
    condition.own_within = 1;
    cr_expect_not(holds());
    cr_expect_str_eq(why, "no frame of the innermost 1 is this repository's own code");
    frames[1].zone = GG_ZONE_THIRD_PARTY;
    condition.own_within = 100;
    cr_expect_not(holds());
    stack.role = GG_ROLE_FREED;
    frames[1].zone = GG_ZONE_OWN;
    cr_expect_not(holds(), "only the error's own stack counts");
}

Test(condition, tests_must_cover_every_sighting)
{
    const struct gg_str some[] = {gg_str("unit.a"), gg_str("slow.*"), {0}};
    const struct gg_str all[] = {gg_str("slow.*"), gg_str("unit.?"), {0}};
    condition.tests = all;
    cr_expect(holds());
    condition.tests = some;
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the rule is not for the test unit.b");
    condition.any = true;
    cr_expect(holds(), "one that makes more of it needs one sighting");
    condition.any = false;
    condition.tests = all;
    condition.test = regex("[.]b$");
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the test's name unit.a does not match [.]b$");
    condition.test = regex("^unit");
    cr_expect(holds());
    witnesses[1].run = 2;
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the rule is for some tests, and c.xml is of none");
    finding.witness_count = 0;
    cr_expect_not(holds());
}

Test(condition, commands_are_joined_by_blanks)
{
    condition.command = regex("^\\./prog --(fast a b|slow)$");
    cr_expect(holds());
    condition.command = regex("--fast");
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the command ./prog --slow does not match --fast");
    condition.any = true;
    cr_expect(holds());
    witnesses[0].run = witnesses[1].run = 2;
    cr_expect_not(holds());
    cr_expect(says("c.xml is not known"));
}

Test(condition, branches)
{
    const struct gg_str globs[] = {gg_str("main"), gg_str("release/*"), {0}};
    condition.branches = globs;
    cr_expect(holds());
    context.branch = gg_str("topic/x");
    cr_expect_not(holds());
    cr_expect_str_eq(why, "the rule is for other branches than topic/x");
    context.branch = (struct gg_str){0};
    cr_expect_not(holds());
    cr_expect(says("it is not known which one this is"));
}

/* A thousand findings with two messages in two tests: two runs each, and none for other kinds. */
Test(condition, expressions_run_once_a_distinct_text)
{
    bool kinds[GG_KINDS] = {[GG_KIND_Leak_DefinitelyLost] = true};
    condition.kinds = kinds;
    condition.message = regex("lost");
    condition.test = regex("unit");
    condition.command = regex("prog");
    for (unsigned i = 0; i < 1000; i++) {
        finding.message = i % 2 ? "bytes are lost" : "bytes are possibly lost";
        finding.kind = i % 3 ? GG_KIND_Leak_DefinitelyLost : GG_KIND_InvalidRead;
        cr_assert_eq(holds(), i % 3 != 0);
    }
    cr_expect_eq(gg_regex_runs(condition.message), 2);
    cr_expect_eq(gg_regex_runs(condition.test), 2);
    cr_expect_eq(gg_regex_runs(condition.command), 2);
}
