#include "write/writers.h"

#include <criterion/criterion.h>

Test(writers, are_found_by_name)
{
    static const char *const names[] = {"text", "json", "sarif", "junit"};
    size_t count = 0;
    for (; gg_writer_table[count]; count++)
        cr_expect_eq(gg_writer_find(gg_writer_table[count]->name), gg_writer_table[count]);
    cr_expect_eq(count, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_not_null(gg_writer_find(names[i]));
    cr_expect_null(gg_writer_find("yaml"));
    cr_expect_null(gg_writer_find(""));
}
