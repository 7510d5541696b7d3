#include "base/out.h"
#include "base/arena.h"
#include "base/fs.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct gg_arena arena;
static char *dir;

static void set_up(void)
{
    struct gg_error err = {0};
    gg_arena_init(&arena);
    dir = gg_fs_temp_dir(&arena, &err);
    cr_assert_not_null(dir);
}

static void tear_down(void)
{
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(out, .init = set_up, .fini = tear_down);

static const char *content(const char *path)
{
    struct gg_str text;
    struct gg_error err = {0};
    return gg_fs_read(&arena, path, 1 << 24, &text, &err) ? text.ptr : NULL;
}

static size_t entries(void)
{
    struct gg_error err = {0};
    size_t count = 0;
    gg_fs_list(&arena, dir, &count, &err);
    return count;
}

Test(out, a_file_is_there_when_it_is_whole)
{
    struct gg_error err = {0};
    const char *path = gg_fs_join(&arena, dir, "report.json");
    mode_t mask = umask(027);
    struct gg_out *out = gg_out_file(path, &err);
    cr_assert_not_null(out);
    gg_out_text(out, "first ");
    gg_out_str(out, gg_str_n("second!", 6));
    gg_out_repeat(out, '.', 3);
    gg_out_printf(out, " %d %s", 42, "third");
    cr_expect_eq(access(path, F_OK), -1);
    cr_expect(gg_out_close(out, &err), "%s", err.text);
    umask(mask);
    cr_expect_str_eq(content(path), "first second... 42 third");
    struct stat st;
    cr_assert_eq(stat(path, &st), 0);
    cr_expect_eq(st.st_mode & 0777, 0640);
    cr_expect_eq(entries(), 1);
}

Test(out, an_abandoned_file_leaves_the_target_alone)
{
    struct gg_error err = {0};
    const char *path = gg_fs_join(&arena, dir, "report.json");
    struct gg_out *out = gg_out_file(path, &err);
    gg_out_text(out, "old");
    cr_assert(gg_out_close(out, &err));
    out = gg_out_file(path, &err);
    gg_out_text(out, "new");
    gg_out_abandon(out);
    cr_expect_str_eq(content(path), "old");
    cr_expect_eq(entries(), 1);
}

Test(out, a_full_disk_is_told_once_at_the_end)
{
    struct gg_error err = {0};
    struct gg_out *out = gg_out_file("/dev/full", &err);
    cr_assert_not_null(out);
    for (int i = 0; i < 5000; i++)
        gg_out_text(out, "a line of a report that does not fit\n");
    cr_expect_not(gg_out_close(out, &err));
    cr_expect_str_eq(err.text, "/dev/full: cannot be written: No space left on device");
}

Test(out, what_cannot_be_written_says_why)
{
    struct gg_error err = {0}, other = {0};
    cr_expect_null(gg_out_file(dir, &err));
    cr_expect_not_null(strstr(err.text, "is a directory"));
    cr_expect_null(gg_out_file(gg_fs_join(&arena, dir, "no/such/report"), &other));
    cr_expect_not_null(strstr(other.text, "No such file or directory"));
}

Test(out, memory_keeps_everything)
{
    struct gg_out *out = gg_out_memory();
    char big[3000];
    memset(big, 'x', sizeof big);
    for (int i = 0; i < 100; i++)
        gg_out_write(out, big, sizeof big);
    gg_out_printf(out, "%.*s", 2000, big);
    gg_out_write(out, "a\0b", 3);
    size_t len = 0;
    char *text = gg_out_take(out, &len);
    cr_expect_eq(len, 100 * sizeof big + 2000 + 3);
    cr_expect_eq(memcmp(text + len - 3, "a\0b", 4), 0);
    free(text);
}

/* A pipe whose reader is slow and whose writing end somebody made non-blocking. */
Test(out, a_non_blocking_pipe_gets_everything)
{
    enum { SIZE = 1 << 20 };
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_neq(fcntl(ends[1], F_SETFL, O_NONBLOCK), -1);
    pid_t child = fork();
    if (child == 0) {
        static char buffer[4096];
        size_t got = 0;
        close(ends[1]);
        poll(NULL, 0, 50);
        for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
            got += (size_t)n;
        _exit(got == SIZE ? 0 : 1);
    }
    close(ends[0]);
    struct gg_out *out = gg_out_fd(ends[1], "standard output");
    gg_out_repeat(out, 'x', SIZE);
    struct gg_error err = {0};
    cr_expect(gg_out_close(out, &err), "%s", err.text);
    close(ends[1]);
    int status = -1;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
}

Test(out, a_file_keeps_its_mode)
{
    struct gg_error err = {0};
    const char *path = gg_fs_join(&arena, dir, "private.json");
    close(open(path, O_WRONLY | O_CREAT, 0600));
    struct gg_out *out = gg_out_file(path, &err);
    cr_assert(gg_out_close(out, &err));
    struct stat st;
    cr_assert(stat(path, &st) == 0);
    cr_assert_eq(st.st_mode & 0777, 0600);
}

Test(out, a_link_is_replaced_and_its_target_is_left_alone)
{
    struct gg_error err = {0};
    const char *target = gg_fs_join(&arena, dir, "target.json");
    const char *link_path = gg_fs_join(&arena, dir, "link.json");
    struct gg_out *old = gg_out_file(target, &err);
    gg_out_text(old, "old");
    cr_assert(gg_out_close(old, &err));
    cr_assert_eq(symlink("target.json", link_path), 0);
    struct gg_out *out = gg_out_file(link_path, &err);
    gg_out_text(out, "new");
    cr_assert(gg_out_close(out, &err));
    struct stat st;
    cr_assert(lstat(link_path, &st) == 0 && S_ISREG(st.st_mode));
    cr_assert_str_eq(content(link_path), "new");
    cr_assert_str_eq(content(target), "old");
}

Test(out, a_descriptor_by_name_is_written_in_place)
{
    struct gg_error err = {0};
    const char *path = gg_fs_join(&arena, dir, "log");
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    struct gg_out *out = gg_out_file(gg_arena_printf(&arena, "/dev/fd/%d", fd), &err);
    cr_assert_not_null(out, "%s", err.text);
    gg_out_text(out, "report\n");
    cr_assert(gg_out_close(out, &err));
    cr_assert_eq(entries(), 1);
    cr_assert_str_eq(content(path), "report\n");
    close(fd);
}
