#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "reading.h"
#include "read/readers.h"

static int bid(const char *text)
{
    return gg_reader_memcheck.bid(text, strlen(text));
}

Test(readers, a_bid_follows_the_first_bytes)
{
    cr_expect_eq(bid(DECLARATION ROOT), 100);
    cr_expect_eq(bid("==1== log\n" DECLARATION ROOT), 100);
    cr_expect_gt(bid("<?xml version=\"1.0\"?>\n\n<valgrindou"), 0);
    cr_expect_gt(bid("<error>\n  <unique>"), 0);
    cr_expect_gt(bid("==123== Memcheck, a memory error detector\n"), 0);
    cr_expect_eq(bid(DECLARATION "<testsuite>\n<error>x</error>"), 0);
    cr_expect_eq(bid("{\"version\": 1}"), 0);
    cr_expect_eq(bid("== 1 ==\n"), 0);
    cr_expect_eq(bid(" \n"), 0);
}

static void count(void *self)
{
    ++*(int *)self;
}

static void expect_no_report(const char *text, const char *why)
{
    struct reading r;
    read_text(&r, text);
    cr_expect(r.ok);
    cr_assert_eq(r.report.run_count, 1);
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_eq(run->end, GG_END_TRUNCATED);
    cr_expect_not_null(strstr(run->detail, why));
    cr_expect_str_eq(run->source, "in.xml");
    reading_free(&r);
}

Test(readers, what_is_no_report_is_never_silence)
{
    expect_no_report("", "empty");
    expect_no_report("hello\n", "not a report");
    expect_no_report(DECLARATION "<testsuite>\n</testsuite>\n", "not a report");
}

Test(readers, a_file_that_cannot_be_read_is_an_error)
{
    struct reading r;
    read_path(&r, "/no/such/file.xml");
    cr_expect_not(r.ok);
    cr_expect_not_null(strstr(r.err.text, "in.xml: cannot be opened: No such file"));
    reading_free(&r);
    read_path(&r, "/tmp");
    cr_expect_not(r.ok);
    cr_expect_not_null(strstr(r.err.text, "in.xml: cannot be read"));
    reading_free(&r);
}

static int told_of(const char *path, long long *due)
{
    int told = 0;
    struct gg_arena arena;
    struct gg_atoms atoms;
    struct gg_error error = {0};
    struct gg_beat beat = {.tell = count, .self = &told, .due = *due};
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    struct gg_collate *collate = gg_collate_new(&arena, &atoms);
    gg_collate_set_beat(collate, &beat);
    cr_assert(gg_read(collate, path, "in.xml", &error), "%s", error.text);
    *due = beat.due;
    gg_collate_close(collate);
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
    return told;
}

Test(readers, somebody_is_told_about_every_second)
{
    long long due = 0; /* since the beginning of time */
    char path[] = "/tmp/gg-readers-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, WHOLE(""), strlen(WHOLE(""))), (ssize_t)strlen(WHOLE("")));
    close(fd);
    long long before = gg_proc_now();
    cr_expect_eq(told_of(path, &due), 1);
    cr_expect_geq(due, before + 1000);
    due = before + 3600000;
    cr_expect_eq(told_of(path, &due), 0);
    unlink(path);
}
