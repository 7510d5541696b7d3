#include "match/rules.h"
#include "base/vec.h"

#include <criterion/criterion.h>

#define DAY_2030_01_31 21945 /* date -ud 2030-01-31 +%s divided by 86400 */

static struct gg_arena arena;
static struct gg_rules *set;
static struct gg_error err;
static GG_VEC(struct gg_finding) findings;

static void open_set(void)
{
    struct gg_rules_context context = {.today = DAY_2030_01_31, .branch = "main"};
    gg_arena_init(&arena);
    set = gg_rules_new(&arena, &context);
}

static void close_set(void)
{
    gg_arena_free(&arena);
}

TestSuite(rules, .init = open_set, .fini = close_set);

static void load(const char *name, const char *text)
{
    cr_assert(gg_rules_add_supp(set, name, gg_str(text), &err), "%s", err.text);
}

static void load_json(const char *name, const char *rules)
{
    const char *text = gg_arena_printf(&arena, "{\"version\": 1, \"rules\": [%s]}", rules);
    cr_assert(gg_rules_add_json(set, name, gg_str(text), &err), "%s", err.text);
}

/* A read of four bytes in one function. */
static struct gg_finding read_in(const char *symbol)
{
    struct gg_frame *frame = gg_arena_alloc(&arena, sizeof *frame);
    *frame = (struct gg_frame){.ip = 1, .symbol = symbol, .function = symbol, .object = "/p"};
    struct gg_frame **frames = gg_arena_alloc(&arena, sizeof *frames);
    frames[0] = frame;
    struct gg_stack *stack = gg_arena_alloc(&arena, sizeof *stack);
    *stack = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    return (struct gg_finding){.kind = GG_KIND_InvalidRead,
                               .kind_name = "InvalidRead",
                               .message = "Invalid read of size 4",
                               .stacks = stack,
                               .stack_count = 1};
}

static void add(const char *symbol)
{
    *gg_vec_push(&arena, &findings) = read_in(symbol);
}

static void apply(void)
{
    struct gg_report report = {.findings = findings.at, .finding_count = findings.len};
    gg_rules_apply(set, &report);
}

static const char *name_of(const struct gg_rule *rule)
{
    return rule ? rule->id : "(none)";
}

static const char *rule_of(size_t finding)
{
    return name_of(findings.at[finding].rule);
}

static const struct gg_rule *rule_at(size_t index)
{
    size_t count;
    struct gg_rule **rules = gg_rules_list(set, &count);
    cr_assert_lt(index, count);
    return rules[index];
}

#define RULE(name, frame) "{\n" name "\nMemcheck:Addr4\n" frame "\n}\n"

/* --- which rule decides ----------------------------------------------------------------- */

Test(rules, the_first_in_reading_order_decides)
{
    load("1.supp", RULE("narrow", "fun:leaf") RULE("wide", "fun:l*"));
    load("2.supp", RULE("again", "fun:leaf") RULE("all", "fun:*"));
    add("leaf");
    add("lead");
    add("other");
    add("leaf");
    apply();
    cr_expect_str_eq(rule_of(0), "narrow");
    cr_expect_str_eq(rule_of(1), "wide");
    cr_expect_str_eq(rule_of(2), "all");
    cr_expect_str_eq(rule_of(3), "narrow");
}

Test(rules, of_both_kinds_stand_in_one_list)
{
    load_json("1.json", "{\"id\": \"json\", \"reason\": \"r\", \"match\": {\"frames\": "
                        "[{\"function\": \"^leaf$\"}]}}");
    load("1.supp", RULE("supp", "fun:l*"));
    add("leaf");
    add("lead");
    apply();
    cr_expect_str_eq(rule_of(0), "json");
    cr_expect_str_eq(rule_of(1), "supp");
    cr_expect_str_eq(rule_at(0)->file, "1.json");
    cr_expect_str_eq(rule_at(1)->file, "1.supp");
    cr_expect_eq(rule_at(1)->line, 2);
}

Test(rules, say_nothing_without_a_file)
{
    size_t count = 7;
    add("leaf");
    apply();
    cr_expect_null(findings.at[0].rule);
    gg_rules_list(set, &count);
    cr_expect_eq(count, 0);
}

Test(rules, leave_the_fate_alone)
{
    load("1.supp", RULE("all", "fun:*"));
    add("leaf");
    findings.at[0].fate = GG_KNOWN;
    apply();
    cr_expect_eq(findings.at[0].fate, GG_KNOWN);
}

