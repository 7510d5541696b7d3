/* JSON rules: what is read, what is malformed, what is refused, and where. */
#include "match/rule_file.h"
#include "base/fs.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gg_arena arena;
static gg_entry_list entries;

static void begin(void)
{
    gg_arena_init(&arena);
    entries = (gg_entry_list){0};
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(rule_file, .init = begin, .fini = end);

static void parse(const char *text)
{
    struct gg_error err = {0};
    entries.len = 0;
    cr_assert(gg_rule_file_parse(&arena, "r.json", gg_str(text), &entries, &err), "%s", err.text);
}

/* The only rule of a file, from its members. */
static const struct gg_entry *parse_rule(const char *members)
{
    parse(gg_arena_printf(&arena, "{\"version\": 1, \"rules\": [{%s}]}", members));
    cr_assert_eq(entries.len, 1);
    return entries.at[0];
}

#define NAMED "\"id\": \"a\", \"reason\": \"r\", "

static const struct gg_entry *parse_match(const char *match)
{
    return parse_rule(gg_arena_printf(&arena, NAMED "\"match\": %s", match));
}

Test(rule_file, reads_everything_that_a_rule_can_say)
{
    parse("{\"version\": 1, \"rules\": [\n"
          "  {\"id\": \"libfoo-cache\", \"reason\": \"freed by nobody\", \"owner\": \"net\",\n"
          "   \"ticket\": \"NET-12\", \"expires\": \"2030-01-31\", \"action\": \"upgrade\",\n"
          "   \"branches\": [\"main\", \"release/*\"], \"tests\": [\"unit.*\"],\n"
          "   \"match\": {\"kinds\": [\"leak\", \"InvalidRead\"], \"message\": \"size [48]\",\n"
          "     \"test\": \"^unit\", \"command\": \"--fast\", \"own_within\": 3,\n"
          "     \"bytes\": {\"min\": 16, \"max\": 32}, \"blocks\": {\"max\": 2},\n"
          "     \"frames\": [{\"function\": \"^foo_\", \"object\": \"libfoo\", \"within\": 5},\n"
          "                {\"file\": \"bar[.]c$\", \"path\": \"src/**\"}]}}]}\n");
    cr_assert_eq(entries.len, 1);
    const struct gg_rule *rule = &entries.at[0]->rule;
    cr_expect_null(rule->fault);
    cr_expect_eq(rule->state, GG_RULE_UNUSED);
    cr_expect_str_eq(rule->id, "libfoo-cache");
    cr_expect_str_eq(rule->reason, "freed by nobody");
    cr_expect_str_eq(rule->owner, "net");
    cr_expect_str_eq(rule->ticket, "NET-12");
    cr_expect_str_eq(rule->expires, "2030-01-31");
    cr_expect_str_eq(rule->file, "r.json");
    cr_expect_eq(rule->line, 2);
    cr_expect_eq(rule->action, GG_ACTION_UPGRADE);
    const struct gg_condition *condition = &entries.at[0]->condition;
    cr_expect(condition->any);
    cr_expect(gg_str_is(condition->branches[1], "release/*"));
    cr_expect_eq(condition->branches[2].len, 0);
    cr_expect(gg_str_is(condition->tests[0], "unit.*"));
    cr_expect(condition->kinds[GG_KIND_Leak_PossiblyLost]);
    cr_expect(condition->kinds[GG_KIND_InvalidRead]);
    cr_expect_not(condition->kinds[GG_KIND_InvalidWrite]);
    cr_expect_str_eq(gg_regex_text(condition->message).ptr, "size [48]");
    cr_expect_str_eq(gg_regex_text(condition->test).ptr, "^unit");
    cr_expect_str_eq(gg_regex_text(condition->command).ptr, "--fast");
    cr_expect_eq(condition->own_within, 3);
    cr_expect(condition->sized);
    cr_expect_eq(condition->bytes.min, 16);
    cr_expect_eq(condition->bytes.max, 32);
    cr_expect_eq(condition->blocks.min, 0);
    cr_expect_eq(condition->blocks.max, 2);
}

Test(rule_file, frames_become_steps)
{
    const struct gg_entry *entry = parse_match(
        "{\"frames\": [{\"within\": 5, \"function\": \"^foo_\", \"object\": \"libfoo\"},"
        "{\"file\": \"bar[.]c$\"}, {\"path\": \"src/**\"}]}");
    cr_expect_null(entry->rule.fault);
    cr_assert_eq(entry->step_count, 3);
    const struct gg_step *steps = entry->steps;
    cr_expect(steps[0].skips && steps[1].skips && steps[2].skips);
    cr_expect_eq(steps[0].within, 5);
    cr_assert_eq(steps[0].count, 2);
    cr_expect_eq(steps[0].patterns[0].place, GG_PLACE_FUNCTION);
    cr_expect_eq(steps[0].patterns[0].form, GG_PATTERN_REGEX);
    cr_expect_str_eq(gg_regex_text(steps[0].patterns[0].regex).ptr, "^foo_");
    cr_expect_eq(steps[0].patterns[1].place, GG_PLACE_OBJECT);
    cr_expect_eq(steps[1].within, 0);
    cr_expect_eq(steps[1].patterns[0].place, GG_PLACE_FILE);
    cr_expect_eq(steps[2].patterns[0].place, GG_PLACE_PATH);
    cr_expect_eq(steps[2].patterns[0].form, GG_PATTERN_GLOB);
    cr_expect(gg_str_is(steps[2].patterns[0].text, "src/**"));
}

Test(rule_file, what_is_not_said_is_not_asked)
{
    const struct gg_entry *entry = parse_match("{\"kinds\": [\"race\"]}");
    cr_expect_eq(entry->rule.action, GG_ACTION_SUPPRESS);
    cr_expect_null(entry->rule.owner);
    cr_expect_null(entry->rule.expires);
    cr_expect_not(entry->condition.any);
    cr_expect_not(entry->condition.sized);
    cr_expect_null(entry->condition.message);
    cr_expect_null(entry->condition.tests);
    cr_expect_eq(entry->step_count, 0);
}

Test(rule_file, each_group_has_the_kinds_of_its_name)
{
    const struct gg_entry *entry = parse_match("{\"kinds\": [\"free\"]}");
    for (unsigned kind = 0; kind < GG_KINDS; kind++)
        cr_expect_eq(entry->condition.kinds[kind], gg_kind_table[kind].group == GG_GROUP_free);
    static const char *const groups[] = {"access", "value", "leak",  "free", "call",
                                         "fd",     "race",  "crash", "other"};
    for (size_t i = 0; i < 9; i++) {
        entry = parse_match(gg_arena_printf(&arena, "{\"kinds\": [\"%s\"]}", groups[i]));
        cr_expect_null(entry->rule.fault, "%s", groups[i]);
    }
}

Test(rule_file, malformed_rules_say_what_to_do)
{
    static const struct {
        const char *members, *fault;
    } rows[] = {
        {"\"reason\": \"r\", \"match\": {\"kinds\": [\"leak\"]}", "\"id\" is missing"},
        {"\"id\": \"\", \"reason\": \"r\", \"match\": {\"kinds\": [\"leak\"]}",
         "\"id\" must be a text that is not empty"},
        {"\"id\": 7, \"reason\": \"r\", \"match\": {\"kinds\": [\"leak\"]}",
         "\"id\" must be a text that is not empty"},
        {"\"id\": \"a\", \"match\": {\"kinds\": [\"leak\"]}", "\"reason\" is missing"},
        {NAMED "\"match\": {}", "\"match\" asks for nothing, so it would match everything"},
        {"\"id\": \"a\", \"reason\": \"r\"", "\"match\" is missing"},
        {NAMED "\"match\": []", "\"match\" must be an object"},
        {NAMED "\"macth\": {}", "unknown key \"macth\": did you mean \"match\"?"},
        {NAMED "\"severity\": 1, \"match\": {\"kinds\": [\"leak\"]}",
         "unknown key \"severity\": take it out"},
        {NAMED "\"owner\": null, \"match\": {\"kinds\": [\"leak\"]}", "\"owner\" must be a text"},
        {NAMED "\"expires\": \"2030-02-30\", \"match\": {\"kinds\": [\"leak\"]}",
         "\"expires\": \"2030-02-30\" is no day: write YYYY-MM-DD"},
        {NAMED "\"action\": \"Suppress\", \"match\": {\"kinds\": [\"leak\"]}",
         "\"Suppress\" is no action: did you mean \"suppress\"?"},
        {NAMED "\"tests\": \"a\", \"match\": {\"kinds\": [\"leak\"]}",
         "\"tests\" must be a list of globs"},
        {NAMED "\"branches\": [], \"match\": {\"kinds\": [\"leak\"]}",
         "\"branches\" must be a list of globs"},
        {NAMED "\"branches\": [\"[a\"], \"match\": {\"kinds\": [\"leak\"]}",
         "\"branches\": the glob \"[a\" has a [ without its ]"},
        {NAMED "\"match\": {\"kinds\": [\"Leak\"]}",
         "unknown kind \"Leak\": did you mean \"leak\"?"},
        {NAMED "\"match\": {\"kinds\": [\"InvalidReed\"]}", "did you mean \"InvalidRead\"?"},
        {NAMED "\"match\": {\"kinds\": [\"nothing like it\"]}",
         "unknown kind \"nothing like it\": write"},
        {NAMED "\"match\": {\"kinds\": []}", "\"kinds\" must be a list"},
        {NAMED "\"match\": {\"kind\": [\"leak\"]}",
         "match: unknown key \"kind\": did you mean \"kinds\"?"},
        {NAMED "\"match\": {\"message\": \"(\"}",
         "\"message\": \"(\" is no regular expression: at offset 1: missing closing parenthesis"},
        {NAMED "\"match\": {\"message\": \"\"}", "\"message\" must be a text that is not empty"},
        {NAMED "\"match\": {\"frames\": {}}", "\"frames\" must be a list of 1 to 500 objects"},
        {NAMED "\"match\": {\"frames\": []}", "\"frames\" must be a list of 1 to 500 objects"},
        {NAMED "\"match\": {\"frames\": [7]}", "each of \"frames\" must be an object"},
        {NAMED "\"match\": {\"frames\": [{\"within\": 2}]}", "each of \"frames\" must ask for"},
        {NAMED "\"match\": {\"frames\": [{\"function\": \"f\", \"witin\": 2}]}",
         "frames: unknown key \"witin\": did you mean \"within\"?"},
        {NAMED "\"match\": {\"frames\": [{\"function\": \"f\", \"within\": 0}]}",
         "\"within\" must be a whole number from 1 on"},
        {NAMED "\"match\": {\"frames\": [{\"path\": \"src/\"}]}", "write \"src/**\""},
        {NAMED "\"match\": {\"frames\": [{\"path\": \"/src/a.c\"}]}",
         "paths begin at the root of the repository"},
        {NAMED "\"match\": {\"own_within\": 1.5}", "\"own_within\" must be a whole number from 1"},
        {NAMED "\"match\": {\"bytes\": 7}", "\"bytes\" must be an object with \"min\""},
        {NAMED "\"match\": {\"bytes\": {}}", "\"bytes\" must be an object with \"min\""},
        {NAMED "\"match\": {\"bytes\": {\"min\": -1}}", "\"min\" must be a whole number from 0 on"},
        {NAMED "\"match\": {\"blocks\": {\"min\": 3, \"max\": 2}}",
         "\"blocks\" has a \"min\" above its \"max\""},
        {NAMED "\"match\": {\"blocks\": {\"least\": 3}}", "unknown key \"least\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gg_rule *rule = &parse_rule(rows[i].members)->rule;
        cr_assert_not_null(rule->fault, "%s", rows[i].members);
        cr_expect(strstr(rule->fault, rows[i].fault), "%s: %s", rows[i].members, rule->fault);
        cr_expect_eq(rule->state, GG_RULE_MALFORMED);
    }
}

/* What nobody can tell may have been an action that makes findings count. */
Test(rule_file, an_unclear_action_counts_as_fail)
{
    static const struct {
        const char *members;
        enum gg_action action;
    } rows[] = {{"\"action\": \"fial\"", GG_ACTION_FAIL},
                {"\"action\": \"supress\"", GG_ACTION_SUPPRESS},
                {"\"action\": \"downgraded\"", GG_ACTION_DOWNGRADE},
                {"\"action\": \"xyzzy\"", GG_ACTION_FAIL},
                {"\"action\": 3", GG_ACTION_FAIL},
                {"\"acton\": \"fail\"", GG_ACTION_FAIL},
                {"\"owners\": \"x\"", GG_ACTION_SUPPRESS},
                {"\"owners\": \"x\", \"actoin\": \"fail\"", GG_ACTION_FAIL},
                {"\"ACTION\": \"fail\"", GG_ACTION_FAIL},
                {"\"do\": \"fail\"", GG_ACTION_FAIL},
                {"\"do\": 1, \"action\": \"suppress\"", GG_ACTION_SUPPRESS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gg_entry *entry = parse_rule(gg_arena_printf(
            &arena, NAMED "%s, \"match\": {\"kinds\": [\"leak\"]}", rows[i].members));
        cr_expect_not_null(entry->rule.fault);
        cr_expect_eq(entry->rule.action, rows[i].action, "%s", rows[i].members);
    }
    cr_expect_eq(parse_match("{\"kinds\": [\"leak\"], \"action\": \"fail\"}")->rule.action,
                 GG_ACTION_FAIL);
    static const char *const strange[] = {"null", "true", "\"fail on leaks\"", "[{}]"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        parse(gg_arena_printf(&arena, "{\"version\": 1, \"rules\": [%s]}", strange[i]));
        cr_expect_eq(entries.at[0]->rule.action, GG_ACTION_FAIL, "%s", strange[i]);
    }
}

/* A malformed rule still tells which findings it was for, but never claims them all. */
Test(rule_file, of_a_malformed_rule_the_understood_part_stays)
{
    const struct gg_entry *entry =
        parse_match("{\"kinds\": [\"leek\", \"race\"], \"message\": \"(\", \"own_within\": 2}");
    cr_expect_not_null(entry->rule.fault);
    cr_expect_null(entry->condition.kinds, "\"leek\" may be any kind");
    cr_expect_null(entry->condition.message);
    cr_expect_eq(entry->condition.own_within, 2);
    static const char *const nothing[] = {"{}", "{\"kind\": [\"leak\"]}", "[]"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        entry = parse_match(nothing[i]);
        for (unsigned kind = 0; kind < GG_KINDS; kind++)
            cr_expect_not(entry->condition.kinds[kind], "%s", nothing[i]);
    }
}

/* What is asked and not understood may be anything. */
Test(rule_file, of_a_malformed_rule_what_is_broken_asks_nothing)
{
    static const char *const broken[] = {"{\"kinds\": [\"leek\"]}", "{\"message\": \"(\"}",
                                         "{\"frames\": [{\"function\": \"(\"}]}",
                                         "{\"own_within\": 0}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const struct gg_entry *entry = parse_match(broken[i]);
        cr_expect(entry->rule.unclear, "%s", broken[i]);
        cr_expect_null(entry->condition.kinds, "%s", broken[i]);
        for (size_t step = 0; step < entry->step_count; step++)
            cr_expect_eq(entry->steps[step].count, 0, "%s", broken[i]);
    }
    const struct gg_entry *range = parse_match("{\"bytes\": {\"min\": 9, \"max\": 8}}");
    cr_expect(range->condition.sized);
    cr_expect_eq(range->condition.bytes.min, 0);
    cr_expect_eq(range->condition.bytes.max, UINT64_MAX);
}

/* Is it known which findings it was for? */
Test(rule_file, of_a_malformed_rule_it_is_known_whether_its_match_is_understood)
{
    static const struct {
        const char *members;
        bool unclear;
    } rows[] = {{"\"id\": \"n\"", false},
                {"\"id\": \"n\", \"raeson\": \"r\"", false},
                {"\"id\": 7, \"reason\": \"r\"", false},
                {NAMED "\"expires\": \"soon\"", false},
                {NAMED "\"test\": [\"a\"]", true},
                {NAMED "\"tests\": [\"[\"]", true},
                {NAMED "\"action\": \"supress\"", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gg_entry *entry = parse_rule(
            gg_arena_printf(&arena, "%s, \"match\": {\"kinds\": [\"leak\"]}", rows[i].members));
        cr_expect_not_null(entry->rule.fault, "%s", rows[i].members);
        cr_expect_eq(entry->rule.unclear, rows[i].unclear, "%s", rows[i].members);
        cr_expect_null(entry->condition.tests, "%s", rows[i].members);
    }
}

Test(rule_file, an_id_is_taken_once)
{
    parse("{\"version\": 1, \"rules\": [\n"
          "{" NAMED "\"match\": {\"own_within\": 1}},\n"
          "{" NAMED "\"match\": {\"own_within\": 2}},\n"
          "{" NAMED "\"match\": {\"own_within\": 3}}]}");
    cr_assert_eq(entries.len, 3);
    cr_expect_null(entries.at[0]->rule.fault);
    cr_expect_str_eq(entries.at[1]->rule.fault,
                     "the rule of line 2 has the same id: give this one another");
    cr_expect_not_null(entries.at[2]->rule.fault);
}

/* By hand: the line of each rule's own id, wherever it stands in it. */
Test(rule_file, tells_the_line_of_each_rule)
{
    parse("{\n"
          "  \"$schema\": \"rules: [ { \\\"id\\\"\",\n" /* 2 */
          "  \"rules\": [\n"
          "    {\n"
          "      \"id\": \"one\", \"reason\": \"\\\"id\\\": {[\",\n" /* 5 */
          "      \"match\": {\"message\": \"id\"}\n"
          "    }, {\"reason\": \"id\", \"match\": {\"frames\": [{\"function\": \"x\\\\\"}]},\n"
          "      \"owner\"\n"
          "        :\n"
          "      \"x\", \"id\"\n" /* 10 */
          "      : \"two\"},\n"
          "\n"
          "    7,\n"                                            /* 13 */
          "    [\"id\", {\"id\": 1}], {\"reason\": \"none\",\n" /* 14 */
          "     \"match\": {\"id\": \"no\"}},\n"
          "    {\"match\": {\"id\": 1}, \"tests\": [\"id\", \"x\"],\n"
          "     \"id\": \"last\"}\n" /* 17 */
          "  ],\n"
          "  \"version\": 1\n"
          "}\n");
    static const struct {
        const char *id;
        unsigned line;
    } expected[] = {{"one", 5},     {"two", 10},    {"rule 3", 13},
                    {"rule 4", 14}, {"rule 5", 14}, {"last", 17}};
    cr_assert_eq(entries.len, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_expect_str_eq(entries.at[i]->rule.id, expected[i].id);
        cr_expect_eq(entries.at[i]->rule.line, expected[i].line, "%s: %u", expected[i].id,
                     entries.at[i]->rule.line);
    }
}

Test(rule_file, files_that_are_no_rules_are_refused)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "r.json:1: is no JSON"},
        {"{\n\"version\": 1,\n\"rules\": [}", "r.json:3: is no JSON"},
        {"{\"version\": 1, \"rules\": [],\n \"rules\": []}", "r.json:2: is no JSON: duplicate"},
        {"[]", "r.json:1: a file of rules is an object"},
        {"7", "r.json:1: a file of rules is an object"},
        {"{}", "r.json: has no list \"rules\""},
        {"{\"version\": 1}", "r.json: has no list \"rules\""},
        {"{\"rules\": []}", "r.json: \"version\" must be 1"},
        {"{\"version\": 2, \"rules\": []}", "r.json: \"version\" must be 1"},
        {"{\"version\": \"1\", \"rules\": []}", "r.json: \"version\" must be 1"},
        {"{\"version\": 1, \"rules\": [], \"$schema\": 1}", "r.json: \"$schema\" must be"},
        {"{\"version\": 1, \"rules\": [], \"schema\": \"x\"}",
         "r.json: unknown key \"schema\": did you mean \"$schema\"?"},
        {"{\"version\": 1, \"rules\": []} x", "r.json:1: is no JSON"},
        {"{\"version\": 1, \"rules\": [{\"id\": \"a\\u0000b\"}]}", "r.json:1: is no JSON"},
        {"{\"version\": 1, \"rules\": [{\"id\": \"\xff\"}]}", "r.json:1: is no JSON"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gg_error err = {0};
        cr_expect_not(gg_rule_file_parse(&arena, "r.json", gg_str(rows[i].text), &entries, &err),
                      "%s", rows[i].text);
        cr_expect_eq(strncmp(err.text, rows[i].why, strlen(rows[i].why)), 0, "%s: %s", rows[i].text,
                     err.text);
    }
    cr_expect_eq(entries.len, 0);
}

Test(rule_file, a_rule_says_when_it_was_given_up)
{
    const struct gg_entry *entry =
        parse_match("{\"kinds\": [\"leak\"], \"frames\": [{\"function\": \"(a+)+$\"}]}");
    cr_expect_not(gg_rule_gave_up(entry));
    char name[101];
    memset(name, 'a', 99);
    memcpy(name + 99, "b", 2);
    gg_regex_match(entry->steps[0].patterns[0].regex, gg_str(name));
    cr_expect(gg_rule_gave_up(entry));
    entry = parse_match("{\"command\": \"(a+)+$\"}");
    gg_regex_match_once(entry->condition.command, gg_str(name));
    cr_expect(gg_rule_gave_up(entry));
}

/* The manual's examples are files that work. */
Test(rule_file, reads_the_examples_of_the_manual)
{
    struct gg_str text, rest;
    struct gg_error err = {0};
    size_t count = 0;
    cr_assert(gg_fs_read(&arena, GG_TESTS "/../docs/rules.md", 1 << 20, &text, &err), "%s",
              err.text);
    for (size_t at; (at = gg_str_find(text, "```json\n")) != SIZE_MAX; text = rest) {
        text = gg_str_n(text.ptr + at + 8, text.len - at - 8);
        size_t len = gg_str_find(text, "```");
        cr_assert_neq(len, SIZE_MAX);
        rest = gg_str_n(text.ptr + len + 3, text.len - len - 3);
        entries.len = 0;
        cr_expect(
            gg_rule_file_parse(&arena, "docs/rules.md", gg_str_n(text.ptr, len), &entries, &err),
            "%s", err.text);
        cr_expect_gt(entries.len, 0);
        for (size_t i = 0; i < entries.len; i++)
            cr_expect_null(entries.at[i]->rule.fault, "%s: %s", entries.at[i]->rule.id,
                           entries.at[i]->rule.fault);
        count++;
    }
    cr_expect_geq(count, 2);
}
