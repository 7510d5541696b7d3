#include "capture/record.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"
#include "lab.h"

static struct lab lab;

static void begin(void)
{
    lab_open(&lab);
}

static void end(void)
{
    lab_close(&lab);
}

TestSuite(record, .init = begin, .fini = end, .timeout = 120);

static const char *const program[] = {"./t", "two words", "", "\n\"\xff\\x41", NULL};
static const char *const made[] = {"4711-1.xml", "4712-1.xml", NULL};
static const char *const argv[] = {"valgrind", "--xml-file=/k \xe9/%p.xml", "--", "./t", NULL};

static void put(const char *name, const char *text)
{
    FILE *out = fopen(lab_path(&lab, name), "w");
    cr_assert_not_null(out);
    cr_assert(fputs(text, out) >= 0 && fclose(out) == 0);
}

static struct gg_capture written(void)
{
    return (struct gg_capture){
        .program = program,
        .argv = argv,
        .test = "a/b \"c\"",
        .version = "3.19.0",
        .timeout = 7,
        .identity = {"/p\xff", 48120, INT64_C(1773065642123456789), "6c1ff7"},
        .checkout = {"/src\xff", "91bc04"},
        .ended = true,
        .pid = 4711,
        .exit_code = -1,
        .signal = 11,
        .stop = GG_STOP_SIGNAL,
        .stop_signal = 15,
        .unsure = "why",
        .made = made,
        .directory = lab.dir};
}

static void expect_list(const char *const *left, const char *const *right)
{
    for (; *left && *right; left++, right++)
        cr_expect_str_eq(*left, *right);
    cr_expect_null(*left);
    cr_expect_null(*right);
}

Test(record, comes_back_to_the_byte)
{
    struct gg_capture out = written(), in = {0};
    cr_assert(gg_record_write(&lab.arena, &out, 0, &lab.err), "%s", lab.err.text);
    cr_assert(gg_record_read(&lab.arena, lab.dir, &in, &lab.err), "%s", lab.err.text);
    expect_list(in.program, program);
    expect_list(in.argv, argv);
    cr_expect_str_eq(in.test, out.test);
    cr_expect_str_eq(in.version, out.version);
    cr_expect_eq(in.timeout, 7);
    cr_expect_str_eq(in.identity.path, out.identity.path);
    cr_expect_eq(in.identity.size, 48120);
    cr_expect_eq(in.identity.mtime, INT64_C(1773065642123456789));
    cr_expect_str_eq(in.identity.build_id, "6c1ff7");
    cr_expect_str_eq(in.checkout.root, out.checkout.root);
    cr_expect_str_eq(in.checkout.head, "91bc04");
    cr_expect(in.ended);
    cr_expect_eq(in.pid, 4711);
    cr_expect_eq(in.exit_code, -1);
    cr_expect_eq(in.signal, 11);
    cr_expect_eq(in.stop, GG_STOP_SIGNAL);
    cr_expect_eq(in.stop_signal, 15);
    cr_expect_str_eq(in.unsure, "why");
    expect_list(in.made, made);
    cr_expect_null(in.failure);
}

Test(record, without_an_end_has_none)
{
    struct gg_capture out = written(), in = {0};
    out.ended = false;
    out.test = NULL;
    out.identity = (struct gg_identity){0};
    out.checkout = (struct gg_checkout){"/src", NULL};
    cr_assert(gg_record_write(&lab.arena, &out, 0, &lab.err), "%s", lab.err.text);
    cr_assert(gg_record_read(&lab.arena, lab.dir, &in, &lab.err), "%s", lab.err.text);
    cr_expect_not(in.ended);
    cr_expect_null(in.test);
    cr_expect_null(in.identity.path);
    cr_expect_null(in.checkout.root);
    cr_expect_null(in.checkout.head);
}

Test(record, of_somebody_else_is_an_error)
{
    static const char *const texts[] = {"",
                                        "{}",
                                        "[1]",
                                        "{\"version\": 2, \"command\": [\"a\"]}",
                                        "{\"version\": 1, \"command\": []}",
                                        "{\"version\": 1, \"command\": [\"a\"]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gg_capture in = {0};
        struct gg_error err = {0};
        put(GG_RECORD, texts[i]);
        cr_expect_not(gg_record_read(&lab.arena, lab.dir, &in, &err), "%s", texts[i]);
        cr_expect(strstr(err.text, "is no record of a run"), "%s", err.text);
    }
}

#define WITH(members) "{\"version\": 1, \"command\": [\"a\"], " members "}"