Test(rules, of_a_file_that_is_refused_are_none)
{
    size_t count = 7;
    load("1.supp", RULE("kept", "fun:leaf"));
    cr_expect_not(
        gg_rules_add_supp(set, "2.supp", gg_str(RULE("lost", "fun:leaf") "{\n}\n"), &err));
    cr_expect(strncmp(err.text, "2.supp:7: ", 10) == 0, "%s", err.text);
    gg_rules_list(set, &count);
    cr_expect_eq(count, 1);
    err.set = false;
    cr_expect_not(gg_rules_add_json(set, "3.json", gg_str("{\"rules\": 1}"), &err));
    gg_rules_list(set, &count);
    cr_expect_eq(count, 1);
}

Test(rules, what_can_be_used_of_a_refused_file_can_be_had)
{
    static const char text[] = RULE("one", "fun:a") /* lines 1 to 5 */
        "{\nwrong\nMemcheck:Addr3\nfun:b\n}\n"      /* the kind: line 8 */
        RULE("two", "fun:c")                        /* 11 to 15 */
        "{\nempty\nMemcheck:Addr4\n}\n"             /* the end: line 19 */
        RULE("three", "fun:d");
    size_t count, faults;
    const struct gg_supp_fault *fault = gg_rules_salvage_supp(set, "x.supp", gg_str(text), &faults);
    gg_rules_list(set, &count);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(rule_at(0)->id, "one");
    cr_expect_str_eq(rule_at(1)->id, "two");
    cr_expect_str_eq(rule_at(2)->id, "three");
    cr_assert_eq(faults, 2);
    cr_expect_eq(fault[0].line, 8);
    cr_expect_eq(fault[1].line, 19);
}

/* --- names ------------------------------------------------------------------------------ */

/* Names for people match nearly; those of a generated suppression, one a frame, are exact. */
Test(rules, prefer_the_names_of_a_generated_suppression)
{
    load("1.supp", RULE("mangled", "fun:_ZN1a1fEv") RULE("unknown", "fun:???"));
    const char *const mangled[] = {"fun:_ZN1a1fEv", "fun:main"};
    const char *const object[] = {"obj:/p"};
    for (int i = 0; i < 4; i++)
        add("a::f()");
    findings.at[1].supp_frames = mangled;
    findings.at[1].supp_frame_count = 1;
    findings.at[2].supp_frames = mangled;
    findings.at[2].supp_frame_count = 2;
    findings.at[3].supp_frames = object;
    findings.at[3].supp_frame_count = 1;
    apply();
    cr_expect_str_eq(rule_of(0), "mangled");
    cr_expect(findings.at[0].approximate);
    cr_expect_str_eq(rule_of(1), "mangled");
    cr_expect_not(findings.at[1].approximate);
    cr_expect(findings.at[2].approximate, "two frames are generated for one");
    cr_expect_str_eq(rule_of(3), "unknown");
    cr_expect_not(findings.at[3].approximate);
}

Test(rules, take_the_size_of_a_generated_suppression)
{
    load("1.supp", RULE("four", "fun:leaf"));
    add("leaf");
    add("leaf");
    findings.at[0].message = findings.at[1].message = "Invalid read";
    findings.at[1].supp_kind = "Memcheck:Addr4";
    apply();
    cr_expect_null(findings.at[0].rule);
    cr_expect_str_eq(rule_of(1), "four");
}

Test(rules, take_the_parameter_of_a_generated_suppression)
{
    load("1.supp", "{\nparam\nMemcheck:Param\nwrite(buf)\nfun:leaf\n}\n");
    for (size_t i = 0; i < 2; i++) {
        add("leaf");
        findings.at[i].kind = GG_KIND_SyscallParam;
        findings.at[i].message = "Syscall param something";
    }
    findings.at[1].supp_extra = "write(buf)";
    apply();
    cr_expect_null(findings.at[0].rule);
    cr_expect_str_eq(rule_of(1), "param");
}

/* What cannot be told from an odd sentence is not the same as what a block leaves out. */
Test(rules, take_nothing_for_the_same_as_nothing)
{
    static const char text[] = "{\nfishy\nMemcheck:FishyValue\nfun:leaf\n}\n"
                               "{\nparam\nMemcheck:Param\n\0\nfun:leaf\n}\n";
    cr_assert(gg_rules_add_supp(set, "1.supp", gg_str_n(text, sizeof text - 1), &err), "%s",
              err.text);
    add("leaf");
    add("leaf");
    findings.at[0].kind = GG_KIND_FishyValue;
    findings.at[1].kind = GG_KIND_SyscallParam;
    apply();
    cr_expect_null(findings.at[0].rule);
    cr_expect_null(findings.at[1].rule);
}

Test(rules, compare_bytes_that_are_not_utf8)
{
    load("1.supp", RULE("latin", "fun:caf\xe9"));
    add("caf\\xe9");
    apply();
    cr_expect_str_eq(rule_of(0), "latin");
}

/* --- callers ---------------------------------------------------------------------------- */

