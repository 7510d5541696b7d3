#include "write/rule_text.h"

#include <criterion/criterion.h>

static struct gg_arena arena;

static void set_up(void)
{
    gg_arena_init(&arena);
}

static void tear_down(void)
{
    gg_arena_free(&arena);
}

TestSuite(rule_text, .init = set_up, .fini = tear_down);

Test(rule_text, idle_rules_of_packs_do_not_count)
{
    struct gg_rule used = {.id = "a", .file = "a.supp", .line = 1, .state = GG_RULE_USED};
    struct gg_rule unused = {.id = "b", .file = "pack:zlib", .line = 1, .state = GG_RULE_UNUSED};
    struct gg_rule behind = {.id = "c", .file = "pack:zlib", .line = 6, .state = GG_RULE_SHADOWED};
    struct gg_rule *rules[] = {&used, &unused, &behind};
    struct gg_report report = {.rules = rules, .rule_count = 3};
    cr_expect_str_eq(gg_rule_text_summary(&arena, &report), "1, used");
    behind.file = "b.supp";
    cr_expect_str_eq(gg_rule_text_summary(&arena, &report),
                     "2, of which 1 shadowed; grindgate rules test says more");
}

Test(rule_text, a_row_ends_with_what_the_state_does_not_say)
{
    const char *const kinds[] = {"broad", "shadowed", "some-runs", NULL};
    struct gg_rule first = {.id = "a", .file = "a.supp", .line = 1};
    struct gg_rule rule = {.id = "b",
                           .file = "b.supp",
                           .line = 7,
                           .state = GG_RULE_SHADOWED,
                           .shadow = &first,
                           .concerns = kinds};
    cr_expect_str_eq(gg_rule_text_row(&arena, &rule),
                     "shadowed: b (b.supp:7): behind a (a.supp:1) [broad, some-runs]");
    rule.concerns = kinds + 3;
    cr_expect_str_eq(gg_rule_text_row(&arena, &rule),
                     "shadowed: b (b.supp:7): behind a (a.supp:1)");
}

Test(rule_text, what_a_change_hides_is_told_with_the_reason)
{
    struct gg_rule rule = {.id = "cache", .file = "known.supp", .line = 8};
    struct gg_finding finding = {.kind_name = "Leak_DefinitelyLost",
                                 .message = "20 bytes in 1 block are definitely lost",
                                 .id = "9d711e518ce8",
                                 .rule = &rule};
    cr_expect_str_eq(gg_rule_text_hidden(&arena, &finding),
                     "Leak_DefinitelyLost: 20 bytes in 1 block are definitely lost [9d711e518ce8], "
                     "by \"cache\" (known.supp:8)");
    rule.reason = "freed by nobody.";
    rule.owner = "net";
    rule.ticket = "N-1";
    cr_expect_str_eq(gg_rule_text_hidden(&arena, &finding),
                     "Leak_DefinitelyLost: 20 bytes in 1 block are definitely lost [9d711e518ce8], "
                     "by \"cache\" (known.supp:8): freed by nobody (net, N-1)");
}
