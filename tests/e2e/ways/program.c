// What a program under test can do to its run. Each argument is a mode, named after what happens;
// the last images and children are "clean" (no error) or "error" (one byte written past a block).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *self;

static int error(void)
{
    volatile char *block = malloc(2);
    block[2] = 1;
    free((void *)block);
    return 0;
}

static int clean(void)
{
    return 0;
}

static int become(const char *mode)
{
    execl(self, self, mode, (char *)NULL);
    return 9;
}

static int wait_for(pid_t child)
{
    return waitpid(child, NULL, 0) == child ? 0 : 9;
}

static void sleep_ms(long ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0)
        ;
}

static void say_pid(void)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
}

/* --- ways to end ------------------------------------------------------------------------ */

static int fails(void)
{
    return 7;
}

static int exits_at_once(void)
{
    error();
    _exit(0);
}

_Noreturn static int waits(void)
{
    say_pid();
    for (;;)
        pause();
}

static int hangs(void)
{
    signal(SIGTERM, SIG_IGN);
    return waits();
}

static int kills_itself(void)
{
    return kill(getpid(), SIGKILL);
}

static int aborts(void)
{
    abort();
}

static void on_term(int number)
{
    (void)number;
    error();
    _exit(0);
}

static int handles_term(void)
{
    signal(SIGTERM, on_term);
    return waits();
}

/* Every round is an error of its own: the address that is read from differs. */
static int storms(void)
{
    volatile char *block = malloc(2);
    static volatile char sum;
#define ONE sum += block[3];
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
    TEN TEN TEN TEN TEN return waits();
}

/* A hundred leaks, each from a line of its own, are more than a small file can take. */
static int leaks(void)
{
    static char *volatile lost;
#define LEAK lost = malloc(8);
#define LEAKS LEAK LEAK LEAK LEAK LEAK LEAK LEAK LEAK LEAK LEAK
    LEAKS LEAKS LEAKS LEAKS LEAKS LEAKS LEAKS LEAKS LEAKS LEAKS lost = NULL;
    return 0;
}

/* What a leak check has to walk through for a while. */
static int hoards(void)
{
    void **last = NULL;
    for (int i = 0; i < 400000; i++) {
        void **block = malloc(64);
        *block = last;
        last = block;
    }
    static void *volatile kept;
    kept = last;
    say_pid();
    return 0;
}

static int wants_too_much(void)
{
    for (;;) {
        volatile char *block = malloc(64 << 20);
        if (!block)
            return 0;
        for (size_t i = 0; i < 64 << 20; i += 4096)
            block[i] = 1;
    }
}

static void *sleeps(void *argument)
{
    for (;;)
        pause();
    return argument;
}

static int leaves_threads(void)
{
    pthread_t thread;
    error();
    return pthread_create(&thread, NULL, sleeps, NULL);
}

static int executes_code(void)
{
    int (*volatile nothing)(void) = NULL;
    return nothing();
}

/* --- images and children ---------------------------------------------------------------- */

static int execs_itself(void)
{
    error();
    return become("clean");
}

static int forks(void)
{
    pid_t child = fork();
    if (child == 0)
        exit(error());
    return wait_for(child);
}

static int vforks(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execl(self, self, "error", (char *)NULL);
        _exit(9);
    }
    return wait_for(child);
}

static int vforks_without_exec(void)
{
    pid_t child = vfork();
    if (child == 0)
        _exit(0);
    return wait_for(child);
}

static int spawns(void)
{
    pid_t child;
    char *arguments[] = {self, "error", NULL};
    return posix_spawn(&child, self, NULL, NULL, arguments, environ) ? 9 : wait_for(child);
}

static int calls_system(void)
{
    return system("./program error");
}

static int calls_popen(void)
{
    FILE *pipe = popen("./program error", "r");
    return pipe ? pclose(pipe) : 9;
}

static int execs_nothing(void)
{
    pid_t child = fork();
    if (child == 0) {
        execl("./nothing", "./nothing", (char *)NULL);
        _exit(error());
    }
    return wait_for(child);
}

static int execs_a_script(void)
{
    return execl("./script", "./script", "error", (char *)NULL);
}

static int begins_a_session(void)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        _exit(error());
    }
    return wait_for(child);
}

