#define _GNU_SOURCE /* close_range */
#include "base/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAILURE_FD = 3 }; /* where the child keeps the pipe that tells why exec failed */

/* The same file above the standard descriptors: one of those may be closed here, and is to stay so
 * in the child. -1 with errno set when there is none. */
static int move_up(int fd)
{
    if (fd < 0)
        return -1;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FAILURE_FD);
    int failure = errno;
    close(fd);
    errno = failure;
    return moved;
}

int gg_proc_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return errno;
    ends[0] = move_up(ends[0]);
    int failure = ends[0] < 0 ? errno : 0;
    ends[1] = move_up(ends[1]);
    if (ends[1] < 0)
        failure = errno;
    if (failure && ends[0] >= 0)
        close(ends[0]);
    if (failure && ends[1] >= 0)
        close(ends[1]);
    return failure;
}

static void close_from(int first)
{
    if (close_range((unsigned)first, UINT_MAX, 0) == 0)
        return;
    /* A kernel before 5.9, or a sandbox that does not let the call through. */
    DIR *dir = opendir("/proc/self/fd");
    if (!dir)
        return;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        int fd = atoi(entry->d_name);
        if (fd >= first && fd != dirfd(dir))
            close(fd);
    }
    closedir(dir);
}

/* Handlers of this process must not run in the child: between here and exec its signals do what
 * they do in a program without any. Ignored ones stay ignored (nohup). */
static void usual_signals(const struct gg_spawn *spawn)
{
    static const int caught[] = {SIGHUP, SIGINT, SIGTERM, SIGCHLD};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction action;
        if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(caught[i], SIG_DFL);
    }
    if (spawn->sigchld && spawn->sigchld->sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_IGN);
    if (spawn->mask)
        sigprocmask(SIG_SETMASK, spawn->mask, NULL);
}

/* The parent may be gone already, and then nothing tells of it any more. */
static void die_with(pid_t parent, int number)
{
    if (number && prctl(PR_SET_PDEATHSIG, (unsigned long)number) == 0 && getppid() != parent)
        raise(number);
}

static _Noreturn void become(const struct gg_spawn *spawn, pid_t parent, int failure_fd)
{
    const int from[] = {spawn->in, spawn->out, spawn->err};
    for (int to = 0; to < 3; to++) {
        if (from[to] >= 0)
            dup2(from[to], to);
    }
    if (failure_fd != FAILURE_FD)
        dup3(failure_fd, FAILURE_FD, O_CLOEXEC);
    close_from(FAILURE_FD + 1);
    usual_signals(spawn);
    die_with(parent, spawn->orphaned);
    execvp(spawn->argv[0], (char *const *)spawn->argv);
    int failure = errno;
    (void)!write(FAILURE_FD, &failure, sizeof failure);
    _exit(127);
}

static void reap(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

pid_t gg_proc_spawn(const struct gg_spawn *spawn)
{
    int ends[2];
    int failure = gg_proc_pipe(ends);
    if (failure)
        return -failure;
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(spawn, parent, ends[1]);
    if (pid < 0)
        failure = errno;
    close(ends[1]);
    ssize_t n = 0;
    if (pid > 0) {
        do
            n = read(ends[0], &failure, sizeof failure);
        while (n < 0 && errno == EINTR);
    }
    close(ends[0]);
    if (n > 0)
        reap(pid);
    return failure ? -failure : pid;
}

long long gg_proc_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads until the end, the limit or the deadline. */
static size_t hear_out(int fd, char *buffer, size_t limit, long long deadline)
{
    size_t len = 0;
    while (len < limit) {
        long long left = deadline - gg_proc_now();
        struct pollfd poller = {.fd = fd, .events = POLLIN};
        if (left <= 0 || poll(&poller, 1, left > INT_MAX ? INT_MAX : (int)left) == 0)
            break;
        ssize_t n = read(fd, buffer + len, limit - len);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        if (n > 0)
            len += (size_t)n;
    }
    return len;
}

int gg_proc_hear(struct gg_arena *arena, const char *const *argv, size_t limit, unsigned seconds,
                 struct gg_str *said)
{
    int ends[2];
    int failure = gg_proc_pipe(ends);
    if (failure)
        return failure;
    int nothing = move_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
    pid_t pid = gg_proc_spawn(
        &(struct gg_spawn){.argv = argv, .in = nothing, .out = ends[1], .err = ends[1]});
    close(ends[1]);
    if (nothing >= 0)
        close(nothing);
    if (pid > 0) {
        char *text = gg_arena_alloc(arena, limit + 1);
        *said = gg_str_n(text, hear_out(ends[0], text, limit, gg_proc_now() + 1000LL * seconds));
        kill(pid, SIGKILL);
        reap(pid);
    }
    close(ends[0]);
    return pid < 0 ? -pid : 0;
}

const char *gg_proc_signal_name(struct gg_arena *arena, int number)
{
    static const struct {
        int number;
        const char *name;
    } table[] = {
        {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},       {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
        {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},     {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
        {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},     {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
        {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},     {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"},
        {SIGXFSZ, "SIGXFSZ"}, {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGSYS, "SIGSYS"},
        {SIGPOLL, "SIGPOLL"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].number == number)
            return table[i].name;
    }
    return gg_arena_printf(arena, "SIG%d", number);
}
