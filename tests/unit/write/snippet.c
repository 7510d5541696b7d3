#include "write/snippet.h"

#include "base/fs.h"
#include "sample_report.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sample sample;
static struct gg_snippets snippets;
static char *root;

static void set_up(void)
{
    struct gg_error err = {0};
    sample_init(&sample);
    root = gg_fs_temp_dir(&sample.arena, &err);
    cr_assert_not_null(root);
    sample_root(&sample, root);
}

static void tear_down(void)
{
    gg_fs_remove_tree(root);
    sample_free(&sample);
}

TestSuite(snippet, .init = set_up, .fini = tear_down);

static char *below(const char *name)
{
    return gg_fs_join(&sample.arena, root, name);
}

static void put_file(const char *name, const char *text, size_t len)
{
    FILE *file = fopen(below(name), "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(text, 1, len, file), len);
    cr_assert_eq(fclose(file), 0);
}

static void put_text(const char *name, const char *text)
{
    put_file(name, text, strlen(text));
}

static const struct gg_snippet *ask(const char *path, uint32_t line)
{
    struct gg_finding *finding = sample_finding(&sample, GG_KIND_InvalidRead, "");
    finding->has_site = true;
    finding->site = (struct gg_site){.path = path, .line = line};
    gg_snippets_load(&snippets, &sample.arena, &sample.report, false);
    return gg_snippets_find(&snippets, &finding->site);
}

/* "first:text|text|..." */
static void check(const struct gg_snippet *snippet, const char *expected)
{
    cr_assert_not_null(snippet);
    char text[2000];
    int len = snprintf(text, sizeof text, "%u:", (unsigned)snippet->first);
    for (unsigned i = 0; i < snippet->line_count; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "%.*s|", (int)snippet->lines[i].len,
                        snippet->lines[i].ptr);
    cr_expect_str_eq(text, expected);
}

Test(snippet, two_lines_around)
{
    put_text("a.c", "1\n2\n3\n4\n5\n6\n7\n");
    check(ask("a.c", 4), "2:2|3|4|5|6|");
    check(ask("a.c", 1), "1:1|2|3|");
    check(ask("a.c", 7), "5:5|6|7|");
}

Test(snippet, all_sites_of_a_file_in_one_pass)
{
    put_text("a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    put_text("b.c", "x\ny");
    check(ask("a.c", 9), "7:7|8|9|");
    check(ask("b.c", 2), "1:x|y|");
    check(ask("a.c", 3), "1:1|2|3|4|5|");
    check(ask("a.c", 4), "2:2|3|4|5|6|");
    check(ask("a.c", 3), "1:1|2|3|4|5|");
    cr_expect_eq(snippets.len, 4);
}

Test(snippet, only_what_will_be_shown_is_read)
{
    put_text("a.c", "1\n");
    check(ask("a.c", 1), "1:1|");
    struct gg_finding *finding = &sample.report.findings[0];
    finding->fate = GG_KNOWN;
    gg_snippets_load(&snippets, &sample.arena, &sample.report, false);
    cr_expect_null(gg_snippets_find(&snippets, &finding->site));
    gg_snippets_load(&snippets, &sample.arena, &sample.report, true);
    check(gg_snippets_find(&snippets, &finding->site), "1:1|");
}

Test(snippet, line_ends_and_long_lines)
{
    char text[1000];
    memset(text, 'x', sizeof text);
    memcpy(text, "dos\r\n", 5);
    text[998] = '\n';
    text[999] = 'y';
    put_file("a.c", text, sizeof text);
    const struct gg_snippet *snippet = ask("a.c", 2);
    cr_assert_eq(snippet->line_count, 3);
    cr_expect_eq(snippet->lines[0].len, 3);
    cr_expect_eq(snippet->lines[1].len, 400);
    cr_expect_eq(snippet->lines[2].len, 1);
}

Test(snippet, lines_over_chunk_borders)
{
    size_t len = 0;
    char *text = gg_arena_alloc(&sample.arena, 300000);
    for (unsigned i = 1; i <= 20000; i++)
        len += (size_t)sprintf(text + len, "line %u\n", i);
    put_file("a.c", text, len);
    check(ask("a.c", 19999), "19997:line 19997|line 19998|line 19999|line 20000|");
    check(ask("a.c", 3000), "2998:line 2998|line 2999|line 3000|line 3001|line 3002|");
}

Test(snippet, nothing_where_there_is_no_such_line)
{
    put_text("a.c", "1\n2\n");
    put_text("empty.c", "");
    cr_expect_null(ask("a.c", 3));
    cr_expect_null(ask("a.c", 0));
    cr_expect_null(ask("a.c", UINT32_MAX));
    cr_expect_null(ask("empty.c", 1));
    cr_expect_null(ask("missing.c", 1));
    sample_root(&sample, NULL);
    cr_expect_null(ask("a.c", 1));
}

Test(snippet, nothing_outside_the_repository)
{
    char *secret = gg_arena_printf(&sample.arena, "%s.secret", root);
    FILE *file = fopen(secret, "w");
    fputs("secret\n", file);
    fclose(file);
    cr_assert_eq(mkdir(below("src"), 0755), 0);
    cr_assert_eq(symlink(secret, below("src/link.c")), 0);
    cr_assert_eq(symlink("..", below("src/up")), 0);
    cr_assert_eq(mkfifo(below("pipe.c"), 0644), 0);
    const char *up = gg_arena_printf(&sample.arena, "../%s", gg_fs_basename(secret));
    put_text("a.c", "1\n");
    const char *const paths[] = {
        up, secret, "src/link.c", "src/up/a.c", "pipe.c", "src", "/etc/passwd", "src/../a.c", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        cr_expect_null(ask(paths[i], 1), "%s", paths[i]);
    check(ask("a.c", 1), "1:1|");
    unlink(secret);
}

/* Many sites in one large file cost one reading of it. */
Test(snippet, many_sites_are_not_many_readings, .timeout = 20)
{
    enum { LINES = 200000 };
    char *text = gg_arena_alloc(&sample.arena, LINES * 40);
    for (size_t i = 0; i < LINES; i++)
        memcpy(text + 40 * i, "a line of a rather large source file   \n", 40);
    put_file("big.c", text, LINES * 40);
    struct gg_finding *findings = gg_arena_alloc(&sample.arena, 20000 * sizeof *findings);
    sample.report.findings = findings;
    sample.report.finding_count = 20000;
    for (uint32_t i = 0; i < 20000; i++) {
        findings[i].has_site = true;
        findings[i].site = (struct gg_site){.path = "big.c", .line = LINES - 10 * (i % 10000)};
    }
    gg_snippets_load(&snippets, &sample.arena, &sample.report, false);
    cr_expect_eq(snippets.len, 10000);
    cr_expect_not_null(gg_snippets_find(&snippets, &findings[19999].site));
}
