#include "cli/parting.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Those of keys and of other processes, and ABRT: out of memory. */
static const int caught[] = {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGTERM, SIGTSTP};
enum { CAUGHT = sizeof caught / sizeof *caught };

static _Atomic(const char *) parting;
static sigset_t before_hold;

static void part(int number);

/* Once: `part` itself raises the signal again for what it does to any program. */
static void catch_once(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){.sa_handler = part,
                                .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void part(int number)
{
    int failure = errno;
    const char *bytes = parting;
    parting = NULL;
    if (bytes)
        (void)!write(STDERR_FILENO, bytes, strlen(bytes));
    raise(number);
    catch_once(number); /* it was a stop, and goes on */
    errno = failure;
}

const char *gg_parting(void)
{
    return parting;
}

void gg_parting_set(const char *bytes)
{
    static bool catching;
    for (size_t i = 0; bytes && !catching && i < CAUGHT; i++)
        catch_once(caught[i]);
    catching = catching || bytes;
    parting = bytes;
}

void gg_parting_hold(void)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < CAUGHT; i++)
        sigaddset(&held, caught[i]);
    sigprocmask(SIG_BLOCK, &held, &before_hold);
}

void gg_parting_release(void)
{
    sigprocmask(SIG_SETMASK, &before_hold, NULL);
}
