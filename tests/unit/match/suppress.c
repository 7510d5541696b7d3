#include "match/suppress.h"
#include "tree.h"

#include <criterion/criterion.h>

static struct gg_arena arena;
static char *dir;
static struct gg_suppressions *set;
static struct gg_error err;

static void open_set(void)
{
    gg_arena_init(&arena);
    dir = tree_new(&arena);
    set = gg_suppressions_new(&arena);
}

static void close_set(void)
{
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(suppress, .init = open_set, .fini = close_set);

static void load(const char *name, const char *text)
{
    const char *path = tree_write(&arena, dir, name, text, strlen(text));
    cr_assert(gg_suppressions_load(set, path, &err), "%s", err.text);
}

/* A read of four bytes in one function. */
static struct gg_finding read_in(const char *symbol)
{
    struct gg_frame *frame = gg_arena_alloc(&arena, sizeof *frame);
    *frame = (struct gg_frame){.ip = 1, .symbol = symbol, .object = "/p"};
    struct gg_frame **frames = gg_arena_alloc(&arena, sizeof *frames);
    frames[0] = frame;
    struct gg_stack *stack = gg_arena_alloc(&arena, sizeof *stack);
    *stack = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    return (struct gg_finding){.kind = GG_KIND_InvalidRead,
                               .message = "Invalid read of size 4",
                               .stacks = stack,
                               .stack_count = 1};
}

static void apply(struct gg_finding *findings, size_t count)
{
    struct gg_report report = {.findings = findings, .finding_count = count};
    gg_suppressions_apply(set, &report);
}

static const char *rule_of(const struct gg_finding *finding)
{
    return finding->rule ? finding->rule->id : "(none)";
}

#define RULE(name, frame) "{\n" name "\nMemcheck:Addr4\n" frame "\n}\n"

Test(suppress, the_first_in_reading_order_wins)
{
    load("1.supp", RULE("narrow", "fun:leaf") RULE("wide", "fun:l*"));
    load("2.supp", RULE("again", "fun:leaf") RULE("all", "fun:*"));
    struct gg_finding findings[] = {read_in("leaf"), read_in("lead"), read_in("other"),
                                    read_in("leaf")};
    apply(findings, 4);
    cr_expect_str_eq(rule_of(&findings[0]), "narrow");
    cr_expect_str_eq(rule_of(&findings[1]), "wide");
    cr_expect_str_eq(rule_of(&findings[2]), "all");
    cr_expect_str_eq(rule_of(&findings[3]), "narrow");
    static const uint64_t hits[] = {2, 1, 0, 1};
    size_t count;
    struct gg_rule **rules = gg_suppressions_rules(set, &count);
    cr_assert_eq(count, 4);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(rules[i]->hits, hits[i]);
        cr_expect_eq(rules[i]->state, hits[i] ? GG_RULE_USED : GG_RULE_UNUSED);
    }
}

Test(suppress, keeps_rules_that_findings_have)
{
    load("1.supp", RULE("all", "fun:*"));
    struct gg_rule other = {.id = "other"};
    struct gg_finding finding = read_in("leaf");
    finding.rule = &other;
    apply(&finding, 1);
    cr_expect_str_eq(rule_of(&finding), "other");
}

Test(suppress, leaves_fate_alone)
{
    load("1.supp", RULE("all", "fun:*"));
    struct gg_finding finding = read_in("leaf");
    finding.fate = GG_KNOWN;
    apply(&finding, 1);
    cr_expect_eq(finding.fate, GG_KNOWN);
}

Test(suppress, without_any_file)
{
    size_t count = 7;
    struct gg_finding finding = read_in("leaf");
    apply(&finding, 1);
    cr_expect_null(finding.rule);
    gg_suppressions_rules(set, &count);
    cr_expect_eq(count, 0);
}

/* Names for people do not match; those of a generated suppression do, when there is one a frame. */
Test(suppress, prefers_the_names_of_a_generated_suppression)
{
    load("1.supp", RULE("mangled", "fun:_ZN1a1fEv") RULE("unknown", "fun:???"));
    const char *const mangled[] = {"fun:_ZN1a1fEv", "fun:main"};
    const char *const object[] = {"obj:/p"};
    struct gg_finding findings[] = {read_in("a::f()"), read_in("a::f()"), read_in("a::f()"),
                                    read_in("a::f()")};
    findings[1].supp_frames = mangled;
    findings[1].supp_frame_count = 1;
    findings[2].supp_frames = mangled;
    findings[2].supp_frame_count = 2;
    findings[3].supp_frames = object;
    findings[3].supp_frame_count = 1;
    apply(findings, 4);
    cr_expect_null(findings[0].rule);
    cr_expect_str_eq(rule_of(&findings[1]), "mangled");
    cr_expect_null(findings[2].rule);
    cr_expect_str_eq(rule_of(&findings[3]), "unknown");
}