static void apply_to_runs(const struct gg_run *runs, size_t count)
{
    struct gg_report report = {.runs = (struct gg_run *)runs,
                               .run_count = count,
                               .findings = findings.at,
                               .finding_count = findings.len};
    gg_rules_apply(set, &report);
}

/* Found in several runs a finding is cut as in the one that shows most. */
Test(rules, cut_as_the_longest_of_several_runs)
{
    load("1.supp", RULE("two lines", "fun:leaf\nfun:nobody"));
    struct gg_run runs[] = {{.options = (const char *const[]){"--num-callers=1", NULL}},
                            {.options = (const char *const[]){"--num-callers=2", NULL}}};
    struct gg_witness witnesses[] = {{.run = 0}, {.run = 1}};
    for (size_t i = 0; i < 2; i++) {
        add("leaf");
        findings.at[i].witnesses = witnesses;
        findings.at[i].witness_count = 2 - i;
    }
    apply_to_runs(runs, 2);
    cr_expect_null(findings.at[0].rule);
    cr_expect_str_eq(rule_of(1), "two lines");
}

/* Behind the twelfth line valgrind takes anything, unless it was told to look further. */
Test(rules, a_wrong_line_far_down_only_matters_with_as_many_callers)
{
    char text[512] = "{\nlong\nMemcheck:Addr4\nfun:leaf\n";
    for (unsigned i = 0; i < 12; i++)
        strcat(text, "...\n");
    strcat(text, "nonsense\n}\n");
    load("1.supp", text);
    struct gg_run runs[] = {{.options = (const char *const[]){"--num-callers=13", NULL}},
                            {.options = (const char *const[]){"--num-callers=14", NULL}}};
    struct gg_witness witnesses[] = {{.run = 0}, {.run = 1}};
    for (size_t i = 0; i < 2; i++) {
        add("leaf");
        findings.at[i].witnesses = &witnesses[i];
        findings.at[i].witness_count = 1;
    }
    apply_to_runs(runs, 2);
    cr_expect_str_eq(rule_of(0), "long");
    cr_expect_null(findings.at[1].rule);
}

/* --- rules that decide nothing ---------------------------------------------------------- */

Test(rules, end_behind_their_last_day)
{
    load("1.supp", "# gg: expires=2030-01-30\n" RULE(
                       "over", "fun:leaf") "# gg: expires=2030-01-31\n" RULE("today", "fun:leaf"));
    add("leaf");
    apply();
    cr_expect_str_eq(rule_of(0), "today");
    cr_expect_str_eq(name_of(findings.at[0].lapsed), "over");
    cr_expect_eq(rule_at(0)->state, GG_RULE_EXPIRED);
    cr_expect_eq(rule_at(0)->matches, 1);
    cr_expect_eq(rule_at(0)->hits, 0);
    cr_expect_null(rule_at(0)->shadow);
    cr_expect_eq(rule_at(1)->state, GG_RULE_USED);
}

Test(rules, that_are_over_and_behind_the_deciding_one_would_not_have_decided)
{
    load("1.supp", RULE("first", "fun:leaf") "# gg: expires=2029-12-31\n" RULE("over", "fun:l*"));
    add("leaf");
    add("lead");
    apply();
    cr_expect_null(findings.at[0].lapsed);
    cr_expect_null(findings.at[1].rule);
    cr_expect_str_eq(name_of(findings.at[1].lapsed), "over");
    cr_expect_eq(rule_at(1)->matches, 2);
}

Test(rules, that_are_malformed_decide_nothing_and_are_named)
{
    load("1.supp", "# gg: expires=soon\n" RULE("when", "fun:leaf"));
    load_json("1.json", "{\"id\": \"why\", \"match\": {\"frames\": [{\"function\": \"lead\"}]}}");
    add("leaf");
    add("lead");
    apply();
    cr_expect_null(findings.at[0].rule);
    cr_expect_null(findings.at[1].rule);
    cr_expect_str_eq(name_of(findings.at[0].lapsed), "when");
    cr_expect_str_eq(name_of(findings.at[1].lapsed), "why");
    cr_expect_eq(rule_at(0)->state, GG_RULE_MALFORMED);
    cr_expect_eq(rule_at(1)->state, GG_RULE_MALFORMED);
}

/* By hand: what a broken part asks may be met by anything, so only a guess is possible. */
Test(rules, that_are_malformed_where_they_ask_may_have_decided)
{
    load_json("1.json", "{\"id\": \"empty\", \"reason\": \"r\", \"match\": {}},\n"
                        "{\"id\": \"frames\", \"reason\": \"r\", \"match\": {\"frames\": ["
                        "{\"function\": \"^lea(\"}]}},\n"
                        "{\"id\": \"why\", \"match\": {\"frames\": [{\"function\": \"^lead$\"}]}}");
    load("1.supp", "# gg: tests=[\n" RULE("globs", "fun:l*") RULE("live", "fun:live"));
    add("leaf");
    add("lead");
    add("live");
    apply();
    cr_expect_str_eq(name_of(findings.at[0].lapsed), "frames");
    cr_expect_str_eq(name_of(findings.at[1].lapsed), "why", "what is known goes first");
    cr_expect_null(findings.at[2].lapsed, "one that is live decides");
    cr_expect_str_eq(rule_of(2), "live");
    cr_expect_eq(rule_at(1)->matches, 0, "a guess is no entry of the ledger");
    cr_expect_eq(rule_at(2)->matches, 1);
}

