#include "cli/parting.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* What `child` writes to standard error, and how it ends. */
static FILE *start(void (*child)(void), pid_t *pid)
{
    FILE *file = tmpfile();
    cr_assert(file);
    *pid = fork();
    if (*pid == 0) {
        setpgid(0, 0); /* with a parent in another group ^Z stops it */
        dup2(fileno(file), STDERR_FILENO);
        child();
        _exit(0);
    }
    cr_assert_gt(*pid, 0);
    return file;
}

static void expect_written(FILE *file, const char *expected)
{
    char text[256] = "";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_expect_str_eq(text, expected);
    fclose(file);
}

static void expect_death(void (*child)(void), int number, const char *expected)
{
    pid_t pid;
    int status;
    FILE *file = start(child, &pid);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == number, "%x", status);
    expect_written(file, expected);
}

static void interrupted(void)
{
    gg_parting_set("old");
    gg_parting_set("bye");
    raise(SIGINT);
}

static void out_of_memory(void)
{
    gg_parting_set("bye");
    abort();
}

static void interrupted_later(void)
{
    gg_parting_set("bye");
    gg_parting_set(NULL);
    raise(SIGINT);
}

/* The signal comes when what it finds is whole. */
static void interrupted_between(void)
{
    gg_parting_hold();
    raise(SIGTERM);
    gg_parting_set("bye");
    gg_parting_release();
}

Test(parting, is_written_before_death)
{
    expect_death(interrupted, SIGINT, "bye");
    expect_death(out_of_memory, SIGABRT, "bye");
    expect_death(interrupted_between, SIGTERM, "bye");
    expect_death(interrupted_later, SIGINT, "");
}

static void ignoring(void)
{
    signal(SIGHUP, SIG_IGN);
    gg_parting_set("bye");
    raise(SIGHUP);
}

Test(parting, leaves_ignored_signals_alone)
{
    pid_t pid;
    int status;
    FILE *file = start(ignoring, &pid);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0);
    expect_written(file, "");
}

static void stopped_as_usual(void)
{
    raise(SIGTSTP);
}

/* Under valgrind the signal does nothing. */
static bool can_be_stopped(void)
{
    pid_t pid;
    int status;
    fclose(start(stopped_as_usual, &pid));
    cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
    if (!WIFSTOPPED(status))
        return false;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return true;
}

static void stopped(void)
{
    gg_parting_set("first");
    raise(SIGTSTP);
    if (gg_parting())
        _exit(1);
    gg_parting_set("second");
    raise(SIGTSTP);
}

Test(parting, is_written_before_each_stop)
{
    pid_t pid;
    int status;
    if (!can_be_stopped())
        cr_skip_test("SIGTSTP stops nothing here");
    FILE *file = start(stopped, &pid);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
        cr_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP, "%x", status);
        kill(pid, SIGCONT);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0);
    expect_written(file, "firstsecond");
}
