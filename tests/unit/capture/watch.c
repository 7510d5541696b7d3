#define _XOPEN_SOURCE 700
#include "lab.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"

static struct lab lab;

static void begin(void)
{
    lab_open(&lab);
    lab_block_stdin();
}

static void end(void)
{
    for (const char *const *name = lab.capture.reports; name && *name; name++) {
        if (lab_is_alive(atol(*name)))
            kill((pid_t)atol(*name), SIGKILL);
    }
    lab_close(&lab);
}

TestSuite(watch, .init = begin, .fini = end, .timeout = 120);

static bool is_complete(size_t report)
{
    return strstr(lab_report(&lab, report), "</valgrindoutput>") != NULL;
}

/* Soon, as a report ends a moment before its process. */
static void expect_all_gone(void)
{
    for (const char *const *name = lab.capture.reports; *name; name++) {
        for (int i = 0; i < 100 && lab_is_alive(atol(*name)); i++)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        cr_expect_not(lab_is_alive(atol(*name)), "%s lives", *name);
    }
}

enum { TIMEOUT = 3 /* seconds; enough to have begun on a busy machine */ };

Test(watch, ends_by_term_what_takes_too_long)
{
    lab.options.timeout = TIMEOUT;
    long long start = gg_proc_now();
    cr_assert(lab_sh(&lab, "read x"), "%s", lab.err.text);
    cr_expect_geq(gg_proc_now() - start, 1000 * TIMEOUT);
    cr_expect_lt(gg_proc_now() - start, 1000 * TIMEOUT + 5000);
    cr_expect_eq(lab.capture.stop, GG_STOP_TIMEOUT);
    cr_expect_eq(lab.capture.signal, SIGTERM);
    cr_assert_eq(lab_report_count(&lab), 1);
    cr_expect(is_complete(0));
}

