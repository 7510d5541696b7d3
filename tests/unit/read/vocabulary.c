#include <criterion/criterion.h>
#include <string.h>

#include "read/vocabulary.h"

Test(vocabulary, names_are_in_order)
{
    for (unsigned tag = GG_TAG_UNKNOWN + 1; tag + 1 < GG_TAG_COUNT; tag++)
        cr_expect_lt(strcmp(gg_tag_name(tag), gg_tag_name(tag + 1)), 0, "%s", gg_tag_name(tag));
}

Test(vocabulary, every_name_is_found_and_nothing_else)
{
    for (unsigned tag = GG_TAG_UNKNOWN + 1; tag < GG_TAG_COUNT; tag++)
        cr_expect_eq(gg_tag_of(gg_tag_name(tag)), tag);
    const char *unknown[] = {"", "e", "erro", "errors2", "zzz", "Error"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        cr_expect_eq(gg_tag_of(unknown[i]), GG_TAG_UNKNOWN);
}

Test(vocabulary, the_same_name_means_different_things_in_different_places)
{
    cr_expect_eq(gg_step(GG_IN_ERROR, GG_TAG_kind), GG_TEXT_KIND);
    cr_expect_eq(gg_step(GG_IN_SKIPPED, GG_TAG_kind), GG_IN_SKIPPED);
    cr_expect_eq(gg_step(GG_IN_PREAMBLE, GG_TAG_line), GG_TEXT_PREAMBLE);
    cr_expect_eq(gg_step(GG_IN_FRAME, GG_TAG_line), GG_TEXT_LINE);
    cr_expect_eq(gg_step(GG_IN_ERROR, GG_TAG_unique), GG_TEXT_UNIQUE);
    cr_expect_eq(gg_step(GG_IN_ERRORCOUNTS_PAIR, GG_TAG_unique), GG_TEXT_ERROR_UNIQUE);
}

Test(vocabulary, an_element_of_the_root_inside_another_is_misplaced)
{
    cr_expect_eq(gg_step(GG_IN_ERROR, GG_TAG_error), GG_MISPLACED);
    cr_expect_eq(gg_step(GG_TEXT_WHAT, GG_TAG_status), GG_MISPLACED);
    cr_expect_eq(gg_step(GG_IN_ROOT, GG_TAG_valgrindoutput), GG_MISPLACED);
    cr_expect_eq(gg_step(GG_IN_NOTHING, GG_TAG_UNKNOWN), GG_MISPLACED);
    cr_expect_eq(gg_step(GG_IN_COMMENT, GG_TAG_error), GG_IN_COMMENT);
    cr_expect_eq(gg_step(GG_IN_UNKNOWN, GG_TAG_error), GG_MISPLACED);
    cr_expect_eq(gg_step(GG_IN_UNKNOWN, GG_TAG_what), GG_IN_UNKNOWN);
    cr_expect_eq(gg_step(GG_IN_ROOT, GG_TAG_UNKNOWN), GG_IN_UNKNOWN);
}
