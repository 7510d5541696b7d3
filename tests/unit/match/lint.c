#include "linting.h"

#include "base/out.h"

TestSuite(lint, .init = open_set, .fini = close_set);

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
    {RULE("no name", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("suppression", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {RULE("Suppression 12", "Memcheck:Cond", "fun:inflate\n"), "placeholder"},
    {"# gg: reason=TODO\n{\nn\nMemcheck:Cond\nfun:inflate\n}\n", "placeholder"},
    {"# gg: reason=tbd.\n{\nn\nMemcheck:Cond\nfun:inflate\n}\n", "placeholder"},
    {"# gg: reason=todo list of libfoo\n{\nn\nMemcheck:Cond\nfun:inflate\n}\n", ""},
    {RULE("suppression of libfoo", "Memcheck:Cond", "fun:inflate\n"), ""},
    {RULE("<a name in brackets>", "Memcheck:Cond", "fun:inflate\n"), ""},
    {RULE("todo list of libfoo", "Memcheck:Cond", "fun:inflate\n"), ""},

    /* any code */
    {RULE("n", "Memcheck:Cond", "fun:*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "fun:???\nobj:*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "obj:/usr/lib*/*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "...\nobj:*/lib*.so*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "fun:_*\n"), "no-anchor"},
    {RULE("n", "Memcheck:Cond", "fun:f\n"), ""},
    {RULE("n", "Memcheck:Cond", "fun:f?\n"), "no-anchor"},
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
    /* worse where nobody said why */
    {"{\nn\nMemcheck:Cond\nfun:*\n}\n", "no-anchor! no-reason"},
    {"{\nn\nMemcheck:Leak\nmatch-leak-kinds: possible\nfun:malloc\n}\n", "broad! no-reason"},
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
              "{\"id\": \"mute\", \"match\": {\"frames\": [{\"function\": \"^foo\"}]}},\n"
              "{\"id\": \"short\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"^f$\"}]}},\n"
              "{\"id\": \"dots\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"^..$\"}]}}");
    lint(NULL);
    cr_expect_str_eq(kinds_of("any"), "no-anchor");
    cr_expect_str_eq(kinds_of("more"), "");
    cr_expect_str_eq(kinds_of("dot"), "no-anchor");
    cr_expect_str_eq(kinds_of("alloc"), "broad");
    cr_expect_str_eq(kinds_of("foo"), "");
    cr_expect_str_eq(kinds_of("test"), "");
    cr_expect_str_eq(kinds_of("mute"), "malformed!");
    cr_expect_str_eq(kinds_of("short"), "");
    cr_expect_str_eq(kinds_of("dots"), "no-anchor");
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

Test(lint, of_two_of_one_id_in_json)
{
    load_json("{\"id\": \"twin\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"foo\"}]}},\n"
              "{\"id\": \"twin\", \"reason\": \"r\","
              " \"match\": {\"frames\": [{\"function\": \"bar\"}]}}");
    lint(NULL);
    cr_expect_str_eq(kinds_of("twin"), "malformed!");
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

Test(lint, marks_rules_with_the_kinds_of_their_concerns)
{
    load("x.supp",
         RULE("TODO", "Memcheck:Cond", "fun:*\n")
             RULE("fine", "Memcheck:Cond",
                  "fun:foo\n") "# gg: reason=todo\n{\nsuppression\nMemcheck:Cond\nfun:malloc\n}\n");
    size_t count;
    struct gg_entry **entries = gg_rules_entries(set, &count);
    gg_lint_mark(&arena, entries, count, NULL);
    const char *const *kinds = entries[0]->rule.concerns;
    cr_assert_not_null(kinds);
    cr_expect_str_eq(kinds[0], "no-anchor");
    cr_expect_str_eq(kinds[1], "placeholder");
    cr_expect_null(kinds[2]);
    cr_expect_null(entries[1]->rule.concerns);
    kinds = entries[2]->rule.concerns;
    cr_assert_not_null(kinds);
    cr_expect_str_eq(kinds[0], "broad");
    cr_expect_str_eq(kinds[1], "placeholder", "its name and its reason: once");
    cr_expect_null(kinds[2]);
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