static int kills_child(void)
{
    int ready[2];
    char byte;
    if (pipe(ready) != 0)
        return 9;
    pid_t child = fork();
    if (child == 0) {
        if (write(ready[1], "r", 1) == 1)
            pause();
        _exit(9);
    }
    if (read(ready[0], &byte, 1) != 1)
        return 9;
    kill(child, SIGKILL);
    return wait_for(child);
}

/* The child goes on for so long after its parent has ended. */
static int outlived(long ms, int daemon)
{
    if (fork() != 0)
        return 0;
    if (daemon) {
        setsid();
        if (fork() != 0)
            _exit(0);
    }
    say_pid();
    close(1); /* or whoever reads it would wait as well */
    close(2);
    sleep_ms(ms);
    _exit(error());
}

static int outlived_briefly(void)
{
    return outlived(400, 0);
}

static int leaves_a_daemon_briefly(void)
{
    return outlived(400, 1);
}

static int leaves_a_daemon(void)
{
    return outlived(600000, 1);
}

/* --- descriptors ------------------------------------------------------------------------ */

static int closes_all(void)
{
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
    close_range(3, ~0U, 0);
    close(1);
    close(2);
    return error();
}

/* --- the directory of the reports ------------------------------------------------------- */

/* The only directory in "kept" or "reports". */
static const char *reports(const char *name)
{
    static char path[4096];
    glob_t found;
    if (glob("kept/2*-*", 0, NULL, &found) != 0 && glob("reports/2*-*", 0, NULL, &found) != 0)
        exit(9);
    snprintf(path, sizeof path, "%s/%s", found.gl_pathv[0], name);
    globfree(&found);
    return path;
}

static const char *own_report(void)
{
    char name[64];
    snprintf(name, sizeof name, "%d-1.xml", (int)getpid());
    return reports(name);
}

static int truncates_its_report(void)
{
    return truncate(own_report(), 0);
}

static int removes_its_report(void)
{
    return unlink(own_report());
}

static int replaces_its_report(void)
{
    removes_its_report();
    return mkdir(own_report(), 0700);
}

static int leaves_a_pipe(void)
{
    return mkfifo(reports("1-1.xml"), 0600);
}

static int forks_where_no_file_can_be_made(void)
{
    if (geteuid() == 0 ? setuid(65534) : chmod(reports("."), 0500))
        return 9;
    int status = forks();
    return geteuid() == 65534 ? status : chmod(reports("."), 0700);
}

static int forks_in_a_root_of_its_own(void)
{
    return mkdir("empty", 0700) || chroot("empty") || chdir("/") ? 9 : forks();
}

struct mode {
    const char *name;
    int (*run)(void);
};

static const struct mode modes[] = {
    {"clean", clean},
    {"error", error},
    {"fails", fails},
    {"exits-at-once", exits_at_once},
    {"waits", waits},
    {"hangs", hangs},
    {"kills-itself", kills_itself},
    {"aborts", aborts},
    {"handles-term", handles_term},
    {"storms", storms},
    {"leaks", leaks},
    {"hoards", hoards},
    {"wants-too-much", wants_too_much},
    {"leaves-threads", leaves_threads},
    {"executes-code", executes_code},
    {"execs-itself", execs_itself},
    {"forks", forks},
    {"vforks", vforks},
    {"vforks-without-exec", vforks_without_exec},
    {"spawns", spawns},
    {"calls-system", calls_system},
    {"calls-popen", calls_popen},
    {"execs-nothing", execs_nothing},
    {"execs-a-script", execs_a_script},
    {"begins-a-session", begins_a_session},
    {"kills-child", kills_child},
    {"outlived-briefly", outlived_briefly},
    {"leaves-a-daemon-briefly", leaves_a_daemon_briefly},
    {"leaves-a-daemon", leaves_a_daemon},
    {"closes-all", closes_all},
    {"truncates-its-report", truncates_its_report},
    {"removes-its-report", removes_its_report},
    {"replaces-its-report", replaces_its_report},
    {"leaves-a-pipe", leaves_a_pipe},
    {"forks-where-no-file-can-be-made", forks_where_no_file_can_be_made},
    {"forks-in-a-root-of-its-own", forks_in_a_root_of_its_own},
};

int main(int argc, char **argv)
{
    self = argv[0];
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run();
    }
    return 9;
}
