#include "cli/statusrow.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* 24 rows of 80 columns. */
static const struct gg_term_size usual = {24, 80};

#define SET "\0337\033[1;23r\033[24;1H\033[m\033[2K"
#define LEFT "\0337\033[m\033[r\033[999;1H\033[2K\0338"
/* No region, a row below the cursor, nothing on it and on those behind. */
#define SETTLED "\0337\033[r\0338\033D\033[A\0337\033[m\033[B\r\033[J\0338"

static void expect_bytes(struct gg_out *out, const char *expected)
{
    char *text = gg_out_take(out, NULL);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(statusrow, makes_room_once_and_gives_it_back)
{
    struct gg_out *out = gg_out_memory();
    struct gg_statusrow row = {0};
    gg_statusrow_put(&row, out, usual, gg_str("one"));
    gg_statusrow_put(&row, out, usual, gg_str("two"));
    gg_statusrow_leave(&row, out, usual);
    cr_expect_not(row.set);
    gg_statusrow_put(&row, out, usual, gg_str("new"));
    expect_bytes(out,
                 "\033D\033[A" SET "one\0338" SET "two\0338" LEFT "\033D\033[A" SET "new\0338");
}

Test(statusrow, follows_the_size)
{
    struct gg_out *out = gg_out_memory();
    struct gg_statusrow row = {0};
    struct gg_term_size low = {10, 80}, narrow = {10, 40};
    gg_statusrow_put(&row, out, usual, gg_str("one"));
    gg_statusrow_put(&row, out, low, gg_str("two"));
    gg_statusrow_put(&row, out, low, gg_str("three"));
    gg_statusrow_leave(&row, out, narrow);
    expect_bytes(out, "\033D\033[A" SET "one\0338" SETTLED
                      "\0337\033[1;9r\033[10;1H\033[m\033[2Ktwo\0338"
                      "\0337\033[1;9r\033[10;1H\033[m\033[2Kthree\0338" SETTLED LEFT);
}

Test(statusrow, needs_four_rows)
{
    cr_expect(gg_statusrow_fits((struct gg_term_size){4, 20}));
    cr_expect_not(gg_statusrow_fits((struct gg_term_size){3, 20}));
    cr_expect_not(gg_statusrow_fits((struct gg_term_size){0, 80}));
    cr_expect_not(gg_statusrow_fits((struct gg_term_size){24, 0}));
}