Test(record, that_no_run_could_have_written_is_an_error)
{
    static const char *const texts[] = {"{\"version\": 1, \"command\": [5]}",
                                        "{\"version\": 1, \"command\": [\"a\", null]}",
                                        "{\"version\": 1, \"command\": \"a\"}",
                                        WITH("\"argv\": [\"valgrind\", 5]"),
                                        WITH("\"timeout\": -1"),
                                        WITH("\"timeout\": 4294967296"),
                                        WITH("\"end\": {\"exit\": 4294967296}"),
                                        WITH("\"end\": {\"exit\": -2}"),
                                        WITH("\"end\": {\"signal\": 4294967305}"),
                                        WITH("\"end\": {\"signal\": -9}"),
                                        WITH("\"end\": {\"stop_signal\": 2147483648}"),
                                        WITH("\"end\": {\"reports\": [\"1-1.xml\", {}]}"),
                                        WITH("\"end\": {\"pid\": 99999999999999999999}")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gg_capture in = {0};
        struct gg_error err = {0};
        put(GG_RECORD, texts[i]);
        cr_expect_not(gg_record_read(&lab.arena, lab.dir, &in, &err), "%s", texts[i]);
        cr_expect(strstr(err.text, "is no record of a run"), "%s", err.text);
    }
}

Test(record, of_a_run_that_was_stopped_without_a_limit_is_read)
{
    struct gg_capture in = {0};
    put(GG_RECORD,
        WITH("\"timeout\": 0, \"end\": {\"exit\": -1, \"signal\": 9, \"stop\": \"timeout\"}"));
    cr_assert(gg_record_read(&lab.arena, lab.dir, &in, &lab.err), "%s", lab.err.text);
    cr_expect_eq(in.stop, GG_STOP_TIMEOUT);
    cr_expect_eq(in.signal, 9);
}

static void expect_no_record(void)
{
    struct gg_capture in = {0};
    struct gg_error err = {0};
    cr_expect_not(gg_record_read(&lab.arena, lab.dir, &in, &err));
    cr_expect(strstr(err.text, "is not a regular file"), "%s", err.text);
    cr_assert_eq(remove(lab_path(&lab, GG_RECORD)), 0);
}

Test(record, is_a_file_itself)
{
    put("elsewhere", WITH("\"end\": {}"));
    cr_assert_eq(symlink("elsewhere", lab_path(&lab, GG_RECORD)), 0);
    expect_no_record();
    cr_assert_eq(mkfifo(lab_path(&lab, GG_RECORD), 0600), 0);
    expect_no_record();
    cr_assert_eq(mkdir(lab_path(&lab, GG_RECORD), 0700), 0);
    expect_no_record();
}

Test(record, knows_the_program_in_path_by_its_file)
{
    struct gg_identity sh, gone;
    struct stat st;
    gg_identity_take(&lab.arena, "sh", &sh);
    cr_assert_eq(stat("/bin/sh", &st), 0);
    cr_expect_str_eq(sh.path, gg_fs_real(&lab.arena, "/bin/sh"));
    cr_expect_eq(sh.size, st.st_size);
    cr_expect_eq(sh.mtime / 1000000000, st.st_mtim.tv_sec);
    gg_identity_take(&lab.arena, "no-such-program-anywhere", &gone);
    cr_expect_null(gone.path);
}

/* --- what a run's directory holds ------------------------------------------------------- */

static void collect(const char *const *command)
{
    lab.options.keep = lab_path(&lab, "kept");
    lab.options.command = command;
    cr_assert(gg_capture_collect(&lab.arena, &lab.options, &lab.checkout, &lab.capture, &lab.err),
              "%s", lab.err.text);
}

Test(record, of_a_collected_run_says_what_happened)
{
    struct gg_capture in;
    lab.options.test = "seven";
    collect((const char *const[]){"/bin/sh", "-c", "exit 7", NULL});
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &in, &lab.err), "%s",
              lab.err.text);
    cr_expect(in.ended);
    cr_expect_eq(in.exit_code, 7);
    cr_expect_str_eq(in.test, "seven");
    cr_expect_eq(in.pid, lab.capture.pid);
    cr_assert_not_null(in.reports[0]);
    cr_expect_null(in.reports[1]);
    cr_expect_null(gg_capture_foreign(&in, in.reports[0]));
    cr_expect_null(gg_capture_stale(&lab.arena, &in));
    cr_expect_null(in.checkout.head);
    cr_expect_neq(access(lab_path(&lab, "kept/manifest.json"), F_OK), 0);
}

