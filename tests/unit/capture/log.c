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

/* As valgrind 3.19 writes them: each alone in a log, and what is told of it. */
Test(log, finds_lines_that_matter)
{
    static const struct {
        const char *line, *kind, *told;
        bool incomplete;
    } rows[] = {
        {"valgrind: Cannot create XML file '/tmp/d/9782.xml': Permission denied", "not-checked",
         "valgrind said: valgrind: Cannot create XML file '/tmp/d/9782.xml': Permission denied",
         true},
        {"valgrind: Cannot create log file '/tmp/d/valgrind.log': Permission denied", "not-checked",
         "Cannot create log file", true},
        {"==7== Fatal error at startup: a function redirection", "diagnosis", "libc6-dbg", true},
        {"valgrind: the 'impossible' happened:", "not-checked", "'impossible'", true},
        {"==7==     Valgrind's memory management: out of memory:", "diagnosis", "ulimit -v", true},
        {"==7== EXEC FAILED: I can't recover from execve() failing, so I'm dying.", "not-checked",
         "valgrind said: EXEC FAILED", true},
        {"==7== FATAL: in suppressions file \"x\" near line 2:", "not-checked",
         "valgrind said: FATAL: in", true},
        {"--7-- Valgrind: debuginfo reader: Possibly corrupted debuginfo file.", "diagnosis",
         "-gsplit-dwarf", true},
        {"Valgrind: failed to move XML file descriptor into safe range, using stderr",
         "not-checked", "safe range", true},
        {"Emulation fatal error -- Valgrind cannot continue:", "not-checked", "Emulation", true},
        {"==7== More than 10000000 total errors detected.  I'm not reporting any more.",
         "diagnosis", "too many", true},
        {"==7== Warning: Can't execute setuid/setgid/setcap executable: ./x", "diagnosis", "setuid",
         true},
        {"==7== Stack overflow in thread #1: can't grow stack to 0x1ffe801000", "diagnosis",
         "recursion without end", false},
        {"### unhandled dwarf2 abbrev form code 0x25", "diagnosis", "-gdwarf-4", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        int len =
            snprintf(text, sizeof text, "==7== Warning: x\n%s\n==7== Warning: y\n", rows[i].line);
        write_log("valgrind-2.log", text, (size_t)len);
        read_logs();
        cr_assert_eq(said.word_count, 1, "%s", rows[i].line);
        cr_expect_str_eq(said.words[0].kind, rows[i].kind);
        cr_expect(strstr(said.words[0].text, rows[i].told), "%s", said.words[0].text);
        cr_expect_eq(said.words[0].incomplete, rows[i].incomplete, "%s", rows[i].line);
        cr_expect_null(said.words[0].signal);
    }
}

/* A program may try an instruction and live on; the first byte 0x62 is that of AVX-512. */
Test(log, an_instruction_only_matters_to_who_died_of_it)
{
    static const char wide[] = "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7C 0x48\n";
    static const char other[] = "vex amd64->IR: unhandled instruction bytes: 0x8F 0xE9 0x78 0x12\n";
    write_log("valgrind-1.log", wide, strlen(wide));
    read_logs();
    cr_assert_eq(said.word_count, 1);
    cr_expect_str_eq(said.words[0].signal, "SIGILL");
    cr_expect(strstr(said.words[0].text, "AVX-512"));
    write_log("valgrind-1.log", other, strlen(other));
    read_logs();
    cr_assert_eq(said.word_count, 1);
    cr_expect(strstr(said.words[0].text, "0x8F 0xE9"));
    cr_expect_not(strstr(said.words[0].text, "AVX-512"));
}

/* The end of a paragraph that said why is not told as well; alone it is. Nor is a line twice. */
Test(log, one_cause_is_told_once)
{
    static const char text[] = "==7==     Valgrind's memory management: out of memory:\n"
                               "==7==     Valgrind cannot continue.  Sorry.\n"
                               "==8==     Valgrind's memory management: out of memory:\n";
    static const char alone[] = "==7== Whatever the reason, Valgrind cannot continue.  Sorry.\n";
    write_log("valgrind-1.log", text, strlen(text));
    read_logs();
    cr_expect_eq(said.word_count, 1);
    write_log("valgrind-2.log", alone, strlen(alone));
    read_logs();
    cr_assert_eq(said.word_count, 2, "another log");
    cr_expect(strstr(said.words[1].text, "said: Whatever the reason"));
}

Test(log, lets_warnings_pass)
{
    static const char text[] = "==7== Warning: set address range perms: large range [0, 1)\n"
                               "--7-- WARNING: unhandled amd64-linux syscall: 999\n"
                               "==7== could not unlink /tmp/vgdb-pipe\n";
    write_log("valgrind-1.log", text, strlen(text));
    read_logs();
    cr_expect_eq(said.word_count, 0);
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
    cr_assert_eq(said.word_count, 1);
    cr_expect_str_eq(strstr(said.words[0].text, "FATAL:"), "FATAL:");
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
    len = 0;
    for (size_t i = 0; i < 100; i++)
        len += (size_t)snprintf(text + len, 20, "FATAL: %zu\n", i);
    write_log("valgrind-2.log", text, len);
    read_logs();
    cr_assert_eq(said.word_count, 20);
    const char *cut = strstr(said.words[0].text, "FATAL:");
    cr_assert_not_null(cut);
    cr_expect_eq(strlen(cut), 512);
    cr_expect(strstr(said.words[1].text, "FATAL: 0"));
}

Test(log, waits_for_nobody)
{
    cr_assert_eq(mkfifo(lab_path(&lab, "valgrind.log"), 0600), 0);
    read_logs();
    cr_expect_str_empty(said.text);
}