Test(watch, kills_what_ignores_term)
{
    lab.options.timeout = TIMEOUT;
    cr_assert(lab_sh(&lab, "trap '' TERM; read x"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.stop, GG_STOP_TIMEOUT);
    cr_expect_eq(lab.capture.signal, SIGKILL);
    cr_assert_eq(lab_report_count(&lab), 1);
    cr_expect_not(is_complete(0));
}

/* Its parent is gone before the time has come: only its report tells whose it is. */
Test(watch, kills_orphans_that_ignore_term)
{
    lab.options.timeout = TIMEOUT;
    cr_assert(lab_sh(&lab, "exec 3<&0; ((trap '' TERM; read x <&3) &); read x"), "%s",
              lab.err.text);
    cr_expect_eq(lab.capture.signal, SIGTERM);
    cr_assert_eq(lab_report_count(&lab), 3);
    cr_expect_eq(is_complete(0) + is_complete(1) + is_complete(2), 2);
    expect_all_gone();
}

/* valgrind was told to leave this one alone, its parent goes with the first TERM, and it does not
 * hold a report open (valgrind 3.19 hands its files on to such a program). */
Test(watch, kills_untraced_children_that_ignore_term)
{
    lab.options.timeout = TIMEOUT;
    lab.options.valgrind_args = (const char *const[]){"--trace-children-skip=*/sleep", NULL};
    cr_assert(lab_sh(&lab, "(trap '' TERM; exec sleep 77 3>&- 4>&- 5>&- 6>&-) & wait"), "%s",
              lab.err.text);
    cr_expect_eq(lab.capture.signal, SIGTERM);
    cr_assert_eq(lab_report_count(&lab), 2);
    expect_all_gone();
}

/* Zeroed memory run as code: an invalid access at each address, and valgrind deaf to TERM. */
Test(watch, stops_a_storm)
{
#ifdef __x86_64__
    const char *program =
        lab_build(&lab, "#include <stdlib.h>\n"
                        "int main(void)\n"
                        "{\n"
                        "    char *code = calloc(1, 64 << 20), *gone = malloc(64);\n"
                        "    free(gone);\n"
                        "    __asm__ volatile(\"jmp *%0\" ::\"r\"(code + 4096), \"a\"(gone));\n"
                        "}\n");
    lab.options.max_report_size = 1 << 20;
    cr_assert(lab_run(&lab, (const char *const[]){program, NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.stop, GG_STOP_REPORT_SIZE);
    cr_expect_eq(lab.capture.exit_code, -1);
    struct stat st;
    cr_assert_eq(lab_report_count(&lab), 1);
    cr_assert_eq(stat(gg_fs_join(&lab.arena, lab.capture.directory, lab.capture.reports[0]), &st),
                 0);
    cr_expect_gt(st.st_size, 1 << 20);
    expect_all_gone();
#else
    cr_skip_test("the storm is made of x86 code");
#endif
}

Test(watch, counts_the_reports_of_all_processes)
{
    lab.options.max_report_size = 20000;
    cr_assert(lab_sh(&lab, "while :; do (:); done"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.stop, GG_STOP_REPORT_SIZE);
    size_t total = 0, largest = 0;
    for (size_t i = 0; i < lab_report_count(&lab); i++) {
        size_t size = strlen(lab_report(&lab, i));
        total += size;
        largest = size > largest ? size : largest;
    }
    cr_expect_gt(total, 20000);
    cr_expect_lt(largest, 20000);
}

static void wait_until(const char *path)
{
    while (access(path, F_OK) != 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* Waits until the program has made the file $READY, then sends the signal to the test itself. */
static void send_when_ready(int number)
{
    pid_t self = getpid();
    cr_assert_eq(setenv("READY", lab_path(&lab, "ready"), 1), 0);
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid > 0)
        return;
    wait_until(getenv("READY"));
    kill(self, number);
    _exit(0);
}

Test(watch, passes_a_signal_on_to_the_whole_tree)
{
    send_when_ready(SIGTERM);
    cr_assert(lab_sh(&lab, "(: >$READY; read x); exit 3"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.stop, GG_STOP_SIGNAL);
    cr_expect_eq(lab.capture.stop_signal, SIGTERM);
    cr_expect_eq(lab.capture.signal, SIGTERM);
    cr_assert_eq(lab_report_count(&lab), 2);
    cr_expect(is_complete(0) && is_complete(1));
    expect_all_gone();
}

Test(watch, lets_the_program_answer_a_signal)
{
    send_when_ready(SIGINT);
    cr_assert(lab_sh(&lab, "trap 'exit 9' INT; : >$READY; while :; do :; done"), "%s",
              lab.err.text);
    cr_expect_eq(lab.capture.stop_signal, SIGINT);
    cr_expect_eq(lab.capture.exit_code, 9);
}

Test(watch, leaves_an_ignored_signal_ignored)
{
    signal(SIGHUP, SIG_IGN);
    send_when_ready(SIGHUP);
    cr_assert(lab_sh(&lab, ": >$READY; kill -HUP $$; exit 5"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.stop, GG_STOP_NONE);
    cr_expect_eq(lab.capture.exit_code, 5);
}

static void on_signal(int number)
{
    (void)number;
}

Test(watch, gives_signals_back)
{
    struct sigaction before = {.sa_handler = on_signal}, after;
    sigset_t blocked, found;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigaction(SIGCHLD, &before, NULL);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}), "%s", lab.err.text);
    sigaction(SIGCHLD, NULL, &after);
    cr_expect(after.sa_handler == on_signal);
    sigprocmask(SIG_BLOCK, NULL, &found);
    cr_expect(sigismember(&found, SIGUSR1));
    cr_expect_not(sigismember(&found, SIGTERM) || sigismember(&found, SIGCHLD));
}

/* With SIGCHLD ignored the kernel would reap the child and its exit status with it. */
Test(watch, keeps_the_exit_status_where_children_are_ignored)
{
    signal(SIGCHLD, SIG_IGN);
    cr_assert(lab_sh(&lab, "exit 6"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 6);
}

Test(watch, waits_for_children_that_end_soon)
{
    cr_assert(lab_sh(&lab, "(i=0; while [ $i -lt 500 ]; do i=$((i+1)); done) & exit 4"));
    cr_expect_eq(lab.capture.exit_code, 4);
    cr_assert_eq(lab_report_count(&lab), 2);
    cr_expect(is_complete(0) && is_complete(1));
}

Test(watch, does_not_wait_for_a_daemon)
{
    long long start = gg_proc_now();
    cr_assert(lab_sh(&lab, "exec 3<&0; (read x <&3) & exit 4"), "%s", lab.err.text);
    cr_expect_lt(gg_proc_now() - start, 20000);
    cr_expect_eq(lab.capture.exit_code, 4);
    cr_assert_eq(lab_report_count(&lab), 2);
    cr_expect_neq(is_complete(0), is_complete(1));
    size_t daemon = is_complete(0) ? 1 : 0;
    cr_expect(lab_is_alive(atol(lab.capture.reports[daemon])));
}

/* A session of its own on a new terminal, as from a login; returns the terminal's other side. */
static int start_session(pid_t *pid)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0)
        cr_skip_test("no terminal can be made here: /dev/pts is not mounted");
    cr_assert(grantpt(master) == 0 && unlockpt(master) == 0);
    *pid = fork();
    cr_assert_geq(*pid, 0);
    if (*pid > 0)
        return master;
    setsid();
    int slave = open(ptsname(master), O_RDWR);
    close(master);
    ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++)
        dup2(slave, fd);
    return -1;
}

/* ^C goes to every process in the foreground. Passed on as well it would come twice. */
Test(watch, leaves_the_keys_of_the_terminal_to_the_terminal)
{
    cr_assert_eq(setenv("READY", lab_path(&lab, "ready"), 1), 0);
    const char *program = lab_build(
        &lab, "#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <time.h>\n"
              "static volatile int count;\n"
              "static void on_int(int number) { count += number == SIGINT; }\n"
              "int main(void)\n"
              "{\n"
              "    signal(SIGINT, on_int);\n"
              "    open(getenv(\"READY\"), O_CREAT | O_WRONLY, 0600);\n"
              "    for (int i = 0; i < 100; i += count > 0)\n"
              "        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);\n"
              "    return count;\n"
              "}\n");
    pid_t pid;
    int terminal = start_session(&pid);
    if (terminal < 0) {
        bool ok = lab_run(&lab, (const char *const[]){program, NULL});
        gg_capture_forget(&lab.capture);
        _exit(ok && lab.capture.stop_signal == SIGINT ? 10 + lab.capture.exit_code : 1);
    }
    wait_until(getenv("READY"));
    cr_assert_eq(write(terminal, "\003", 1), 1);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 11, "%x", (unsigned)status);
}

/* A terminal that hangs up tells the leader of its session only. */
Test(watch, passes_a_hang_up_on)
{
    cr_assert_eq(setenv("READY", lab_path(&lab, "ready"), 1), 0);
    pid_t pid;
    int terminal = start_session(&pid);
    if (terminal < 0) {
        lab.options.timeout = 20;
        bool ok = lab_sh(&lab, "trap 'exit 7' HUP; : >$READY; while :; do :; done");
        gg_capture_forget(&lab.capture);
        _exit(ok && lab.capture.stop_signal == SIGHUP ? lab.capture.exit_code : 1);
    }
    wait_until(getenv("READY"));
    close(terminal);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%x", (unsigned)status);
}

/* The program can read from it: it was not put into the background. */
Test(watch, leaves_the_terminal_to_the_program)
{
    pid_t pid;
    int terminal = start_session(&pid);
    if (terminal < 0) {
        bool ok = lab_sh(&lab, "echo ready; read line; test \"$line\" = typed && exit 8");
        gg_capture_forget(&lab.capture);
        _exit(ok ? lab.capture.exit_code : 1);
    }
    cr_assert_eq(write(terminal, "typed\n", 6), 6);
    char text[256];
    while (read(terminal, text, sizeof text) > 0)
        ;
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 8, "%x", (unsigned)status);
}
