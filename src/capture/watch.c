#include "capture/watch.h"

#include "base/proc.h"
#include "capture/inbox.h"
#include "capture/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds. */
enum {
    KILL_AFTER = 5000, /* from TERM to KILL: a valgrind in an error storm does not hear TERM */
    SIZE_EVERY = 500,
    LEFT_BEHIND = 2000, /* what children that outlive the program get to end their reports */
    LEFT_EVERY = 20,
    LONG = 60000
};

struct run {
    struct gg_watch *watch;
    struct gg_tree tree;
    struct gg_inbox inbox;
    int signals; /* a descriptor to read what we wait for from; -1: none */
    sigset_t old_mask;
    struct sigaction old_sigchld;
    long long deadline; /* when the timeout or the grace after TERM is over; -1: never */
    bool killed;
};

static void on_sigchld(int number)
{
    (void)number; /* only there because an ignored signal cannot be waited for */
}

/* From here to restore_signals nothing is lost: signals wait until they are asked for. What this
 * process ignores (HUP under nohup) stays ignored, here and in the program. 0, or errno. */
static int hold_signals(struct run *run)
{
    static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t waited;
    sigemptyset(&waited);
    sigaddset(&waited, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        struct sigaction action;
        if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&waited, passed_on[i]);
    }
    pthread_sigmask(SIG_BLOCK, &waited, &run->old_mask);
    struct sigaction action = {.sa_handler = on_sigchld};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, &run->old_sigchld);
    run->signals = signalfd(-1, &waited, SFD_NONBLOCK | SFD_CLOEXEC);
    return run->signals < 0 ? errno : 0;
}

static void restore_signals(struct run *run)
{
    if (run->signals >= 0)
        close(run->signals);
    sigaction(SIGCHLD, &run->old_sigchld, NULL);
    pthread_sigmask(SIG_SETMASK, &run->old_mask, NULL);
}

/* A hang-up reaches the leader of the session alone; all else from the kernel is a key on the
 * terminal, which all processes in its foreground get. */
static bool is_shared(const struct signalfd_siginfo *info)
{
    return info->ssi_code > 0 && !(info->ssi_signo == SIGHUP && getsid(0) == getpid());
}

static void take_signal(struct run *run, const struct signalfd_siginfo *info)
{
    struct gg_watch *watch = run->watch;
    int number = (int)info->ssi_signo;
    if (number == SIGCHLD)
        return;
    if (watch->stop == GG_STOP_NONE) {
        watch->stop = GG_STOP_SIGNAL;
        watch->stop_signal = number;
    }
    if (!is_shared(info))
        gg_tree_signal(&run->tree, number);
}

/* Waits for a signal, and renames at once the reports that come meanwhile. Not every event is
 * one: looking into the directory makes some, too. */
static void wait_for_signal(struct run *run, long long ms)
{
    long long end = gg_proc_now() + ms;
    struct pollfd polled[] = {{.fd = run->inbox.events, .events = POLLIN},
                              {.fd = run->signals, .events = POLLIN}};
    struct signalfd_siginfo info;
    do {
        poll(polled, sizeof polled / sizeof *polled, (int)ms);
        bool told = read(run->signals, &info, sizeof info) == sizeof info;
        gg_inbox_sort(&run->inbox); /* behind that, for it may be what the signal tells of */
        if (told) {
            take_signal(run, &info);
            return;
        }
        ms = end - gg_proc_now();
    } while (ms > 0);
}

static uint64_t total_size(const char *directory)
{
    uint64_t total = 0;
    DIR *dir = opendir(directory);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        struct stat st;
        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode))
            total += (uint64_t)st.st_size;
    }
    if (dir)
        closedir(dir);
    return total;
}

static bool is_limit(enum gg_capture_stop stop)
{
    return stop == GG_STOP_TIMEOUT || stop == GG_STOP_REPORT_SIZE;
}

static void stop_all(struct run *run, enum gg_capture_stop why)
{
    run->watch->stop = why;
    run->deadline = gg_proc_now() + KILL_AFTER;
    gg_tree_signal(&run->tree, SIGTERM);
}

static void check_limits(struct run *run)
{
    struct gg_watch *watch = run->watch;
    bool late = run->deadline >= 0 && gg_proc_now() >= run->deadline;
    if (is_limit(watch->stop)) {
        if (late && !run->killed) {
            run->killed = true;
            run->deadline = -1;
            gg_tree_kill(&run->tree);
        }
    } else if (late) {
        stop_all(run, GG_STOP_TIMEOUT);
    } else if (watch->max_report_size && total_size(watch->directory) > watch->max_report_size) {
        stop_all(run, GG_STOP_REPORT_SIZE);
    }
}

static long long patience(const struct run *run)
{
    long long ms = LONG;
    if (run->watch->max_report_size && !is_limit(run->watch->stop))
        ms = SIZE_EVERY;
    if (run->deadline >= 0) {
        long long left = run->deadline - gg_proc_now();
        ms = left < ms ? left : ms;
    }
    return ms > 0 ? ms : 0;
}

/* 0, or the errno when its status cannot be had. */
static int wait_for_program(struct run *run)
{
    struct gg_watch *watch = run->watch;
    pid_t ended;
    while ((ended = waitpid(watch->pid, &watch->status, WNOHANG)) == 0) {
        wait_for_signal(run, patience(run));
        check_limits(run);
    }
    run->tree.root = 0; /* from now on it may be somebody else's number */
    return ended < 0 ? errno : 0;
}

/* The program is gone, its children may not be. After a limit all of them go; else those that are
 * writing a report get a moment to end it, and a daemon is left to itself. */
static void wait_for_others(struct run *run)
{
    bool limit = is_limit(run->watch->stop);
    long long deadline = limit ? run->deadline : gg_proc_now() + LEFT_BEHIND;
    while (gg_proc_now() < deadline &&
           (limit ? gg_tree_look(&run->tree) > 0 : gg_tree_is_writing(&run->tree)))
        wait_for_signal(run, LEFT_EVERY);
    if (limit)
        gg_tree_kill(&run->tree);
}

static int run_program(struct run *run)
{
    struct gg_watch *watch = run->watch;
    pid_t pid = gg_proc_spawn(&(struct gg_spawn){.argv = watch->argv,
                                                 .in = -1,
                                                 .out = -1,
                                                 .err = -1,
                                                 .mask = &run->old_mask,
                                                 .sigchld = &run->old_sigchld,
                                                 .orphaned = SIGTERM});
    if (pid < 0)
        return -pid;
    watch->pid = run->tree.root = pid;
    if (watch->timeout)
        run->deadline = gg_proc_now() + 1000LL * watch->timeout;
    int failure = wait_for_program(run);
    wait_for_others(run);
    return failure;
}

int gg_watch_run(struct gg_arena *arena, struct gg_watch *watch)
{
    struct run run = {.watch = watch, .deadline = -1};
    run.tree = (struct gg_tree){.arena = arena, .directory = watch->directory};
    gg_inbox_open(&run.inbox, arena, watch->directory);
    int failure = hold_signals(&run);
    if (!failure)
        failure = run_program(&run);
    restore_signals(&run);
    gg_inbox_close(&run.inbox);
    watch->unsure = run.inbox.unsure;
    return failure;
}
