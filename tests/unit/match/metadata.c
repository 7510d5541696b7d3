/* "# gg:" comments, and what they make of a suppression's rule. */
#include "match/metadata.h"
#include "base/fs.h"
#include "match/rule_file.h"
#include "match/supp.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gg_arena arena;

static void begin(void)
{
    gg_arena_init(&arena);
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(metadata, .init = begin, .fini = end);

static bool is(struct gg_str piece, const char *text)
{
    return text ? piece.ptr && gg_str_is(piece, text) : piece.ptr == NULL;
}

Test(metadata, reads_keys_and_values)
{
    static const struct {
        const char *line, *reason, *owner, *expires, *unknown;
    } rows[] = {
        {"# a comment", NULL, NULL, NULL, NULL},
        {"# gg:", NULL, NULL, NULL, NULL},
        {"#gg:reason=x", "x", NULL, NULL, NULL},
        {"# gg: reason=fixed upstream in 2.4 owner=net-team expires=2030-01-31",
         "fixed upstream in 2.4", "net-team", "2030-01-31", NULL},
        {"#\tgg:\towner=net \t reason=\"owner=me, \" expires=2030-01-31", "owner=me,", "net",
         "2030-01-31", NULL},
        {"# gg: reason=a = b, x=1 owner=net", "a = b, x=1", "net", NULL, NULL},
        {"# gg: reason=http://x/?id=1 owner=net", "http://x/?id=1", "net", NULL, NULL},
        {"# gg: reason=say reason:why", "say reason:why", NULL, NULL, NULL},
        {"# gg: owner=", NULL, "", NULL, NULL},
        {"# gg: owner= reason=x", "x", "", NULL, NULL},
        {"# gg: reason=one reason=two", "two", NULL, NULL, NULL},
        {"# gg: fixed upstream", NULL, NULL, NULL, "fixed"},
        {"# gg: reson=x", NULL, NULL, NULL, "reson=x"},
        {"# gg: reason=x expire=2030-01-31", "x", NULL, NULL, "expire=2030-01-31"},
        {"# gg: reason=as user=me, if=0 or cover=1", "as user=me, if=0 or cover=1", NULL, NULL,
         NULL},
        {"# gg: reason=x exipres=2030-01-31 y", "x", NULL, NULL, "exipres=2030-01-31"},
        {"# gg: reason=\"x\" y owner=net", "x", "net", NULL, "y"},
        {"# gg: reason=\"x owner=net", NULL, NULL, NULL, "\"x owner=net"},
        {"# gg: Reason=x", NULL, NULL, NULL, "Reason=x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gg_metadata said = {0};
        gg_metadata_read(&said, gg_str(rows[i].line));
        cr_expect(is(said.reason, rows[i].reason), "%s", rows[i].line);
        cr_expect(is(said.owner, rows[i].owner), "%s", rows[i].line);
        cr_expect(is(said.expires, rows[i].expires), "%s", rows[i].line);
        cr_expect(is(said.unknown, rows[i].unknown), "%s", rows[i].line);
    }
}

/* The rule of the last block of a file that begins with these lines. */
static struct gg_entry *describe(const char *lines)
{
    const char *text =
        gg_arena_printf(&arena, "%s\n{\n  the name\n  Memcheck:Cond\n  fun:f\n}\n", lines);
    struct gg_error err = {0};
    struct gg_supp_parser *parser = gg_supp_parser_new(&arena, "x.supp", gg_str(text));
    struct gg_supp *supp, *last = NULL;
    while ((supp = gg_supp_parse(parser, &err)))
        last = supp;
    cr_assert(last && !err.set, "%s", err.text);
    struct gg_entry *entry = gg_arena_alloc(&arena, sizeof *entry);
    entry->rule = last->rule;
    gg_rule_describe(&arena, last, entry);
    return entry;
}

Test(metadata, a_block_without_it_is_as_it_was)
{
    struct gg_entry *entry = describe("# gg: is not for this one: reason=x\n{\nn\n"
                                      "Memcheck:Cond\nfun:f\n}\n# plain");
    cr_expect_str_eq(entry->rule.id, "the name");
    cr_expect_null(entry->rule.reason);
    cr_expect_null(entry->rule.fault);
    cr_expect_null(entry->condition.tests);
    cr_expect_eq(entry->rule.action, GG_ACTION_SUPPRESS);
}

Test(metadata, says_what_a_json_rule_can_say)
{
    struct gg_entry *entry =
        describe("# gg: id=libfoo-cache reason=fixed upstream owner=net ticket=NET-12\n"
                 "# gg: expires=2030-01-31 action=downgrade tests=unit.*, slow branches=main");
    const struct gg_rule *rule = &entry->rule;
    cr_expect_null(rule->fault);
    cr_expect_str_eq(rule->id, "libfoo-cache");
    cr_expect_str_eq(rule->reason, "fixed upstream");
    cr_expect_str_eq(rule->owner, "net");
    cr_expect_str_eq(rule->ticket, "NET-12");
    cr_expect_str_eq(rule->expires, "2030-01-31");
    cr_expect_eq(rule->action, GG_ACTION_DOWNGRADE);
    cr_expect_eq(rule->line, 4);
    const struct gg_condition *condition = &entry->condition;
    cr_expect(gg_str_is(condition->tests[0], "unit.*"));
    cr_expect(gg_str_is(condition->tests[1], "slow"));
    cr_expect_eq(condition->tests[2].len, 0);
    cr_expect(gg_str_is(condition->branches[0], "main"));
    cr_expect_eq(condition->branches[1].len, 0);
    cr_expect_not(condition->any);
    cr_expect(describe("# gg: action=fail")->condition.any);
    cr_expect(describe("# gg: action=upgrade")->condition.any);
}

Test(metadata, reads_the_example_of_the_manual)
{
    struct gg_str text;
    struct gg_error err = {0};
    cr_assert(gg_fs_read(&arena, GG_TESTS "/../docs/rules.md", 1 << 20, &text, &err), "%s",
              err.text);
    size_t from = gg_str_find(text, "```\n# gg:");
    cr_assert_neq(from, SIZE_MAX);
    text = gg_str_n(text.ptr + from + 4, text.len - from - 4);
    text.len = gg_str_find(text, "```");
    struct gg_supp *supp = gg_supp_parse(gg_supp_parser_new(&arena, "docs/rules.md", text), &err);
    cr_assert(supp, "%s", err.text);
    struct gg_entry entry = {.rule = supp->rule};
    gg_rule_describe(&arena, supp, &entry);
    cr_expect_null(entry.rule.fault, "%s", entry.rule.fault);
    cr_expect_str_eq(entry.rule.id, "libfoo-cache");
    cr_expect_str_eq(entry.rule.reason, "fixed upstream in 2.4");
    cr_expect_str_eq(entry.rule.ticket, "NET-12");
    cr_expect_eq(entry.rule.action, GG_ACTION_DOWNGRADE);
    cr_expect(gg_str_is(entry.condition.tests[1], "slow.*"));
}

Test(metadata, bytes_that_are_no_text_are_made_visible)
{
    cr_expect_str_eq(describe("# gg: reason=tw\xF6\x1b[31m")->rule.reason, "tw\\xf6\\x1b[31m");
}

Test(metadata, what_cannot_be_understood_makes_it_malformed)
{
    static const struct {
        const char *lines, *fault;
        enum gg_action action;
    } rows[] = {
        {"# gg: expires=2030-02-30", "\"expires\": \"2030-02-30\" is no day", GG_ACTION_SUPPRESS},
        {"# gg: expires=soon", "\"expires\": \"soon\" is no day", GG_ACTION_SUPPRESS},
        {"# gg: expires=", "\"expires=\" says nothing", GG_ACTION_SUPPRESS},
        {"# gg: expire=2030-01-31", "did you mean \"expires=\"?", GG_ACTION_SUPPRESS},
        {"# gg: reason=x exipres=2030-01-31", "did you mean \"expires=\"?", GG_ACTION_SUPPRESS},
        {"# gg: hello", "\"hello\" is no key of a \"# gg:\" comment: write", GG_ACTION_FAIL},
        {"# gg: hello action=suppress", "\"hello\" is no key", GG_ACTION_SUPPRESS},
        {"# gg: reason=\"x", "the quote of \"x is not closed", GG_ACTION_FAIL},
        {"# gg: owners=a acton=fail", "did you mean \"owner=\"?", GG_ACTION_FAIL},
        {"# gg: ownr=a fail", "did you mean \"owner=\"?", GG_ACTION_FAIL},
        {"# gg: reason=why,expires=2020-01-01", "write expires=YYYY-MM-DD", GG_ACTION_SUPPRESS},
        {"# gg: reason=why until: 2020-01-01", "write expires=YYYY-MM-DD", GG_ACTION_SUPPRESS},
        {"# gg: action=supress", "\"supress\" is no action: did you mean \"suppress\"?",
         GG_ACTION_SUPPRESS},
        {"# gg: action=upgarde", "did you mean \"upgrade\"?", GG_ACTION_UPGRADE},
        /* It may have been one that makes findings count. */
        {"# gg: action=explode", "\"explode\" is no action: write", GG_ACTION_FAIL},
        {"# gg: acton=explode", "did you mean \"action=\"?", GG_ACTION_FAIL},
        {"# gg: tests=[x", "\"tests\": the glob \"[x\" has a [ without its ]", GG_ACTION_SUPPRESS},
        {"# gg: branches=main,,x", "\"branches\": the glob \"\" is empty", GG_ACTION_SUPPRESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gg_entry *entry = describe(rows[i].lines);
        cr_assert_not_null(entry->rule.fault, "%s", rows[i].lines);
        cr_expect(strstr(entry->rule.fault, rows[i].fault), "%s: %s", rows[i].lines,
                  entry->rule.fault);
        cr_expect_eq(entry->rule.action, rows[i].action, "%s", rows[i].lines);
        cr_expect_eq(entry->rule.state, GG_RULE_MALFORMED, "%s", rows[i].lines);
    }
}

Test(metadata, days)
{
    /* by date -u -d 2030-01-31 +%s, divided by 86400 */
    static const struct {
        const char *text;
        int64_t day;
    } days[] = {{"1970-01-01", 0},      {"2000-02-29", 11016},   {"2000-03-01", 11017},
                {"2030-01-31", 21945},  {"2024-12-31", 20088},   {"1969-12-31", -1},
                {"1900-03-01", -25508}, {"9999-12-31", 2932896}, {"0001-01-01", -719162}};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        int64_t day = 7;
        cr_expect(gg_rule_day(gg_str(days[i].text), &day), "%s", days[i].text);
        cr_expect_eq(day, days[i].day, "%s", days[i].text);
    }
    static const char *const wrong[] = {
        "",           "2030-1-31",  "2030-01-32", "2030-00-10",  "2030-13-01",
        "2030-02-29", "1900-02-29", "30-01-31",   "2030-01-31x", "2030/01/31",
        "0000-01-01", "2030-04-31", " 2030-01-3", "+030-01-31"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t day;
        cr_expect_not(gg_rule_day(gg_str(wrong[i]), &day), "%s", wrong[i]);
    }
}
