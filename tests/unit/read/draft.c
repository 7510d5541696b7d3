#include <criterion/criterion.h>

#include "read/draft.h"

Test(draft, direct_bytes_stand_in_the_sentence)
{
    cr_expect_eq(
        gg_draft_direct(gg_str("233 (24 direct, 209 indirect) bytes in 1 blocks are"), 233), 24);
    cr_expect_eq(
        gg_draft_direct(gg_str("1,234,567 (1,000,000 direct, 234,567 indirect) bytes"), 1234567),
        1000000);
    cr_expect_eq(
        gg_draft_direct(gg_str("233 (+33) (24 (+24) direct, 209 (+9) indirect) bytes in"), 233),
        24);
    cr_expect_eq(gg_draft_direct(gg_str("55 bytes in 1 blocks are definitely lost in loss"), 55),
                 55);
    cr_expect_eq(gg_draft_direct(gg_str(" direct,"), 7), 7);
}

Test(draft, the_sentence_says_what_a_stack_is)
{
    const struct {
        const char *text;
        enum gg_role role;
    } rows[] = {
        {"Address 0x4a49040 is 0 bytes inside a block of size 10 free'd", GG_ROLE_FREED},
        {"Address 0x4a49040 is 0 bytes after a block of size 1,024 alloc'd", GG_ROLE_ALLOCATED},
        {"Address 0x1 is 4 bytes inside a recently re-allocated block of size 8 alloc'd",
         GG_ROLE_ALLOCATED},
        {"Block was alloc'd at", GG_ROLE_ALLOCATED},
        {"Uninitialised value was created by a heap allocation", GG_ROLE_ORIGIN},
        {"Uninitialised value was created", GG_ROLE_ORIGIN},
        {"Address 0x0 is not stack'd, malloc'd or (recently) free'd", GG_ROLE_OTHER},
        {"Address 0x1 is 3 bytes inside a block of size 8 client-defined", GG_ROLE_OTHER},
        {"This conflicts with a previous write of size 4 by thread #2", GG_ROLE_OTHER},
        {"Previously closed", GG_ROLE_OTHER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(gg_draft_role(gg_str(rows[i].text)), rows[i].role, "%s", rows[i].text);
}
