#include <criterion/criterion.h>

#include "read/anchor.h"

static void check(const char *text, bool any, bool last, enum gg_anchor expected, size_t where)
{
    size_t at = 999;
    enum gg_anchor anchor = gg_anchor_find(gg_str(text), 0, any, last, &at);
    cr_expect_eq(anchor, expected, "%s: %d", text, (int)anchor);
    cr_expect_eq(at, where, "%s: at %zu", text, at);
}

Test(anchor, an_item_of_the_root_begins_at_its_tag)
{
    check("<error>\n", false, false, GG_ANCHOR_ITEM, 0);
    check("C</ip>\n  </er<status>\n", false, false, GG_ANCHOR_ITEM, 13);
    check("<fatal_signal>\r\n", false, false, GG_ANCHOR_ITEM, 0);
    check("<pid>42</pid>", false, false, GG_ANCHOR_ITEM, 0);
    check("<valgrindoutput>\n", false, false, GG_ANCHOR_ROOT, 0);
    check("\n</valgrindoutput>\n", false, false, GG_ANCHOR_END, 1);
}

Test(anchor, other_text_is_none)
{
    check("a < b && c > d", false, false, GG_ANCHOR_NONE, 14);
    check("<html>\n<errors>\n</error>\n", false, false, GG_ANCHOR_NONE, 25);
    check("an <error> in a sentence", false, false, GG_ANCHOR_NONE, 24);
    check("  <what>x</what>\n", false, false, GG_ANCHOR_NONE, 17);
    check("  <what>x</what>\n", true, false, GG_ANCHOR_OTHER, 2);
    check("  <stack>\n", true, false, GG_ANCHOR_ITEM, 2);
}

Test(anchor, a_tag_that_is_cut_may_become_one)
{
    check("x<", false, false, GG_ANCHOR_CUT, 1);
    check("x<erro", false, false, GG_ANCHOR_CUT, 1);
    check("x<error>", false, false, GG_ANCHOR_CUT, 1);
    check("x<erro", false, true, GG_ANCHOR_NONE, 6);
}

Test(anchor, a_declaration_begins_a_document)
{
    cr_expect_eq(gg_anchor_declaration(gg_str("ab<?xml version"), 0, false), 2);
    cr_expect_eq(gg_anchor_declaration(gg_str("<?xml version"), 0, false), 0);
    cr_expect_eq(gg_anchor_declaration(gg_str("<?xml version"), 1, false), 13);
    cr_expect_eq(gg_anchor_declaration(gg_str("?? <?xml-style <?xml?>"), 0, false), 22);
}

Test(anchor, a_declaration_that_is_cut_waits)
{
    cr_expect_eq(gg_anchor_declaration(gg_str("ab<?xm"), 0, false), 2);
    cr_expect_eq(gg_anchor_declaration(gg_str("ab<"), 0, false), 2);
    cr_expect_eq(gg_anchor_declaration(gg_str("ab<?xm"), 0, true), 6);
    cr_expect_eq(gg_anchor_declaration(gg_str("ab<?xml"), 0, true), 7);
}
