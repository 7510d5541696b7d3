#define _GNU_SOURCE
#include "capture/inbox.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab.h"

static struct lab lab;
static struct gg_inbox inbox;

static void begin(void)
{
    lab_open(&lab);
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(inbox, .init = begin, .fini = end, .timeout = 60);

static void watch(void)
{
    gg_inbox_open(&inbox, &lab.arena, lab.dir);
    cr_assert_null(inbox.unsure, "%s", inbox.unsure);
}

/* As valgrind opens its files. */
static int begin_file(const char *name)
{
    int fd = open(lab_path(&lab, name), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    cr_assert_geq(fd, 0);
    return fd;
}

static void write_file(int fd, const char *text)
{
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void expect_text(const char *name, const char *text)
{
    cr_assert_eq(access(lab_path(&lab, name), F_OK), 0, "%s", name);
    cr_expect_str_eq(lab_read(&lab, lab_path(&lab, name)), text, "%s", name);
}

static void expect_none(const char *name)
{
    cr_expect_eq(access(lab_path(&lab, name), F_OK), -1, "%s", name);
}

Test(inbox, knows_names)
{
    struct gg_image image;
    cr_expect(gg_image_parse("4711.xml", &image) && image.pid == 4711 && image.number == 0);
    cr_expect(gg_image_parse("4711-12.xml", &image) && image.pid == 4711 && image.number == 12);
    static const char *const others[] = {"",
                                         ".xml",
                                         "-1.xml",
                                         "4711-.xml",
                                         "4711.xmlx",
                                         "4711",
                                         "x4711.xml",
                                         "4711-1-1.xml",
                                         "4711-a.xml",
                                         "4711 .xml",
                                         "99999999999999999999.xml"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_not(gg_image_parse(others[i], &image), "%s", others[i]);
    cr_expect(gg_image_is_log("valgrind.log") && gg_image_is_log("valgrind-3.log"));
    cr_expect_not(gg_image_is_log("valgrind-.log") || gg_image_is_log("a.log") ||
                  gg_image_is_log("valgrind.logs"));
}

Test(inbox, gives_every_report_a_name_of_its_own)
{
    watch();
    int log = begin_file("valgrind.log"), first = begin_file("7.xml");
    gg_inbox_sort(&inbox);
    expect_none("7.xml");
    int other_log = begin_file("valgrind.log"), second = begin_file("7.xml");
    write_file(second, "two");
    write_file(first, "one"); /* the image before goes on writing where it did */
    write_file(log, "oh");
    gg_inbox_sort(&inbox);
    int third = begin_file("7.xml"), other = begin_file("70.xml");
    close(log);
    close(other_log);
    close(first);
    close(second);
    close(third);
    close(other);
    gg_inbox_close(&inbox);
    cr_expect_null(inbox.unsure, "%s", inbox.unsure);
    cr_expect_eq(inbox.reports, 4);
    static const char *const made[] = {"7-1.xml", "7-2.xml", "7-3.xml", "70-1.xml"};
    cr_assert_eq(inbox.made.len, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(inbox.made.at[i], made[i]);
    expect_text("7-1.xml", "one");
    expect_text("7-2.xml", "two");
    expect_text("7-3.xml", "");
    expect_text("70-1.xml", "");
    expect_text("valgrind-1.log", "oh");
    expect_none("valgrind-2.log");
    expect_none("valgrind.log");
}

Test(inbox, overwrites_nothing)
{
    int mine = begin_file("7-1.xml");
    write_file(mine, "mine");
    close(mine);
    watch();
    close(begin_file("7.xml"));
    gg_inbox_close(&inbox);
    expect_text("7-1.xml", "mine");
    expect_text("7-2.xml", "");
}

Test(inbox, finds_what_no_event_told_of)
{
    close(begin_file("7.xml"));
    watch();
    gg_inbox_close(&inbox);
    expect_text("7-1.xml", "");
}

/* exec, and nobody looked in between. */
Test(inbox, tells_when_it_comes_too_late)
{
    watch();
    int log = begin_file("valgrind.log"), first = begin_file("7.xml");
    write_file(first, "one");
    int other_log = begin_file("valgrind.log"), second = begin_file("7.xml");
    gg_inbox_sort(&inbox);
    cr_assert_not_null(inbox.unsure);
    cr_expect(strstr(inbox.unsure, "7.xml was written over"), "%s", inbox.unsure);
    close(log);
    close(other_log);
    close(first);
    close(second);
    gg_inbox_close(&inbox);
}

/* Two processes of one pid, in namespaces of their own, begin in the same moment. */
Test(inbox, tells_when_two_write_to_one_report)
{
    watch();
    int first = begin_file("7.xml"), second = begin_file("7.xml");
    gg_inbox_sort(&inbox);
    close(first);
    gg_inbox_sort(&inbox);
    close(second);
    gg_inbox_close(&inbox);
    cr_assert_not_null(inbox.unsure);
    cr_expect(strstr(inbox.unsure, "7-1.xml was written over"), "%s", inbox.unsure);
}

Test(inbox, is_not_disturbed_by_readers)
{
    watch();
    int writer = begin_file("7.xml");
    gg_inbox_sort(&inbox);
    for (int i = 0; i < 3; i++) {
        int reader = open(lab_path(&lab, "7-1.xml"), O_RDONLY);
        close(reader);
        gg_inbox_sort(&inbox);
    }
    close(writer);
    gg_inbox_close(&inbox);
    cr_expect_null(inbox.unsure, "%s", inbox.unsure);
}

Test(inbox, tells_when_it_cannot_follow)
{
    int limit = 0;
    FILE *in = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    cr_assert(in && fscanf(in, "%d", &limit) == 1 && fclose(in) == 0);
    if (limit > 1 << 20)
        cr_skip_test("a queue of %d events takes too long to fill", limit);
    watch();
    for (int i = 0; i <= limit; i++) {
        char name[32];
        snprintf(name, sizeof name, "other%d", i % 2);
        close(begin_file(name));
    }
    close(begin_file("7.xml"));
    gg_inbox_close(&inbox);
    cr_assert_not_null(inbox.unsure);
    cr_expect(strstr(inbox.unsure, "too much happened"), "%s", inbox.unsure);
    expect_text("7-1.xml", "");
}

/* As in a sandbox that does not know the call. */
Test(inbox, tells_when_it_cannot_watch)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_init1, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        cr_skip_test("no system call filter can be set here");
    cr_assert(inotify_init1(0) == -1 && errno == ENOSYS);
    cr_assert(lab_sh(&lab, "exit 3"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 3);
    cr_expect_eq(lab_report_count(&lab), 1);
    cr_assert_not_null(lab.capture.unsure);
    cr_expect(strstr(lab.capture.unsure, "inotify: "), "%s", lab.capture.unsure);
}
