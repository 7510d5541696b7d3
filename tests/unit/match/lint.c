#include "match/lint.h"
#include "base/out.h"
#include "match/supp_uses.h"

#include <criterion/criterion.h>

#define DAY_2030_01_31 21945 /* date -ud 2030-01-31 +%s divided by 86400 */

static struct gg_arena arena;
static struct gg_rules *set;
static struct gg_concern *concerns;
static size_t concern_count;

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

TestSuite(lint, .init = open_set, .fini = close_set);

static void load(const char *name, const char *text)
{
    struct gg_error err = {0};
    cr_assert(gg_rules_add_supp(set, name, gg_str(text), &err), "%s", err.text);
}

static void load_json(const char *rules)
{
    struct gg_error err = {0};
    const char *text = gg_arena_printf(&arena, "{\"version\": 1, \"rules\": [\n%s]}", rules);
    cr_assert(gg_rules_add_json(set, "x.json", gg_str(text), &err), "%s", err.text);
}

static void lint(const struct gg_report *report)
{
    size_t count;
    struct gg_entry **entries = gg_rules_entries(set, &count);
    concerns = gg_lint(&arena, entries, count, report, &concern_count);
}

static const struct gg_concern *find(const char *kind, const char *id)
{
    for (size_t i = 0; i < concern_count; i++) {
        const char *of = concerns[i].id ? concerns[i].id : "";
        if (strcmp(concerns[i].kind, kind) == 0 && strcmp(of, id) == 0)
            return &concerns[i];
    }
    return NULL;
}

/* The kinds of all concerns of a rule, in order, with "!" behind a fault: "broad placeholder". */
static const char *kinds_of(const char *id)
{
    const char *kinds = "";
    for (size_t i = 0; i < concern_count; i++) {
        if (concerns[i].id && strcmp(concerns[i].id, id) == 0)
            kinds = gg_arena_printf(&arena, "%s%s%s%s", kinds, kinds[0] ? " " : "",
                                    concerns[i].kind, concerns[i].fault ? "!" : "");
    }
    return kinds;
}

#define WHY "# gg: reason=known\n"
#define RULE(name, kind, frames) WHY "{\n" name "\n" kind "\n" frames "}\n"

/* --- a rule by itself ------------------------------------------------------------------- */