Test(suppress, takes_the_size_of_a_generated_suppression)
{
    load("1.supp", RULE("four", "fun:leaf"));
    struct gg_finding finding = read_in("leaf");
    finding.message = "Invalid read";
    apply(&finding, 1);
    cr_expect_null(finding.rule);
    finding.supp_kind = "Memcheck:Addr4";
    apply(&finding, 1);
    cr_expect_str_eq(rule_of(&finding), "four");
}

Test(suppress, takes_the_parameter_of_a_generated_suppression)
{
    load("1.supp", "{\nparam\nMemcheck:Param\nwrite(buf)\nfun:leaf\n}\n");
    struct gg_finding finding = read_in("leaf");
    finding.kind = GG_KIND_SyscallParam;
    finding.message = "Syscall param something";
    apply(&finding, 1);
    cr_expect_null(finding.rule);
    finding.supp_extra = "write(buf)";
    apply(&finding, 1);
    cr_expect_str_eq(rule_of(&finding), "param");
}

/* What cannot be told from an odd sentence is not the same as what a block leaves out. */
Test(suppress, takes_nothing_for_the_same_as_nothing)
{
    static const char text[] = "{\nfishy\nMemcheck:FishyValue\nfun:leaf\n}\n"
                               "{\nparam\nMemcheck:Param\n\0\nfun:leaf\n}\n";
    const char *path = tree_write(&arena, dir, "1.supp", text, sizeof text - 1);
    cr_assert(gg_suppressions_load(set, path, &err), "%s", err.text);
    struct gg_finding findings[] = {read_in("leaf"), read_in("leaf")};
    findings[0].kind = GG_KIND_FishyValue;
    findings[1].kind = GG_KIND_SyscallParam;
    apply(findings, 2);
    cr_expect_null(findings[0].rule);
    cr_expect_null(findings[1].rule);
}

Test(suppress, compares_bytes_that_are_not_utf8)
{
    load("1.supp", RULE("latin", "fun:caf\xe9"));
    struct gg_finding finding = read_in("caf\\xe9");
    apply(&finding, 1);
    cr_expect_str_eq(rule_of(&finding), "latin");
}

/* Found in several runs a finding is cut as in the one that shows most. */
Test(suppress, cuts_as_the_longest_of_several_runs)
{
    load("1.supp", RULE("two lines", "fun:leaf\nfun:nobody"));
    struct gg_run runs[] = {{.options = (const char *const[]){"--num-callers=1", NULL}},
                            {.options = (const char *const[]){"--num-callers=2", NULL}}};
    struct gg_witness witnesses[] = {{.run = 0}, {.run = 1}};
    struct gg_finding finding = read_in("leaf");
    finding.witnesses = witnesses;
    struct gg_report report = {
        .runs = runs, .run_count = 2, .findings = &finding, .finding_count = 1};
    finding.witness_count = 2;
    gg_suppressions_apply(set, &report);
    cr_expect_null(finding.rule);
    finding.witness_count = 1;
    gg_suppressions_apply(set, &report);
    cr_expect_str_eq(rule_of(&finding), "two lines");
}

/* Behind the twelfth line valgrind takes anything, unless it was told to look further. */
Test(suppress, a_wrong_line_far_down_only_matters_with_as_many_callers)
{
    char text[512] = "{\nlong\nMemcheck:Addr4\nfun:leaf\n";
    for (unsigned i = 0; i < 12; i++)
        strcat(text, "...\n");
    strcat(text, "nonsense\n}\n");
    load("1.supp", text);
    struct gg_run run = {.options = (const char *const[]){"--num-callers=13", NULL}};
    struct gg_witness witness = {.run = 0};
    struct gg_finding finding = read_in("leaf");
    finding.witnesses = &witness;
    finding.witness_count = 1;
    struct gg_report report = {
        .runs = &run, .run_count = 1, .findings = &finding, .finding_count = 1};
    gg_suppressions_apply(set, &report);
    cr_expect_str_eq(rule_of(&finding), "long");
    finding.rule = NULL;
    run.options = (const char *const[]){"--num-callers=14", NULL};
    gg_suppressions_apply(set, &report);
    cr_expect_null(finding.rule);
}
