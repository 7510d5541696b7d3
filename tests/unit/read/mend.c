#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "read/mend.h"

/* Mends a text line by line; returns how many lines were. */
static unsigned mend_text(const char *text, struct gg_buffer *out)
{
    struct gg_mend mend = {0};
    unsigned changed = 0;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, '\n');
        size_t len = end ? (size_t)(end - at) + 1 : strlen(at);
        changed += gg_mend_line(&mend, gg_str_n(at, len), out);
        at += len;
    }
    return changed;
}

static void check(const char *text, const char *expected, unsigned lines)
{
    struct gg_buffer out = {0};
    cr_expect_eq(mend_text(text, &out), lines, "%s", text);
    cr_expect(out.len == strlen(expected) && memcmp(out.ptr, expected, out.len) == 0,
              "got \"%.*s\", not \"%s\"", (int)out.len, out.ptr, expected);
    gg_buffer_free(&out);
}

Test(mend, what_is_well_formed_stays)
{
    const char *text = "<error>\n  <unique>0x0</unique>\n  <what>a &lt;b&gt; &amp; c</what>\n"
                       "    <sframe> <fun>main</fun> </sframe>\n</error>\n";
    check(text, text, 0);
}

Test(mend, markup_in_the_text_of_a_line_is_escaped)
{
    check("  <threadname>a&b<c></threadname>\n", "  <threadname>a&amp;b&lt;c&gt;</threadname>\n",
          1);
    check("  <what>Open AF_INET socket 3: 127.0.0.1:80 <-> <unbound></what>\n",
          "  <what>Open AF_INET socket 3: 127.0.0.1:80 &lt;-&gt; &lt;unbound&gt;</what>\n", 1);
    check("  <threadname>x</threadname></threadname>\n",
          "  <threadname>x</threadname></threadname>\n", 0);
    check("<usercomment>a & b <</usercomment>\n", "<usercomment>a &amp; b &lt;</usercomment>\n", 1);
}

Test(mend, what_follows_the_text_stays)
{
    check("  <what>a & b\n</what>  <stack>\n", "  <what>a &amp; b\n</what>  <stack>\n", 1);
}

Test(mend, a_text_that_holds_a_tag_of_valgrinds_is_left_alone)
{
    const char *cut = "  <what>Inval<error>\n  <unique>0x1</unique>\n";
    check(cut, cut, 0);
    const char *joined = "  <what>Inval\n  <kind>Leak</kind>\n  <what>x</what>\n";
    check(joined, joined, 0);
}

Test(mend, the_raw_text_of_a_suppression_is_left_out)
{
    check("    <rawtext>\n<![CDATA[\n{\n   fun:we]]>ird&<n>\n}\n]]>\n    </rawtext>\n",
          "    <rawtext>\n    </rawtext>\n", 1);
}

/* valgrind 3.26.0, when nothing is still reachable */
Test(mend, the_end_tag_that_is_missing_is_put_back)
{
    const char *numbers = "    <bytes>0</bytes>\n    <blocks>0</blocks>\n";
    char text[512], expected[512];
    snprintf(text, sizeof text,
             "<leak_summary>\n  <still_reachable>\n%s  <suppressed>\n%s  </suppressed>\n"
             "</leak_summary>\n",
             numbers, numbers);
    snprintf(expected, sizeof expected,
             "<leak_summary>\n  <still_reachable>\n%s</still_reachable>  <suppressed>\n%s"
             "  </suppressed>\n</leak_summary>\n",
             numbers, numbers);
    check(text, expected, 1);
}
