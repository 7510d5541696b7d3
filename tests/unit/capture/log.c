#include "capture/log.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lab.h"

static struct lab lab;
static struct gg_log said;

static void begin(void)
{
    lab_open(&lab);
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(log, .init = begin, .fini = end);

static void write_log(const char *name, const char *text, size_t len)
{
    FILE *out = fopen(lab_path(&lab, name), "w");
    cr_assert(out && fwrite(text, 1, len, out) == len && fclose(out) == 0);
}

static void read_logs(void)
{
    static char *names[] = {"1-1.xml", "valgrind-1.log", "valgrind-2.log", "valgrind.log", NULL};
    gg_log_read(&lab.arena, lab.dir, names, &said);
}

/* As valgrind 3.19 writes them. */
Test(log, finds_last_words)
{
    static const char *const words[] = {
        "valgrind: Cannot create XML file '/tmp/d/9782.xml': Permission denied",
        "valgrind: Cannot create log file '/tmp/d/valgrind.log': Permission denied",
        "==7== Fatal error at startup: a function redirection",
        "valgrind: the 'impossible' happened:",
        "==7==     Valgrind's memory management: out of memory:",
        "==7== EXEC FAILED: I can't recover from execve() failing, so I'm dying.",
        "==7== FATAL: in suppressions file \"x\" near line 2:",
        "--7-- Valgrind: debuginfo reader: Possibly corrupted debuginfo file.",
        "Valgrind: failed to move XML file descriptor into safe range, using stderr",
        "Emulation fatal error -- Valgrind cannot continue:",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[256];
        int len = snprintf(text, sizeof text, "==7== Warning: x\n%s\n==7== Warning: y\n", words[i]);
        write_log("valgrind-2.log", text, (size_t)len);
        read_logs();
        cr_assert_not_null(said.last_words[0], "%s", words[i]);
        cr_expect_str_eq(said.last_words[0], words[i]);
        cr_expect_null(said.last_words[1]);
    }
}

Test(log, lets_warnings_pass)
{
    static const char text[] = "==7== Warning: set address range perms: large range [0, 1)\n"
                               "--7-- WARNING: unhandled amd64-linux syscall: 999\n"
                               "==7== could not unlink /tmp/vgdb-pipe\n";
    write_log("valgrind-1.log", text, strlen(text));
    read_logs();
    cr_expect_null(said.last_words[0]);
    cr_expect_str_eq(said.text, text);
}

/* A log is long with -v; what matters comes at its end, here without a newline. */
Test(log, reads_to_the_end)
{
    size_t len = 1 << 20;
    char *text = gg_arena_alloc(&lab.arena, len);
    memset(text, '-', len);
    for (size_t i = 99; i < len; i += 100)
        text[i] = '\n';
    memcpy(text + len - 6, "FATAL:", 6);
    write_log("valgrind-1.log", text, len);
    read_logs();
    cr_assert_not_null(said.last_words[0]);
    cr_expect_str_eq(strstr(said.last_words[0], "FATAL:"), "FATAL:");
    cr_expect_null(said.last_words[1]);
    cr_expect_eq(strlen(said.text), 64 << 10);
}

Test(log, skips_holes_and_bounds_what_it_keeps)
{
    size_t len = 1 << 20;
    char *text = gg_arena_alloc(&lab.arena, len);
    memset(text, 0, len);
    memcpy(text + 1000, "FATAL: ", 7);
    memset(text + 2000, 'x', len - 2000);
    write_log("valgrind-1.log", text, len);
    text = gg_arena_alloc(&lab.arena, len);
    for (size_t i = 0; i + 7 <= len; i += 7)
        memcpy(text + i, "FATAL:\n", 7);
    write_log("valgrind-2.log", text, len - len % 7);
    read_logs();
    size_t count = 0;
    while (said.last_words[count])
        count++;
    cr_expect_eq(count, 20);
    cr_expect_eq(strlen(said.last_words[0]), 512);
    cr_expect_str_eq(said.last_words[1], "FATAL:");
}

Test(log, waits_for_nobody)
{
    cr_assert_eq(mkfifo(lab_path(&lab, "valgrind.log"), 0600), 0);
    read_logs();
    cr_expect_str_empty(said.text);
}
