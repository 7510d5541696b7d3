#include "capture/watch.h"

#include "base/proc.h"
#include "capture/inbox.h"
#include "capture/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
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
    TICK_EVERY = 1000,
    LONG = 60000
};

enum { HEARD = 16 << 10 /* bytes read at a time */ };

struct run {
    struct gg_watch *watch;
    struct gg_tree tree;
    struct gg_inbox inbox;
    int signals; /* a descriptor to read what we wait for from; -1: none */
    int heard;   /* a descriptor to read what the command says from; -1: none, or it has ended */
    long long tick;
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

static void hear_no_more(struct run *run)
{
    if (run->heard >= 0)
        close(run->heard);
    run->heard = -1;
}

/* Hands on what there is, but not more than fits here: a command that never falls silent must not
 * keep anything else from being seen. Returns how much it was. */
static size_t hear(struct run *run)
{
    char bytes[HEARD];
    ssize_t n = run->heard < 0 ? -1 : read(run->heard, bytes, sizeof bytes);
    if (n > 0)
        run->watch->output(run->watch->self, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        hear_no_more(run);
    return n > 0 ? (size_t)n : 0;
}

/* What the pipe holds at this moment is the last: a daemon may go on for ever. */
static void hear_the_rest(struct run *run)
{
    int held = 0;
    if (run->heard >= 0)
        ioctl(run->heard, FIONREAD, &held);
    for (size_t left = held > 0 ? (size_t)held : 0, n = 1; left && n; left -= n < left ? n : left)
        n = hear(run);
    hear_no_more(run);
}

static void tick(struct run *run)
{
    if (!run->watch->tick || gg_proc_now() < run->tick)
        return;
    run->watch->reports = run->inbox.reports;
    run->watch->tick(run->watch->self);
    run->tick = gg_proc_now() + TICK_EVERY;
}

static long long until_tick(const struct run *run, long long ms)
{
    long long left = run->watch->tick ? run->tick - gg_proc_now() : ms;
    left = left < ms ? left : ms;
    return left > 0 ? left : 0;
}

/* Waits for a signal, and does at once what else there is to do meanwhile: reports that come are
 * renamed, the command is heard. Not every event is a report: looking into the directory makes
 * some, too. */
static void wait_for_signal(struct run *run, long long ms)
{
    long long end = gg_proc_now() + ms;
    struct signalfd_siginfo info;
    do {
        struct pollfd polled[] = {{.fd = run->inbox.events, .events = POLLIN},
                                  {.fd = run->signals, .events = POLLIN},
                                  {.fd = run->heard, .events = POLLIN}};
        poll(polled, sizeof polled / sizeof *polled, (int)until_tick(run, ms));
        bool told = read(run->signals, &info, sizeof info) == sizeof info;
        gg_inbox_sort(&run->inbox); /* behind that, for it may be what the signal tells of */
        hear(run);
        tick(run);
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

/* *speak: what becomes the command's standard output and error, -1 for ours. 0, or errno. */
static int begin_to_hear(struct run *run, int *speak)
{
    int ends[] = {-1, -1};
    int failure = run->watch->output ? gg_proc_pipe(ends) : 0;
    *speak = failure ? -1 : ends[1];
    run->heard = failure ? -1 : ends[0];
    if (run->heard >= 0)
        fcntl(run->heard, F_SETFL, O_NONBLOCK);
    return failure;
}

/* 0, or errno. */
static int start_program(struct run *run)
{
    int speak;
    int failure = begin_to_hear(run, &speak);
    if (failure)
        return failure;
    pid_t pid = gg_proc_spawn(&(struct gg_spawn){.argv = run->watch->argv,
                                                 .in = -1,
                                                 .out = speak,
                                                 .err = speak,
                                                 .mask = &run->old_mask,
                                                 .sigchld = &run->old_sigchld,
                                                 .orphaned = SIGTERM});
    if (speak >= 0)
        close(speak);
    if (pid < 0)
        return -pid;
    run->watch->pid = run->tree.root = pid;
    return 0;
}

static int run_program(struct run *run)
{
    int failure = start_program(run);
    if (!failure) {
        if (run->watch->timeout)
            run->deadline = gg_proc_now() + 1000LL * run->watch->timeout;
        run->tick = gg_proc_now() + TICK_EVERY;
        failure = wait_for_program(run);
        wait_for_others(run);
    }
    hear_the_rest(run);
    return failure;
}

int gg_watch_run(struct gg_arena *arena, struct gg_watch *watch)
{
    struct run run = {.watch = watch, .heard = -1, .deadline = -1};
    run.tree = (struct gg_tree){.arena = arena, .directory = watch->directory};
    gg_inbox_open(&run.inbox, arena, watch->directory);
    int failure = hold_signals(&run);
    if (!failure)
        failure = run_program(&run);
    restore_signals(&run);
    gg_inbox_close(&run.inbox);
    watch->unsure = run.inbox.unsure;
    *gg_vec_push(arena, &run.inbox.made) = NULL;
    watch->made = run.inbox.made.at;
    return failure;
}
