/* Uses the C library as programs do, loses memory through it, and reads what it must not. */
#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static FILE *kept;

/* ---- What is the library's own ---- */

static void nothing(void)
{
}

static void notify(union sigval value)
{
    (void)value;
}

static void ask(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    setenv("NAME", "value", 1);
    tzset();
    time_t now = time(NULL);
    localtime(&now);
    getpwnam("root");
    getpwuid(0);
    getgrnam("root");
    getgrgid(0);
    gethostbyname("localhost");
    getservbyname("http", "tcp");
    struct addrinfo *found;
    if (getaddrinfo("localhost", "80", NULL, &found) == 0)
        freeaddrinfo(found);
    iconv_t conversion = iconv_open("UTF-16", "ISO-8859-1");
    if (conversion != (iconv_t)-1)
        iconv_close(conversion);
    bindtextdomain("domain", "/tmp");
    textdomain("domain");
    gettext("hello");
    printf("%ls %s %s\n", L"wide", strsignal(99), strerror(9999));
    void *frames[10];
    backtrace(frames, 10);
    for (int i = 0; i < 50; i++)
        atexit(nothing);
}

static void *in_thread(void *library)
{
    int (*touch)(void) = (int (*)(void))dlsym(library, "touch");
    touch();
    dlopen("libnowhere.so", RTLD_NOW);
    return NULL;
}

static void load(const char *name, bool threads)
{
    void *library = dlopen(name, RTLD_NOW);
    if (!library) {
        fputs(dlerror(), stderr);
        exit(1);
    }
    int (*touch)(void) = (int (*)(void))dlsym(library, "touch");
    touch();
    if (!threads)
        return;
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, library);
    pthread_join(thread, NULL);
}

static void start_helpers(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_delete(timer);
    static char bytes[10];
    int file = open("/etc/passwd", O_RDONLY);
    struct aiocb work = {.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = sizeof bytes};
    const struct aiocb *list[] = {&work};
    if (aio_read(&work) == 0)
        aio_suspend(list, 1, NULL);
    close(file);
    struct gaicb question = {.ar_name = "localhost"}, *questions[] = {&question};
    getaddrinfo_a(GAI_WAIT, questions, 1, NULL);
    if (question.ar_result)
        freeaddrinfo(question.ar_result);
    char name[40];
    snprintf(name, sizeof name, "/grindgate-%d", (int)getpid());
    struct mq_attr shape = {.mq_maxmsg = 2, .mq_msgsize = 10};
    mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &shape);
    if (queue >= 0) {
        mq_notify(queue, &event);
        mq_unlink(name);
    }
}

/* ---- What is not ---- */

static int compare(const void *a, const void *b)
{
    const int *left = a, *right = b;
    return (left[0] > right[0]) + (left[4] > 0); // expect: InvalidRead
}

static void lose(void)
{
    strdup("lost"); // expect: Leak_DefinitelyLost
    struct addrinfo *found;
    getaddrinfo("127.0.0.1", "80", NULL, &found); // expect: Leak_DefinitelyLost Leak_IndirectlyLost
    regex_t *pattern = malloc(sizeof *pattern);   // expect: Leak_DefinitelyLost
    regcomp(pattern, "a*b", 0);                   // expect: Leak_IndirectlyLost
}

int main(int argc, char **argv)
{
    ask();
    load(argv[1], argc == 2);
    kept = fopen("/etc/passwd", "r"); // expect: Leak_StillReachable
    fgetc(kept);
    int *numbers = calloc(4, sizeof *numbers);
    qsort(numbers, 4, sizeof *numbers, compare);
    free(numbers);
    lose();
    if (argc > 2)
        abort(); // expect abort: FatalSignal
    start_helpers();
    return 0;
}
