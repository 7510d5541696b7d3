#include <criterion/criterion.h>

#include "vcs/mailmap.h"

static struct gg_arena arena;
static struct gg_mailmap mailmap;

static void begin(void)
{
    gg_arena_init(&arena);
    gg_mailmap_init(&mailmap, &arena);
}

static void end(void)
{
    gg_mailmap_free(&mailmap);
    gg_arena_free(&arena);
}

TestSuite(mailmap, .init = begin, .fini = end);

static void expect(const char *name, const char *email, const char *proper_name,
                   const char *proper_email)
{
    struct gg_person person = {name, email};
    gg_mailmap_resolve(&mailmap, &person);
    cr_assert_str_eq(person.name, proper_name);
    cr_assert_str_eq(person.email, proper_email);
}

/* Each answer is what git check-mailmap gives for the same map. */
Test(mailmap, the_four_forms)
{
    gg_mailmap_add(&mailmap, gg_str("# a comment <x@y>\n"
                                    "Proper One <one@old>\n"
                                    "<two@new> <two@old>\n"
                                    "Proper Three <three@new> <three@old>\n"
                                    "Proper Four <four@new> Four <shared@old>\n"
                                    "Proper Five <five@new> Five <shared@old>\n"));
    expect("o", "one@old", "Proper One", "one@old");
    expect("t", "two@old", "t", "two@new");
    expect("t", "three@old", "Proper Three", "three@new");
    expect("Four", "shared@old", "Proper Four", "four@new");
    expect("Five", "shared@old", "Proper Five", "five@new");
    expect("Six", "shared@old", "Six", "shared@old");
    expect("x", "x@y", "x", "x@y");
}

Test(mailmap, case_does_not_matter)
{
    gg_mailmap_add(&mailmap, gg_str("Ada <ada@new> <ADA@Old>\nBo <bo@new> BO <shared@old>\n"));
    expect("x", "ada@OLD", "Ada", "ada@new");
    expect("bo", "SHARED@old", "Bo", "bo@new");
}

Test(mailmap, later_lines_win_field_by_field)
{
    gg_mailmap_add(&mailmap, gg_str("One <a@old>\n<a@new> <a@old>\n"));
    expect("x", "a@old", "One", "a@new");
    gg_mailmap_add(&mailmap, gg_str("Two <a@old>\n"));
    expect("x", "a@old", "Two", "a@new");
}

Test(mailmap, what_is_no_entry_is_passed_over)
{
    gg_mailmap_add(&mailmap, gg_str("no address\nName <open\nEmpty <>\n>a@old<\n\r\n"
                                    "  Spaced  <s@new>\t<s@old>  # why \r\nLast <last@old>"));
    expect("x", "s@old", "Spaced", "s@new");
    expect("x", "last@old", "Last", "last@old");
    expect("x", "", "x", "");
    expect("x", "a@old", "x", "a@old");
}
