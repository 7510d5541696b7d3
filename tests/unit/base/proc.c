#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"

static struct gg_arena arena;

static void begin(void)
{
    gg_arena_init(&arena);
}

static void end(void)
{
    gg_arena_free(&arena);
}

TestSuite(proc, .init = begin, .fini = end, .timeout = 60);

static const char *sh(const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct gg_str said;
    cr_assert_eq(gg_proc_hear(&arena, argv, 4096, 30, &said), 0);
    return said.ptr;
}

static int status_of(struct gg_spawn spawn)
{
    int status = -1;
    pid_t pid = gg_proc_spawn(&spawn);
    cr_assert_gt(pid, 0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static void skip_under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    if (preload && strstr(preload, "vgpreload"))
        cr_skip_test("valgrind has descriptors of its own in every process");
}

/* ls lists the directory it reads too, as 3. */
static void expect_three_descriptors(void)
{
    cr_assert(dup2(1, 20) == 20 && dup2(1, 333) == 333);
    const char *const argv[] = {"ls", "/proc/self/fd", NULL};
    struct gg_str said;
    cr_assert_eq(gg_proc_hear(&arena, argv, 4096, 30, &said), 0);
    cr_expect_str_eq(said.ptr, "0\n1\n2\n3\n");
}

Test(proc, hands_on_three_descriptors)
{
    skip_under_valgrind();
    expect_three_descriptors();
}

Test(proc, hands_on_three_descriptors_on_an_old_kernel)
{
    skip_under_valgrind();
#ifdef SYS_close_range
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        cr_skip_test("no system call filter can be set here");
    cr_assert(syscall(SYS_close_range, ~0U, ~0U, 0) == -1 && errno == ENOSYS);
#endif
    expect_three_descriptors();
}

/* Killed, its parent cannot pass anything on. */
Test(proc, tells_a_child_that_it_is_orphaned)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        const char *const argv[] = {"sleep", "50", NULL};
        struct gg_spawn spawn = {
            .argv = argv, .in = -1, .out = ends[1], .err = -1, .orphaned = SIGTERM};
        _exit(gg_proc_spawn(&spawn) < 0 || raise(SIGKILL));
    }
    cr_assert_gt(parent, 0);
    close(ends[1]);
    char byte;
    cr_expect_eq(read(ends[0], &byte, 1), 0); /* nobody holds the other end any more */
    int status;
    cr_assert_eq(waitpid(parent, &status, 0), parent);
    cr_expect(WIFSIGNALED(status), "%x", (unsigned)status);
}

Test(proc, leaves_a_closed_stream_closed)
{
    close(0);
    const char *const argv[] = {"sh", "-c", "[ ! -e /proc/self/fd/0 ]", NULL};
    cr_expect_eq(status_of((struct gg_spawn){.argv = argv, .in = -1, .out = -1, .err = -1}), 0);
    cr_expect_str_eq(sh("readlink /proc/self/fd/0"), "/dev/null\n");
}

Test(proc, says_why_a_program_cannot_be_executed)
{
    const char *const missing[] = {"/nowhere/at-all", NULL}, *const directory[] = {"/", NULL};
    struct gg_spawn spawn = {.argv = missing, .in = -1, .out = -1, .err = -1};
    cr_expect_eq(gg_proc_spawn(&spawn), -ENOENT);
    spawn.argv = directory;
    cr_expect_eq(gg_proc_spawn(&spawn), -EACCES);
    cr_expect(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
    struct gg_str said;
    cr_expect_eq(gg_proc_hear(&arena, missing, 10, 1, &said), ENOENT);
}

Test(proc, hears_both_streams)
{
    cr_expect_str_eq(sh("cat; echo one; echo two >&2"), "one\ntwo\n");
}

Test(proc, stops_listening)
{
    struct gg_str said;
    const char *const talk[] = {"yes", NULL}, *const sleep[] = {"sleep", "50", NULL};
    long long start = gg_proc_now();
    cr_assert_eq(gg_proc_hear(&arena, talk, 1001, 30, &said), 0);
    cr_expect_eq(said.len, 1001);
    cr_assert_eq(gg_proc_hear(&arena, sleep, 1001, 1, &said), 0);
    cr_expect_eq(said.len, 0);
    cr_expect_lt(gg_proc_now() - start, 20000);
    cr_expect(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
}

static void on_signal(int number)
{
    (void)number;
}

Test(proc, gives_the_child_the_signals_it_is_told)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, on_signal);
    const char *const argv[] = {"grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status", NULL};
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_expect_eq(
        status_of((struct gg_spawn){
            .argv = argv, .in = -1, .out = ends[1], .err = -1, .mask = &mask, .sigchld = &ignored}),
        0);
    char text[128] = {0};
    unsigned long long blocked = 0, bits = 0;
    cr_assert_gt(read(ends[0], text, sizeof text - 1), 0);
    cr_assert_eq(sscanf(text, "SigBlk: %llx SigIgn: %llx", &blocked, &bits), 2);
    cr_expect_eq(blocked, 1ULL << (SIGUSR1 - 1));
    cr_expect(bits >> (SIGHUP - 1) & 1);
    cr_expect(bits >> (SIGCHLD - 1) & 1);
    cr_expect_not(bits >> (SIGINT - 1) & 1);
}

Test(proc, names_signals_as_the_shell_does)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,  SIGBUS,
                                  SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE,  SIGALRM,
                                  SIGTERM, SIGXCPU, SIGXFSZ, SIGPROF, SIGSYS,  SIGVTALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char script[32], name[32];
        snprintf(script, sizeof script, "kill -l %d", numbers[i]);
        snprintf(name, sizeof name, "%s\n", gg_proc_signal_name(&arena, numbers[i]) + 3);
        cr_expect_str_eq(sh(script), name);
    }
    cr_expect_str_eq(gg_proc_signal_name(&arena, 40), "SIG40");
}
