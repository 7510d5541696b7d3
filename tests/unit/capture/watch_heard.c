/* What a command says, and that somebody is told while it takes long. No valgrind is needed. */
#include "lab.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/vec.h"
#include "capture/watch.h"

static struct lab lab;
static struct gg_watch watch;
static GG_VEC(char) said;

static void take(void *self, const char *bytes, size_t len)
{
    cr_assert_eq(self, (void *)&lab);
    for (size_t i = 0; i < len; i++)
        *gg_vec_push(&lab.arena, &said) = bytes[i];
}

static void begin(void)
{
    lab_open(&lab);
    lab_block_stdin();
    watch = (struct gg_watch){.directory = lab.dir, .output = take, .self = &lab};
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(watch_heard, .init = begin, .fini = end, .timeout = 120);

static void run_sh(const char *script)
{
    watch.argv = (const char *const[]){"/bin/sh", "-c", script, NULL};
    cr_assert_eq(gg_watch_run(&lab.arena, &watch), 0);
    *gg_vec_push(&lab.arena, &said) = '\0';
}

Test(watch_heard, hears_both_streams_in_order)
{
    run_sh("echo out; echo err >&2; echo more; exit 3");
    cr_expect_str_eq(said.at, "out\nerr\nmore\n");
    cr_expect_eq(WEXITSTATUS(watch.status), 3);
}

/* The numbers from 1 to 200000, each with its newline: 9 of one digit, 90 of two ... */
Test(watch_heard, hears_more_than_a_pipe_holds_to_the_end)
{
    run_sh("seq 200000");
    cr_expect_eq(said.len - 1, 9 * 2 + 90 * 3 + 900 * 4 + 9000 * 5 + 90000 * 6 + 100001 * 7);
    cr_expect_eq(strcmp(said.at + said.len - 1 - strlen("199999\n200000\n"), "199999\n200000\n"),
                 0);
}

Test(watch_heard, does_not_wait_for_a_daemon_that_could_speak)
{
    run_sh("sleep 100 & echo $!");
    pid_t daemon = (pid_t)atol(said.at);
    cr_assert_gt(daemon, 1);
    cr_expect_eq(kill(daemon, SIGKILL), 0, "it was waited for");
}

Test(watch_heard, does_not_wait_for_a_daemon_that_speaks_without_end)
{
    run_sh("yes & exit 4");
    cr_expect_eq(WEXITSTATUS(watch.status), 4);
}

Test(watch_heard, stops_a_command_that_speaks_without_end)
{
    watch.timeout = 1;
    run_sh("while :; do echo again; done");
    cr_expect_eq(watch.stop, GG_STOP_TIMEOUT);
    cr_expect_eq(strncmp(said.at, "again\nagain\n", strlen("again\nagain\n")), 0);
}

Test(watch_heard, goes_on_when_the_command_closes_its_streams)
{
    run_sh("echo last; exec >&- 2>&-; sleep 0.2; exit 5");
    cr_expect_str_eq(said.at, "last\n");
    cr_expect_eq(WEXITSTATUS(watch.status), 5);
}

Test(watch_heard, hears_where_standard_descriptors_are_closed)
{
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    run_sh("echo out; echo err >&2");
    cr_expect_str_eq(said.at, "out\nerr\n");
}

Test(watch_heard, leaves_our_streams_to_a_command_nobody_hears)
{
    watch.output = NULL;
    lab_redirect(&lab, STDOUT_FILENO, "stdout");
    run_sh("echo out");
    cr_expect_str_eq(lab_read(&lab, lab_path(&lab, "stdout")), "out\n");
    cr_expect_eq(said.len, 1);
}

Test(watch_heard, hears_nothing_of_what_cannot_be_executed)
{
    watch.argv = (const char *const[]){"/nowhere/at-all", NULL};
    cr_expect_neq(gg_watch_run(&lab.arena, &watch), 0);
    cr_expect_eq(said.len, 0);
}

/* --- ticks ------------------------------------------------------------------------------ */

enum { TICKS = 3 };

static int ticks;

static void count(void *self)
{
    (void)self;
    if (++ticks == TICKS)
        fclose(fopen(lab_path(&lab, "enough"), "w"));
}

/* The command lasts until it was ticked for: were it never, the timeout would say so. */
Test(watch_heard, ticks_about_every_second)
{
    watch.tick = count;
    watch.timeout = 60;
    cr_assert_eq(setenv("ENOUGH", lab_path(&lab, "enough"), 1), 0);
    long long start = gg_proc_now();
    run_sh("until test -e \"$ENOUGH\"; do sleep 0.05; echo busy; done; exit 6");
    cr_expect_eq(watch.stop, GG_STOP_NONE);
    cr_expect_eq(WEXITSTATUS(watch.status), 6);
    cr_expect_leq(1000LL * ticks, gg_proc_now() - start, "%d ticks", ticks);
}

Test(watch_heard, does_not_tick_for_what_is_short)
{
    watch.tick = count;
    long long start = gg_proc_now();
    run_sh(":");
    cr_expect_leq(1000LL * ticks, gg_proc_now() - start, "%d ticks", ticks);
}
