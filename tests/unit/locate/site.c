#include "locate/site.h"

#include <criterion/criterion.h>

static struct gg_frame *frame(const char *function, const char *path, unsigned line, bool in_file)
{
    static struct gg_frame frames[64];
    static size_t used;
    struct gg_frame *next = &frames[used++];
    *next = (struct gg_frame){
        .function = function, .path = path, .line = line, .line_in_file = in_file};
    return next;
}

/* Own code; own code whose line the file does not have; code elsewhere. */
static struct gg_frame *own(const char *function, unsigned line)
{
    return frame(function, "a.c", line, true);
}

static struct gg_frame *bad(const char *function, unsigned line)
{
    return frame(function, "a.c", line, false);
}

static struct gg_frame *far(const char *function)
{
    return frame(function, NULL, 1, false);
}

/* The frames end with NULL. */
static struct gg_stack stack(enum gg_role role, struct gg_frame *const *frames)
{
    struct gg_stack result = {.role = role, .frames = frames};
    while (frames[result.len])
        result.len++;
    return result;
}

#define STACK(role, ...) stack(role, (struct gg_frame *const[]){__VA_ARGS__, NULL})

static struct gg_finding find(const struct gg_stack *stacks, size_t count)
{
    static const char *const wrappers[] = {"grab", "ns::alloc", "X::operator()", NULL};
    struct gg_finding finding = {.stacks = stacks, .stack_count = count};
    gg_site_find(&finding, wrappers);
    return finding;
}

/* The line of the site of an error with only its own stack; 0: none. */
static unsigned site_line(struct gg_stack only)
{
    struct gg_finding finding = find(&only, 1);
    return finding.has_site ? finding.site.line : 0;
}

#define SITE_LINE(...) site_line(STACK(GG_ROLE_ERROR, __VA_ARGS__))

Test(site, is_the_innermost_own_frame)
{
    struct gg_stack error =
        STACK(GG_ROLE_ERROR, far("malloc"), far("strdup"), own("leaf", 7), own("main", 9));
    struct gg_finding finding = find(&error, 1);
    cr_assert(finding.has_site);
    cr_expect_str_eq(finding.site.path, "a.c");
    cr_expect_str_eq(finding.site.function, "leaf");
    cr_expect_eq(finding.site.line, 7);
    cr_expect_eq(finding.site.via, GG_VIA_ERROR);
    cr_expect_eq(finding.site.stack, 0);
    cr_expect_eq(finding.site.frame, 2);
}

Test(site, passes_over_wrappers)
{
    cr_expect_eq(SITE_LINE(own("grab", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("grab.constprop.0", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("grab@@LIB_1.2", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("ns::alloc(void (*)(int)) const", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("ns::alloc(int) [clone .part.0]", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("X::operator()(int)", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("grabber", 1), own("use", 2)), 1);
    cr_expect_eq(SITE_LINE(own("alloc(int)", 1), own("use", 2)), 1);
    cr_expect_eq(SITE_LINE(own(NULL, 1), own("use", 2)), 1);
}

Test(site, knows_a_wrapper_by_its_symbol)
{
    struct gg_frame *symbol = own("other(unsigned long)", 1);
    symbol->symbol = "grab";
    cr_expect_eq(SITE_LINE(symbol, own("use", 2)), 2);
}

Test(site, is_the_outermost_wrapper_when_there_is_nothing_else)
{
    cr_expect_eq(SITE_LINE(far("malloc"), own("grab", 1), own("ns::alloc(int)", 2)), 2);
}

Test(site, passes_over_lines_that_are_not_there)
{
    cr_expect_eq(SITE_LINE(bad("inl", 999), own("grab", 1), own("use", 2)), 2);
    cr_expect_eq(SITE_LINE(own("grab", 1), bad("use", 999)), 1);
    cr_expect_eq(SITE_LINE(bad("inl", 999), far("main")), 999,
                 "a finding of an older version is ours");
}

Test(site, asks_the_other_stacks_in_order)
{
    struct gg_stack none = STACK(GG_ROLE_ERROR, far("strlen"));
    struct gg_stack other = STACK(GG_ROLE_OTHER, own("o", 1));
    struct gg_stack allocated = STACK(GG_ROLE_ALLOCATED, far("malloc"), own("a", 2));
    struct gg_stack origin = STACK(GG_ROLE_ORIGIN, own("u", 3));
    struct gg_stack freed = STACK(GG_ROLE_FREED, far("free"), own("grab", 4), own("f", 5));
    struct gg_stack all[] = {none, other, allocated, origin, freed};
    struct gg_finding finding = find(all, 5);
    cr_expect_eq(finding.site.line, 5);
    cr_expect_eq(finding.site.via, GG_VIA_FREED);
    cr_expect_eq(finding.site.stack, 4);
    cr_expect_eq(finding.site.frame, 2);
    finding = find(all, 4);
    cr_expect_eq(finding.site.line, 3);
    cr_expect_eq(finding.site.via, GG_VIA_ORIGIN);
    finding = find(all, 3);
    cr_expect_eq(finding.site.line, 2);
    cr_expect_eq(finding.site.via, GG_VIA_ALLOCATED);
    cr_expect_not(find(all, 2).has_site);
    cr_expect_not(find(NULL, 0).has_site);
}