Test(rules, that_are_malformed_are_held_to_what_is_understood)
{
    load_json("1.json", "{\"id\": \"other\", \"reason\": \"r\", \"match\": {\"kinds\": [\"leak\"],"
                        " \"frames\": [{\"function\": \"(\"}]}},\n"
                        "{\"id\": \"half\", \"reason\": \"r\", \"match\": {\"frames\": ["
                        "{\"function\": \"^leaf$\", \"object\": \"(\"}]}}");
    add("leaf");
    add("lead");
    apply();
    cr_expect_str_eq(name_of(findings.at[0].lapsed), "half");
    cr_expect_null(findings.at[1].lapsed);
}

Test(rules, hold_on_their_branches)
{
    load("1.supp", "# gg: branches=release/*\n" RULE(
                       "elsewhere", "fun:leaf") "# gg: branches=main\n" RULE("here", "fun:leaf"));
    add("leaf");
    apply();
    cr_expect_str_eq(rule_of(0), "here");
    cr_expect_null(findings.at[0].lapsed);
    cr_expect_eq(rule_at(0)->matches, 0);
}

/* --- the ledger ------------------------------------------------------------------------- */

Test(rules, are_counted)
{
    load("1.supp", RULE("twice", "fun:leaf") RULE("behind", "fun:le*f") RULE("never", "fun:no")
                       RULE("both", "fun:l*"));
    struct gg_run runs[4] = {{0}};
    struct gg_witness first[] = {{.run = 1}, {.run = 3}}, second[] = {{.run = 0}, {.run = 3}};
    struct gg_witness third[] = {{.run = 2}};
    add("leaf");
    add("lead");
    add("leaf");
    findings.at[0].witnesses = first;
    findings.at[1].witnesses = third;
    findings.at[2].witnesses = second;
    findings.at[0].witness_count = findings.at[2].witness_count = 2;
    findings.at[1].witness_count = 1;
    findings.at[0].count = 5;
    findings.at[1].count = 1;
    findings.at[2].count = 7;
    apply_to_runs(runs, 4);
    static const struct {
        uint64_t hits, matches, occurrences;
        size_t runs;
        enum gg_rule_state state;
    } expected[] = {{2, 2, 12, 3, GG_RULE_USED},
                    {0, 2, 0, 0, GG_RULE_SHADOWED},
                    {0, 0, 0, 0, GG_RULE_UNUSED},
                    {1, 3, 1, 1, GG_RULE_USED}};
    for (size_t i = 0; i < 4; i++) {
        const struct gg_rule *rule = rule_at(i);
        cr_expect_eq(rule->hits, expected[i].hits, "%s", rule->id);
        cr_expect_eq(rule->matches, expected[i].matches, "%s", rule->id);
        cr_expect_eq(rule->occurrences, expected[i].occurrences, "%s", rule->id);
        cr_expect_eq(rule->run_count, expected[i].runs, "%s", rule->id);
        cr_expect_eq(rule->state, expected[i].state, "%s", rule->id);
    }
    static const uint32_t seen[] = {0, 1, 3};
    cr_expect_arr_eq(rule_at(0)->runs, seen, sizeof seen);
    cr_expect_eq(rule_at(3)->runs[0], 2);
    cr_expect_eq(rule_at(1)->shadow, rule_at(0));
    cr_expect_null(rule_at(3)->shadow);
}

/* Each finding is seen in all of many runs: a rule's list must not grow with both. */
Test(rules, list_every_run_once)
{
    enum { RUNS = 100, FINDINGS = 50 };
    static struct gg_run runs[RUNS];
    static struct gg_witness witnesses[RUNS];
    load("1.supp", RULE("all", "fun:*"));
    for (uint32_t i = 0; i < RUNS; i++)
        witnesses[i].run = i;
    for (size_t i = 0; i < FINDINGS; i++) {
        add("leaf");
        findings.at[i].witnesses = witnesses;
        findings.at[i].witness_count = RUNS;
    }
    apply_to_runs(runs, RUNS);
    cr_assert_eq(rule_at(0)->run_count, RUNS);
    for (uint32_t i = 0; i < RUNS; i++)
        cr_expect_eq(rule_at(0)->runs[i], i);
}
