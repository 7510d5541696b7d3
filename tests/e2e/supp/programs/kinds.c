/* An error for every kind of memcheck's suppressions that errors.c has not: accesses of each width,
 * parameters of many system calls, client requests, wrong calls of the allocator. */
#include "noinline.h"
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <valgrind/memcheck.h>

static volatile int sink;
static char *block;     /* of 256 bytes, freed: what is written there harms nobody */
static uint64_t *unset; /* never written */

#define ACCESS(name, type)                          \
    NOINLINE static void reads_##name()             \
    {                                               \
        sink++;                                     \
        sink = (int)*(volatile type *)(block + 64); \
        sink++;                                     \
    }                                               \
    NOINLINE static void writes_##name()            \
    {                                               \
        static const type zero;                     \
        sink++;                                     \
        *(volatile type *)(block + 64) = zero;      \
        sink++;                                     \
    }

ACCESS(char, uint8_t)
ACCESS(short, uint16_t)
ACCESS(int, uint32_t)
ACCESS(long, uint64_t)

#if defined __x86_64__
static char vector[32];

NOINLINE static void reads_sixteen(void)
{
    sink++;
    __asm__ volatile("movups (%0), %%xmm0\n\tmovups %%xmm0, (%1)"
                     :
                     : "r"(block + 64), "r"(vector)
                     : "xmm0", "memory");
    sink++;
}

NOINLINE static void writes_sixteen(void)
{
    sink++;
    __asm__ volatile("movups %%xmm0, (%0)" : : "r"(block + 64) : "memory");
    sink++;
}

NOINLINE static void reads_thirty_two(void)
{
    sink++;
    __asm__ volatile("vmovups (%0), %%ymm0\n\tvmovups %%ymm0, (%1)"
                     :
                     : "r"(block + 64), "r"(vector)
                     : "xmm0", "memory");
    sink++;
}

NOINLINE static void writes_thirty_two(void)
{
    sink++;
    __asm__ volatile("vmovups %%ymm0, (%0)" : : "r"(block + 64) : "memory");
    sink++;
}

static void vectors(void)
{
    reads_sixteen();
    writes_sixteen();
    if (__builtin_cpu_supports("avx")) {
        reads_thirty_two();
        writes_thirty_two();
    }
}
#else
static void vectors(void)
{
}
#endif

NOINLINE static void depends(void)
{
    sink++;
    if (*unset & 1)
        sink++;
}

NOINLINE static void indexes(void)
{
    static volatile char table[256];
    sink++;
    sink = table[*unset & 255];
}

NOINLINE static void calls_unset(int wanted)
{
    /* The address is no longer unset, only what chooses it. */
    static int (*const each[2])(void) = {getpagesize, getpagesize};
    sink++;
    sink = each[*unset & (unsigned)wanted]();
}

/* ---- Parameters ---- */

NOINLINE static void writes_file(int fd)
{
    sink += (int)write(fd, unset, 8);
}

NOINLINE static void writes_far(int fd)
{
    sink += (int)write(fd, block + 64, 8);
}

NOINLINE static void writes_vector(int fd)
{
    struct iovec parts[2] = {{&fd, 0}, {unset, 8}};
    sink += (int)writev(fd, parts, 2);
}

NOINLINE static void writes_at(int fd)
{
    sink += (int)pwrite(fd, unset, 8, 0);
}

NOINLINE static void opens(void)
{
    char *volatile name = malloc(2);
    name[0] = '/';
    sink += open(name, O_RDONLY); /* the name has no end */
    free(name);
}

NOINLINE static void stats(void)
{
    sink += (int)syscall(SYS_newfstatat, AT_FDCWD, block + 64, block + 64, 0);
}

NOINLINE static void sends(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        return;
    struct iovec part = {unset, 8};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    sink += (int)send(ends[0], unset, 8, 0);
    sink += (int)sendmsg(ends[0], &message, 0);
    close(ends[0]);
    close(ends[1]);
}

NOINLINE static void seeks(int fd)
{
    sink += (int)lseek(fd, (off_t)*unset, SEEK_SET);
}

NOINLINE static void reads_file(void)
{
    int fd = open("/dev/zero", O_RDONLY);
    sink += (int)read(fd, block + 64, 8);
    close(fd);
}

/* ---- Others ---- */

NOINLINE static void checks(void)
{
    sink += (int)VALGRIND_CHECK_MEM_IS_DEFINED(unset, 8);
    sink += (int)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(block + 64, 4);
}

NOINLINE static void pools(void)
{
    static int no_pool;
    VALGRIND_MEMPOOL_FREE(&no_pool, unset);
    sink++;
}

static sigjmp_buf landing;

static void land(int signal)
{
    siglongjmp(landing, signal);
}

NOINLINE static void jumps(void)
{
    void (*volatile nowhere)(void) = (void (*)(void))(uintptr_t)0x333;
    if (sigsetjmp(landing, 1) == 0)
        nowhere();
    sink++;
}

NOINLINE static void frees_wrongly(void)
{
    static int not_allocated;
    int *volatile p = &not_allocated;
    free(p);
    p = malloc(8);
    char *volatile inside = (char *)p + 1;
    sink += realloc(inside, 9) != NULL;
    free(p);
}

NOINLINE static void copies_over_itself(void)
{
    char *volatile text = calloc(40, 1);
    memset(text, 'x', 15);
    volatile size_t some = 8;
    memcpy(text + 2, text, some);
    strncpy(text + 3, text, some);
    strncat(text + 12, text + 10, some);
    free(text);
}

NOINLINE static void asks_too_much(void)
{
    volatile long n = -3;
    free(malloc((size_t)n));
    free(calloc((size_t)n, 1));
    char *volatile p = malloc(4);
    sink += realloc(p, (size_t)n) != NULL;
    sink += memalign(64, (size_t)n) != NULL;
    free(p);
}

NOINLINE static void asks_for_nothing(void)
{
    volatile size_t none = 0, odd = 3;
    char *volatile p = malloc(4);
    free(realloc(p, none));
    void *q = NULL;
    sink += posix_memalign(&q, odd, 8);
    sink += aligned_alloc(odd, 8) != NULL;
    sink += aligned_alloc(8, odd) != NULL;
    sink += aligned_alloc(8, none) != NULL;
}

int main(void)
{
    int fd = open("/dev/null", O_RDWR);
    signal(SIGSEGV, land);
    block = malloc(256);
    memset(block, 0, 256);
    free(block);
    unset = malloc(8);
    reads_char();
    writes_char();
    reads_short();
    writes_short();
    reads_int();
    writes_int();
    reads_long();
    writes_long();
    vectors();
    depends();
    indexes();
    calls_unset(1);
    writes_file(fd);
    writes_far(fd);
    writes_vector(fd);
    writes_at(fd);
    opens();
    stats();
    sends();
    seeks(fd);
    reads_file();
    checks();
    pools();
    jumps();
    frees_wrongly();
    copies_over_itself();
    asks_too_much();
    asks_for_nothing();
    free(unset);
    close(fd);
    return 0;
}