static const struct {
    const char *text;
    const char *kinds;
} cases[] = {
    {RULE("n", "Memcheck:Cond", "fun:inflate\n"), ""},
    {RULE("n", "Memcheck:Cond", "fun:inflate\nfun:*\n"), ""},
    {RULE("n", "Memcheck:Cond", "fun:malloc\nobj:*/libfoo.so*\n"), ""},

    /* a name that says nothing */
    {RULE("<insert_a_suppression_name_here>", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("insert_a_suppression_name_here", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("<name>", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("TODO", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("<a name in brackets>", "Memcheck:Cond", "fun:inflate\n"), ""},
    {RULE("todo list of libfoo", "Memcheck:Cond", "fun:inflate\n"), ""},

    /* any code */
    {RULE("n", "Memcheck:Cond", "fun:*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "fun:???\nobj:*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "obj:/usr/lib*/*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "...\nobj:*/lib*.so*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "fun:_*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "obj:*/libz.so*\n"), ""},
    {RULE("n", "Memcheck:Cond", "obj:/lib*/ld-2.*so*\n"), ""},
    {RULE("n", "Memcheck:Param\nwrite(buf)", "fun:*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:malloc\n"), "broad"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:*alloc\n...\nfun:main\n"),
     "broad"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:_Znwm\nfun:*\n"), "broad"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:_Zn*\nobj:*\n"), "broad"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:malloc\nfun:g_malloc\n"), ""},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: possible",
          "obj:*/vgpreload_memcheck-amd64-linux.so\n"),
     "broad"},
    {RULE("n", "Memcheck:Cond", "...\nfun:inflate\n"), "starts-anywhere"},
    {"# gg: reason=known action=fail\n{\nn\nMemcheck:Cond\nfun:*\n}\n", ""},

    /* leaks */
    {RULE("n", "Memcheck:Leak", "fun:malloc\nfun:g_malloc\n"), "all-leaks"},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: reachable", "fun:malloc\nfun:g_malloc\n"), ""},
    {RULE("n", "Memcheck:Leak\nmatch-leak-kinds: none", "fun:malloc\nfun:g_malloc\n"),
     "never-matches!"},

    /* nothing at all */
    {RULE("n", "memcheck:Cond", "fun:inflate\n"), "never-matches!"},
    {RULE("n", "MyMemcheck,Memcheck:Cond", "fun:inflate\n"), "never-matches!"},
    {RULE("n", "Helgrind:Cond", "fun:inflate\n"), "never-matches!"},
    {RULE("n", "Memcheck:CoreMem", "fun:inflate\n"), "never-matches!"},
    {RULE("n", "Memcheck:Cond", "fun: inflate\n"), "never-matches!"},
    {RULE("n", "Memcheck:Cond", "fun:inflate\nfun:\n"), "never-matches!"},
    {RULE("n", "Memcheck:Cond", "fun:inflate\nobj:libz.so\n"), "never-matches!"},
    {RULE("n", "Memcheck:Cond", "fun:inflate\nobj:???\n"), ""},
    {RULE("n", "Memcheck:FishyValue", "fun:malloc\nfun:table\n"), "crashes!"},
    {RULE("n", "Memcheck:FishyValue\nmalloc(size)", "fun:malloc\nfun:table\n"), ""},
    {RULE("n", "Memcheck:Cond", "fun:ns::table\n"), "demangled"},
    {RULE("n", "Memcheck:Cond", "fun:table(int)\n"), "demangled"},
    {RULE("n", "Memcheck:Cond", "fun:table\nfun:(below main)\n"), ""},
    {RULE("n", "Memcheck:Cond", "fun:operator new(unsigned long)\nfun:table\n"), "demangled"},
    {RULE("n", "Memcheck:Cond", "fun:operator()\nfun:table<std::pair<int, int> >\n"), ""},

    /* more than valgrind looks at */
    {RULE("n", "Memcheck:Cond",
          "fun:a00\nfun:a01\nfun:a02\nfun:a03\nfun:a04\nfun:a05\nfun:a06\n"
          "fun:a07\nfun:a08\nfun:a09\nfun:a10\nfun:a11\n"),
     ""},
    {RULE("n", "Memcheck:Cond",
          "fun:a00\nfun:a01\nfun:a02\nfun:a03\nfun:a04\nfun:a05\nfun:a06\n"
          "fun:a07\nfun:a08\nfun:a09\nfun:a10\nfun:a11\nfun:a12\n"),
     "long"},
};

Test(lint, of_one_block)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        close_set();
        open_set();
        load("x.supp", cases[i].text);
        lint(NULL);
        size_t count;
        const char *id = gg_rules_list(set, &count)[0]->id;
        cr_expect_str_eq(kinds_of(id), cases[i].kinds, "%s is: %s", cases[i].text, kinds_of(id));
    }
}

Test(lint, of_rules_in_json)
{
    load_json("{\"id\": \"any\", \"reason\": \"r\", \"match\": {\"kinds\": [\"leak\"]}},\n"
              "{\"id\": \"more\", \"reason\": \"r\", \"action\": \"upgrade\","
              " \"match\": {\"kinds\": [\"leak\"]}},\n"
              "{\"id\": \"dot\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"^.*[a-z]+\\\\w\"}]}},\n"
              "{\"id\": \"alloc\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"alloc$\"}]}},\n"
              "{\"id\": \"foo\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"^foo_(get|put)\"}]}},\n"
              "{\"id\": \"test\", \"reason\": \"r\", \"tests\": [\"slow.*\"],"
              " \"match\": {\"kinds\": [\"leak\"]}},\n"
              "{\"id\": \"mute\", \"match\": {\"frames\": [{\"function\": \"^foo\"}]}}");
    lint(NULL);
    cr_expect_str_eq(kinds_of("any"), "no-anchor");
    cr_expect_str_eq(kinds_of("more"), "");
    cr_expect_str_eq(kinds_of("dot"), "no-anchor");
    cr_expect_str_eq(kinds_of("alloc"), "broad");
    cr_expect_str_eq(kinds_of("foo"), "");
    cr_expect_str_eq(kinds_of("test"), "");
    cr_expect_str_eq(kinds_of("mute"), "malformed!");
    cr_expect_eq(find("malformed", "mute")->line, 8);
}

Test(lint, of_the_last_day)
{
    load("x.supp", "# gg: reason=r expires=2030-01-30\n{\nover\nMemcheck:Cond\nfun:foo\n}\n"
                   "# gg: reason=r expires=2030-01-31\n{\ntoday\nMemcheck:Cond\nfun:bar\n}\n");
    lint(NULL);
    cr_expect_str_eq(kinds_of("over"), "expired!");
    cr_expect_str_eq(kinds_of("today"), "");
    cr_expect(strstr(find("expired", "over")->text, "2030-01-30"));
}

/* --- rules beside each other ------------------------------------------------------------ */

Test(lint, of_two_that_ask_for_the_same)
{
    load("a.supp", RULE("first", "Memcheck:Cond", "fun:foo\n...\nobj:*/libfoo.so\n")
                       RULE("other kind", "Memcheck:Jump", "fun:foo\n...\nobj:*/libfoo.so\n"));
    load("b.supp", RULE("again", "Memcheck:Cond", "fun:foo\n...\n...\nobj:*/libfoo.so\n...\n")
                       RULE("shorter", "Memcheck:Cond", "fun:foo\nobj:*/libfoo.so\n")
                           RULE("place", "Memcheck:Cond", "obj:foo\n...\nobj:*/libfoo.so\n"));
    lint(NULL);
    cr_expect_str_eq(kinds_of("first"), "");
    cr_expect_str_eq(kinds_of("other kind"), "");
    cr_expect_str_eq(kinds_of("again"), "duplicate!");
    cr_expect_str_eq(kinds_of("shorter"), "");
    const struct gg_concern *concern = find("duplicate", "again");
    cr_expect_str_eq(concern->file, "b.supp");
    cr_expect_eq(concern->line, 3);
    cr_expect(strstr(concern->text, "\"first\" (a.supp:3)"), "%s", concern->text);
}

Test(lint, of_two_that_differ_in_what_else_they_ask)
{
    load("a.supp",
         RULE("write", "Memcheck:Param\nwrite(buf)",
              "fun:foo\n") RULE("read", "Memcheck:Param\nread(buf)", "fun:foo\n")
             RULE("possible", "Memcheck:Leak\nmatch-leak-kinds: possible", "fun:foo\n") RULE(
                 "reachable", "Memcheck:Leak\nmatch-leak-kinds: reachable",
                 "fun:foo\n") "# gg: reason=r tests=slow.*\n{\nslow\nMemcheck:Cond\nfun:foo\n}\n"
                              "# gg: reason=r branches=main\n{\nmain\nMemcheck:Cond\nfun:foo\n}\n");
    load_json("{\"id\": \"small\", \"reason\": \"r\","
              " \"match\": {\"bytes\": {\"max\": 8}, \"frames\": [{\"function\": \"foo\"}]}},\n"
              "{\"id\": \"large\", \"reason\": \"r\","
              " \"match\": {\"bytes\": {\"max\": 9}, \"frames\": [{\"function\": \"foo\"}]}},\n"
              "{\"id\": \"near\", \"reason\": \"r\", \"match\": {\"frames\":"
              " [{\"function\": \"foo\", \"within\": 2}]}},\n"
              "{\"id\": \"far\", \"reason\": \"r\", \"match\": {\"frames\":"
              " [{\"function\": \"foo\", \"within\": 3}]}},\n"
              "{\"id\": \"twin\", \"reason\": \"r\", \"match\": {\"frames\":"
              " [{\"function\": \"foo\", \"within\": 3}]}}");
    lint(NULL);
    cr_assert_eq(concern_count, 1);
    cr_expect_str_eq(concerns[0].kind, "duplicate");
    cr_expect_str_eq(concerns[0].id, "twin");
}

/* One that is over has been replaced, and was no duplicate before. */
Test(lint, of_one_that_was_renewed)
{
    load("x.supp", "# gg: reason=r expires=2029-01-01\n{\nold\nMemcheck:Cond\nfun:foo\n}\n"
                   "# gg: reason=r expires=2031-01-01\n{\nnew\nMemcheck:Cond\nfun:foo\n}\n");
    lint(NULL);
    cr_expect_str_eq(kinds_of("new"), "");
}

Test(lint, of_two_of_one_name)
{
    load("a.supp", RULE("twin", "Memcheck:Cond", "fun:foo\n"));
    load("b.supp", RULE("twin", "Memcheck:Cond", "fun:bar\n"));
    lint(NULL);
    cr_assert_eq(concern_count, 1);
    cr_expect_str_eq(concerns[0].kind, "same-name");
    cr_expect_not(concerns[0].fault);
    cr_expect_str_eq(concerns[0].file, "b.supp");
    cr_expect(strstr(concerns[0].text, "a.supp:3"));
}

Test(lint, of_reasons_once_a_file)
{
    load("a.supp",
         "{\none\nMemcheck:Cond\nfun:foo\n}\n" RULE(
             "two", "Memcheck:Cond", "fun:bar\n") "{\nthree\nMemcheck:Cond\nfun:baz\n}\n");
    load("b.supp", "{\nfour\nMemcheck:Cond\nfun:foo4\n}\n");
    lint(NULL);
    cr_assert_eq(concern_count, 2);
    cr_expect_str_eq(concerns[0].kind, "no-reason");
    cr_expect_eq(concerns[0].line, 2);
    cr_expect_null(concerns[0].id);
    cr_expect(gg_str_starts(gg_str(concerns[0].text), "2 of 3 rules"), "%s", concerns[0].text);
    cr_expect_str_eq(concerns[1].id, "four");
    cr_expect(gg_str_starts(gg_str(concerns[1].text), "1 of 1 rules"), "%s", concerns[1].text);
}

Test(lint, stands_in_the_order_of_the_files)
{
    load("b.supp", RULE("x", "Memcheck:Cond", "fun:*\n") RULE("y", "Memcheck:Jump", "fun:*\n"));
    load("a.supp", RULE("z", "Memcheck:User", "fun:*\n"));
    lint(NULL);
    cr_assert_eq(concern_count, 3);
    cr_expect_str_eq(concerns[0].id, "z");
    cr_expect_str_eq(concerns[1].id, "x");
    cr_expect_str_eq(concerns[2].id, "y");
}

Test(lint, leaves_out_what_is_brought_along)
{
    load("pack:foo", "{\n<name>\nMemcheck:Cond\nfun:*\n}\n");
    load("a.supp", RULE("x", "Memcheck:Cond", "fun:*\n"));
    lint(NULL);
    cr_assert_eq(concern_count, 1);
    cr_expect_str_eq(concerns[0].file, "a.supp");
}

/* --- rules that were applied ------------------------------------------------------------ */

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

#define LEAK(name, first) \
    RULE(name, "Memcheck:Leak\nmatch-leak-kinds: definite", "fun:malloc\n" first)

static void apply(struct gg_report *report)
{
    gg_rules_apply(set, report);
    report->supp_uses = gg_supp_uses(&arena, report, &report->supp_use_count);
    lint(report);
}

Test(lint, of_what_rules_did)
{
    struct gg_run runs[] = {{.test = "one"}, {.test = "two"}, {.test = "two"}};
    struct gg_finding findings[] = {leak(in_own, 4, 0), leak(in_foo, 3, 1), leak(in_foo, 3, 2),
                                    leak(in_other, 2, 0)};
    load("x.supp", LEAK("own", "fun:strdup\nfun:keep\n") LEAK("foo", "fun:foo\n")
                       LEAK("foo too", "fun:fo?\nfun:keep\n") LEAK("nobody", "fun:nobody\n"));
    load("pack:x", LEAK("spare", "fun:spare\n"));
    struct gg_report report = {
        .runs = runs, .run_count = 3, .findings = findings, .finding_count = 4};
    apply(&report);
    cr_expect_str_eq(kinds_of("own"), "own-code some-runs");
    cr_expect_str_eq(kinds_of("foo"), "some-runs");
    cr_expect_str_eq(kinds_of("foo too"), "shadowed!");
    cr_expect_str_eq(kinds_of("nobody"), "unused!");
    cr_expect_str_eq(kinds_of("spare"), "");
    cr_expect(strstr(find("own-code", "own")->text, "keep (src/keep.c:7)"));
    cr_expect(strstr(find("some-runs", "own")->text, "1 of 3 runs need it (one)"));
    cr_expect(strstr(find("some-runs", "foo")->text, "2 of 3 runs need it (two)"));
    cr_expect(strstr(find("shadowed", "foo too")->text, "\"foo\" (x.supp:12)"));
}

Test(lint, of_rules_for_other_branches)
{
    struct gg_report report = {0};
    load("x.supp", "# gg: reason=r branches=release/*\n{\nelsewhere\nMemcheck:Cond\nfun:foo\n}\n");
    apply(&report);
    cr_expect_str_eq(kinds_of("elsewhere"), "unused");
}

/* What valgrind was given as well is in no report any more. */
Test(lint, of_what_valgrind_set_aside_itself)
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

/* As many rules as a distribution's list has, each compared with all the others. */
Test(lint, of_very_many)
{
    struct gg_out *out = gg_out_memory();
    for (unsigned i = 0; i < 20000; i++)
        gg_out_printf(out, "{\nrule %u\nMemcheck:Cond\nfun:function_%u\n}\n", i, i % 19999);
    size_t len;
    char *text = gg_out_take(out, &len);
    load("x.supp", text);
    lint(NULL);
    cr_assert_eq(concern_count, 2);
    cr_expect_str_eq(concerns[0].kind, "no-reason");
    cr_expect_str_eq(concerns[1].kind, "duplicate");
    cr_expect_str_eq(concerns[1].id, "rule 19999");
    free(text);
}