Test(record, tells_reports_that_are_not_its_own)
{
    struct gg_capture first, second;
    collect((const char *const[]){"/bin/true", NULL});
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &first, &lab.err));
    collect((const char *const[]){"/bin/true", NULL});
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &second, &lab.err));
    const char *old = gg_fs_join(&lab.arena, first.directory, first.reports[0]);
    cr_assert_eq(link(old, gg_fs_join(&lab.arena, second.directory, first.reports[0])), 0);
    cr_expect(strstr(gg_capture_foreign(&second, first.reports[0]), "report of another run"));
    cr_assert_eq(link(old, gg_fs_join(&lab.arena, first.directory, "1-1.xml")), 0);
    cr_expect(strstr(gg_capture_foreign(&first, "1-1.xml"), "report of another process"));
    cr_expect_null(gg_capture_foreign(&second, second.reports[0]));
}

Test(record, takes_odd_directories_for_its_own)
{
    struct gg_capture in;
    lab.options.keep = lab_path(&lab, "a&b <c> 50% \xe9\n");
    lab.options.command = (const char *const[]){"/bin/true", NULL};
    cr_assert(gg_capture_collect(&lab.arena, &lab.options, &lab.checkout, &lab.capture, &lab.err),
              "%s", lab.err.text);
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &in, &lab.err));
    cr_assert_not_null(in.reports[0]);
    cr_expect_null(gg_capture_foreign(&in, in.reports[0]));
}

Test(record, of_a_kept_run_says_at_which_commit)
{
    struct gg_capture in;
    lab.options.keep = lab_path(&lab, "kept");
    lab.checkout = (struct gg_checkout){"/src", "91bc04e51f0c6b9ae4b9b1f0d7c0d2d1b1a0c9d8"};
    cr_assert(lab_run(&lab, (const char *const[]){"/bin/true", NULL}), "%s", lab.err.text);
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &in, &lab.err));
    cr_expect_str_eq(in.checkout.root, "/src");
    cr_expect_str_eq(in.checkout.head, "91bc04e51f0c6b9ae4b9b1f0d7c0d2d1b1a0c9d8");
}

/* --- of this build? --------------------------------------------------------------------- */

static const char zero[] = "int main(void) { return 0; }\n";
static const char one[] = "int main(void) { return 1; }\n";

static const char *build(const char *source, const char *option)
{
    const char *file = lab_path(&lab, "program.c"), *prog = lab_path(&lab, "program");
    put("program.c", source);
    const char *const cc[] = {"cc", option, "-o", prog, file, NULL};
    struct gg_str said;
    cr_assert_eq(gg_proc_hear(&lab.arena, cc, 65536, 120, &said), 0);
    cr_assert_eq(access(prog, X_OK), 0, "%s", said.ptr);
    return prog;
}

static struct gg_capture collected(const char *prog)
{
    struct gg_capture in;
    collect((const char *const[]){prog, NULL});
    cr_assert(gg_capture_read(&lab.arena, lab.capture.directory, &in, &lab.err));
    cr_expect_null(gg_capture_stale(&lab.arena, &in));
    return in;
}

static void set_time(const char *path, time_t seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void expect_stale(const struct gg_capture *capture)
{
    const char *why = gg_capture_stale(&lab.arena, capture);
    cr_assert_not_null(why);
    cr_expect(strstr(why, "was built anew after this run"), "%s", why);
}

Test(record, is_stale_when_the_program_was_built_anew)
{
    const char *prog = build(zero, "-Wl,--build-id=sha1");
    struct gg_capture in = collected(prog);
    build(one, "-Wl,--build-id=sha1");
    set_time(prog, in.identity.mtime / 1000000000);
    expect_stale(&in);
    unlink(prog);
    cr_expect_null(gg_capture_stale(&lab.arena, &in), "a program that is not here says nothing");
}

Test(record, is_of_the_same_build_whatever_became_of_the_file)
{
    const char *prog = build(zero, "-Wl,--build-id=sha1");
    struct gg_capture in = collected(prog);
    set_time(prog, 1000000000);
    cr_expect_null(gg_capture_stale(&lab.arena, &in));
    cr_assert_eq(truncate(prog, in.identity.size + 1), 0);
    cr_expect_null(gg_capture_stale(&lab.arena, &in));
}

Test(record, goes_by_size_and_time_without_a_build_id)
{
    const char *prog = build(zero, "-Wl,--build-id=none");
    struct gg_capture in = collected(prog);
    cr_expect_null(in.identity.build_id);
    set_time(prog, 1000000000);
    expect_stale(&in);
    in = collected(prog);
    cr_assert_eq(truncate(prog, in.identity.size + 1), 0);
    set_time(prog, 1000000000);
    expect_stale(&in);
}

Test(record, that_is_older_than_build_ids_goes_by_size_and_time)
{
    const char *prog = build(zero, "-Wl,--build-id=sha1");
    struct gg_capture in = collected(prog);
    in.identity.build_id = NULL;
    cr_expect_null(gg_capture_stale(&lab.arena, &in));
    set_time(prog, 1000000000);
    expect_stale(&in);
}
