#include "lab.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct lab lab;

static void begin(void)
{
    lab_open(&lab);
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(run, .init = begin, .fini = end, .timeout = 120);

/* The text between <NAME> and </NAME>, as a number. */
static long number_in(const char *xml, const char *name)
{
    char tag[64];
    snprintf(tag, sizeof tag, "<%s>", name);
    const char *at = strstr(xml, tag);
    return at ? atol(at + strlen(tag)) : -1;
}

static bool is_complete(const char *xml)
{
    return strstr(xml, "<state>FINISHED</state>") && strstr(xml, "</valgrindoutput>");
}

Test(run, keeps_the_exit_status)
{
    cr_assert(lab_sh(&lab, "exit 7"), "%s", lab.err.text);
    cr_expect(lab.capture.ended);
    cr_expect_eq(lab.capture.exit_code, 7);
    cr_expect_eq(lab.capture.signal, 0);
    cr_expect_eq(lab.capture.stop, GG_STOP_NONE);
    cr_expect_str_empty(lab.capture.log);
    cr_assert_eq(lab_report_count(&lab), 1);
    char name[32];
    snprintf(name, sizeof name, "%ld-1.xml", (long)lab.capture.pid);
    cr_expect_str_eq(lab.capture.reports[0], name);
    const char *xml = lab_report(&lab, 0);
    cr_expect(is_complete(xml));
    cr_expect_eq(number_in(xml, "pid"), lab.capture.pid);
    char version[64];
    snprintf(version, sizeof version, "Using Valgrind-%s ", lab.capture.version);
    cr_expect(strstr(xml, version), "%s", version);
}

Test(run, keeps_the_signal)
{
    cr_assert(lab_sh(&lab, "kill -SEGV $$"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, -1);
    cr_expect_eq(lab.capture.signal, SIGSEGV);
    cr_assert_eq(lab_report_count(&lab), 1);
    cr_expect(is_complete(lab_report(&lab, 0)));
}

Test(run, leaves_streams_and_directory_alone)
{
    int ends[2];
    cr_assert(pipe(ends) == 0 && dup2(ends[0], 0) == 0);
    cr_assert_eq(write(ends[1], "from stdin\n", 11), 11);
    lab_redirect(&lab, 1, "out");
    lab_redirect(&lab, 2, "err");
    cr_assert_eq(chdir("/usr"), 0);
    setenv("LAB", "a b", 1);
    cr_assert(lab_sh(&lab, "read x; echo \"$x|$LAB\"; pwd; echo oops >&2"), "%s", lab.err.text);
    cr_expect_str_eq(lab_read(&lab, lab_path(&lab, "out")), "from stdin|a b\n/usr\n");
    cr_expect_str_eq(lab_read(&lab, lab_path(&lab, "err")), "oops\n");
}

Test(run, hands_no_other_descriptor_on)
{
    cr_assert_eq(dup2(2, 177), 177);
    lab_redirect(&lab, 2, "err");
    cr_assert(lab_sh(&lab, "[ -e /proc/self/fd/177 ] && exit 1; exit 5"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 5);
}

Test(run, writes_a_report_for_each_process)
{
    cr_assert(lab_sh(&lab, "(exit 3); exit $?"), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 3);
    cr_assert_eq(lab_report_count(&lab), 2, "%zu", lab_report_count(&lab));
    const char *one = lab_report(&lab, 0), *two = lab_report(&lab, 1);
    cr_expect(is_complete(one) && is_complete(two));
    bool first = number_in(one, "pid") == lab.capture.pid;
    cr_expect_eq(number_in(first ? two : one, "ppid"), lab.capture.pid);
    cr_expect_eq(number_in(first ? one : two, "ppid"), getpid());
}

/* Of either process the image before exec has the error, the one after it has not. */
Test(run, keeps_the_report_of_a_program_that_becomes_another_one)
{
    const char *program = lab_build(&lab, "#include <stdlib.h>\n#include <sys/wait.h>\n"
                                          "#include <unistd.h>\n"
                                          "int main(int argc, char **argv)\n"
                                          "{\n"
                                          "    if (argc > 1)\n"
                                          "        return 4;\n"
                                          "    int child = fork();\n"
                                          "    wait(NULL);\n"
                                          "    char *block = malloc(1);\n"
                                          "    block[1] = (char)child;\n"
                                          "    return execl(argv[0], argv[0], \"x\", (char *)0);\n"
                                          "}\n");
    cr_assert(lab_run(&lab, (const char *const[]){program, NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 4);
    cr_expect_null(lab.capture.unsure, "%s", lab.capture.unsure);
    cr_assert_eq(lab_report_count(&lab), 4);
    for (size_t i = 0; i < 4; i += 2) {
        const char *before = lab_report(&lab, i), *after = lab_report(&lab, i + 1);
        cr_expect_eq(number_in(before, "pid"), number_in(after, "pid"));
        cr_expect(strstr(before, "<kind>InvalidWrite</kind>"));
        cr_expect_null(strstr(before, "</valgrindoutput>"));
        cr_expect(is_complete(after));
        cr_expect(strstr(after, "<arg>x</arg>") && !strstr(after, "<error>"));
    }
}

Test(run, sorts_reports_by_process_and_image)
{
    setenv("SCRIPT", "[ $N = 1111111111 ] && exit; N=1$N exec /bin/sh -c \"$SCRIPT\"", 1);
    cr_assert(lab_sh(&lab, "N=1; export N; eval \"$SCRIPT\""), "%s", lab.err.text);
    cr_assert_eq(lab_report_count(&lab), 10);
    for (int i = 0; i < 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "%ld-%d.xml", (long)lab.capture.pid, i + 1);
        cr_expect_str_eq(lab.capture.reports[i], name);
    }
}

Test(run, takes_a_program_that_looks_like_an_option)
{
    cr_assert_eq(chdir(lab.dir), 0);
    cr_assert_eq(symlink("/bin/true", "-q"), 0);
    setenv("PATH", "/usr/bin:/bin:.", 1);
    cr_assert(lab_run(&lab, (const char *const[]){"-q", NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 0);
    cr_expect_eq(lab_report_count(&lab), 1);
}

Test(run, is_not_led_astray_by_defaults)
{
    const char *program = lab_build(&lab, "#include <stdlib.h>\n"
                                          "int main(void) { return malloc(11) == NULL; }\n");
    setenv("VALGRIND_OPTS",
           "-q --xml=no --xml-socket=1.2.3.4 --log-fd=2 --leak-check=no --show-leak-kinds=none "
           "--show-reachable=no --leak-resolution=low --xtree-leak=yes --keep-stacktraces=none "
           "--trace-children=no --child-silent-after-fork=yes --exit-on-first-error=yes "
           "--error-exitcode=9 --gen-suppressions=yes --demangle=yes --sym-offsets=yes "
           "--num-callers=1 --show-error-list=no --track-fds=all --read-inline-info=no --tool=none "
           "--undef-value-errors=no --vgdb-error=0",
           1);
    lab_redirect(&lab, 2, "err");
    cr_assert(lab_run(&lab, (const char *const[]){program, NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 0);
    cr_assert_eq(lab_report_count(&lab), 1);
    const char *xml = lab_report(&lab, 0);
    cr_expect(is_complete(xml));
    cr_expect_eq(number_in(xml, "leakedbytes"), 11);
    cr_expect_eq(number_in(strstr(xml, "<fn>main</fn>"), "line"), 2);
    cr_expect(strstr(xml, "<fn>malloc</fn>") && strstr(xml, "<fn>main</fn>"));
    cr_expect(strstr(xml, "<suppcounts>"));
    cr_expect_str_empty(lab_read(&lab, lab_path(&lab, "err")));
}

/* Also where the program goes before it becomes another one. */
Test(run, reads_no_options_from_files)
{
    lab_build(&lab, "#include <stdlib.h>\nint main(void) { return malloc(11) == NULL; }\n");
    FILE *out = fopen(lab_path(&lab, ".valgrindrc"), "w");
    cr_assert(out && fputs("--memcheck:leak-check=no\n--trace-children=no\n", out) >= 0);
    cr_assert(fclose(out) == 0 && chdir("/") == 0);
    setenv("LAB", lab.dir, 1);
    cr_assert(lab_sh(&lab, "cd \"$LAB\"; exec ./program"), "%s", lab.err.text);
    cr_assert_eq(lab_report_count(&lab), 2);
    cr_expect_eq(number_in(lab_report(&lab, 1), "leakedbytes"), 11);
}

Test(run, runs_another_tool)
{
    lab.options.valgrind_args = (const char *const[]){"--tool=helgrind", NULL};
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 0);
    const char *xml = lab_report(&lab, 0);
    cr_expect(is_complete(xml) && strstr(xml, "<tool>helgrind</tool>"));
}

Test(run, passes_arguments_on)
{
    lab.options.valgrind_args =
        (const char *const[]){"--undef-value-errors=no", "--num-callers=7", NULL};
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", "", "--xml=no", NULL}));
    const char *xml = lab_report(&lab, 0);
    cr_expect(is_complete(xml));
    cr_expect_gt(strstr(xml, "<arg>--num-callers=7</arg>"),
                 strstr(xml, "<arg>--num-callers=40</arg>"));
    cr_expect(strstr(xml, "<exe>/bin/true</exe>\n    <arg></arg>\n    <arg>--xml=no</arg>"));
}

Test(run, says_what_valgrind_makes_of_a_program_that_is_not_there)
{
    lab_redirect(&lab, 2, "err");
    cr_assert(lab_run(&lab, (const char *const[]){"./no-such-program", NULL}));
    cr_expect(lab.capture.ended);
    cr_expect_eq(lab.capture.exit_code, 127);
    cr_expect_eq(lab_report_count(&lab), 0);
    cr_expect(strstr(lab_read(&lab, lab_path(&lab, "err")), "no-such-program"));
}

Test(run, says_what_valgrind_makes_of_a_file_that_is_no_program)
{
    lab_redirect(&lab, 2, "err");
    cr_assert(lab_run(&lab, (const char *const[]){"/etc", NULL}));
    cr_expect_eq(lab.capture.exit_code, 126);
    cr_expect_eq(lab_report_count(&lab), 0);
}

Test(run, names_the_package_when_there_is_no_valgrind)
{
    lab.options.valgrind = "/nowhere/valgrind";
    cr_assert_not(lab_sh(&lab, "exit 0"));
    cr_expect_not(lab.usage);
    cr_expect_not(lab.capture.ended);
    cr_expect(strstr(lab.err.text, "/nowhere/valgrind: not found"), "%s", lab.err.text);
    cr_expect(strstr(lab.err.text, "apt-get install valgrind"));
}

Test(run, quotes_a_valgrind_that_does_not_work)
{
    FILE *out = fopen(lab_path(&lab, "bad"), "w");
    fputs("#!/bin/sh\necho 'no \033tool here' >&2\nexit 1\n", out);
    fchmod(fileno(out), 0700);
    fclose(out);
    lab.options.valgrind = lab_path(&lab, "bad");
    cr_assert_not(lab_sh(&lab, "exit 0"));
    cr_expect_not(lab.usage);
    cr_expect(strstr(lab.err.text, "\"no \\x1btool here\""), "%s", lab.err.text);
}

Test(run, refuses_before_anything_is_made)
{
    lab.options.keep = lab_path(&lab, "kept");
    lab.options.valgrind_args = (const char *const[]){"--leak-check=no", NULL};
    cr_assert_not(lab_sh(&lab, "exit 0"));
    cr_expect(lab.usage);
    cr_expect(strstr(lab.err.text, "--leak-check=no"));
    cr_expect_eq(access(lab.options.keep, F_OK), -1);
}

Test(run, quotes_the_log_of_a_valgrind_that_gives_up)
{
    lab.options.valgrind_args =
        (const char *const[]){"--require-text-symbol=:*libc.so*:no_such_symbol", NULL};
    lab_redirect(&lab, 2, "err");
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}), "%s", lab.err.text);
    cr_expect_eq(lab.capture.exit_code, 1);
    cr_expect(strstr(lab.capture.log, "no_such_symbol"), "%s", lab.capture.log);
}

Test(run, forgets_only_what_is_its_own)
{
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}));
    cr_expect(lab.capture.temporary);
    struct stat st;
    cr_assert_eq(stat(lab.capture.directory, &st), 0);
    cr_expect_eq(st.st_mode & 07777, 0700);
    gg_capture_forget(&lab.capture);
    cr_expect(stat(lab.capture.directory, &st) != 0 && errno == ENOENT);

    lab.options.keep = lab_path(&lab, "kept");
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}), "%s", lab.err.text);
    cr_expect_not(lab.capture.temporary);
    gg_capture_forget(&lab.capture);
    cr_expect_eq(stat(lab.capture.directory, &st), 0);
}
