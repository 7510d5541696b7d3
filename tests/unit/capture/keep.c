#include "capture/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
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

TestSuite(keep, .init = begin, .fini = end, .timeout = 120);

static const char *const program[] = {"./a.out", "two words", "\n\"\xff", NULL};
static const char *const argv[] = {"valgrind", "--", "./a.out", NULL};
static const char *const reports[] = {"12-1.xml", "13-1.xml", NULL};
static const struct gg_capture ended = {.program = program,
                                        .argv = argv,
                                        .ended = true,
                                        .pid = 12,
                                        .version = "3.19.0",
                                        .reports = reports};

static struct gg_keep open_keep(const char *root)
{
    struct gg_keep keep;
    bool usage;
    cr_assert(gg_keep_open(&lab.arena, root, &keep, &usage, &lab.err), "%s", lab.err.text);
    return keep;
}

Test(keep, makes_parents_and_names_of_its_own)
{
    const char *root = lab_path(&lab, "a/b/c");
    struct gg_keep one = open_keep(root), two = open_keep(root);
    cr_expect_str_neq(one.path, two.path);
    unsigned date, time;
    int pid, end = 0;
    cr_expect_eq(sscanf(one.name, "%8u-%6u-%d%n", &date, &time, &pid, &end), 3);
    cr_expect_eq(pid, getpid());
    cr_expect_eq(one.name[end], '\0');
    struct stat st;
    cr_expect(stat(one.path, &st) == 0 && S_ISDIR(st.st_mode));
    cr_expect(stat(two.path, &st) == 0 && S_ISDIR(st.st_mode));
}

Test(keep, knows_its_names)
{
    static const char *const others[] = {"",
                                         "20250309",
                                         "20250309-141503",
                                         "20250309-141503-",
                                         "2025039-141503-4711",
                                         "202503090-141503-4711",
                                         "20250309-14150-4711",
                                         "20250309_141503_4711",
                                         "20250309-141503-4711-",
                                         "20250309-141503-4711x",
                                         "20250309-141503--4711",
                                         "20250309-141503-4711-2-3",
                                         "a20250309-141503-4711"};
    const char *root = lab_path(&lab, "kept");
    cr_expect(gg_keep_is_run_name(open_keep(root).name));
    cr_expect(gg_keep_is_run_name(open_keep(root).name));
    cr_expect(gg_keep_is_run_name("20250309-141503-4711"));
    cr_expect(gg_keep_is_run_name("20250309-141503-4711-12"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_not(gg_keep_is_run_name(others[i]), "%s", others[i]);
}

Test(keep, says_what_ended_a_run)
{
    const char *root = lab_path(&lab, "k");
    struct gg_keep keep = open_keep(root);
    struct gg_capture killed = ended, slow = ended, big = ended, told = ended;
    killed.exit_code = -1;
    killed.signal = 9;
    slow.stop = GG_STOP_TIMEOUT;
    big.stop = GG_STOP_REPORT_SIZE;
    told.stop = GG_STOP_SIGNAL;
    told.stop_signal = 15;
    const struct gg_capture *runs[] = {&ended, &killed, &slow, &big, &told};
    for (size_t i = 0; i < 5; i++)
        cr_assert(gg_keep_record(&lab.arena, &keep, runs[i], &lab.err), "%s", lab.err.text);
    const char *text = lab_python(
        &lab,
        "import json, sys\n"
        "d = json.load(open(sys.argv[1]))\n"
        "print(d['version'], [(r['exit'], r['signal'], r['stop']) for r in d['runs']])\n"
        "r = d['runs'][0]\n"
        "print(r['pid'], r['valgrind'], r['command'], r['argv'], r['reports'])\n"
        "import datetime, os\n"
        "t = datetime.datetime.strptime(r['time'], '%Y-%m-%dT%H:%M:%SZ')\n"
        "print(r['directory'] == t.strftime('%Y%m%d-%H%M%S') + '-' + str(os.getppid()))\n"
        "t = t.replace(tzinfo=datetime.timezone.utc)\n"
        "print(abs((datetime.datetime.now(datetime.timezone.utc) - t).total_seconds()) < 60)\n",
        lab_path(&lab, "k/manifest.json"));
    cr_expect_str_eq(text, "1 [(0, None, None), (None, 'SIGKILL', None), (0, None, 'timeout'), "
                           "(0, None, 'report-size'), (0, None, 'SIGTERM')]\n"
                           "12 3.19.0 ['./a.out', 'two words', '\\n\"\\\\xff'] "
                           "['valgrind', '--', './a.out'] ['12-1.xml', '13-1.xml']\n"
                           "True\nTrue\n");
}

Test(keep, is_shared_by_runs_side_by_side)
{
    const char *root = lab_path(&lab, "k");
    enum { RUNS = 20 };
    for (int i = 0; i < RUNS; i++) {
        pid_t pid = fork();
        cr_assert_geq(pid, 0);
        if (pid == 0) {
            bool usage;
            struct gg_keep keep;
            struct gg_error err = {0};
            bool ok = gg_keep_open(&lab.arena, root, &keep, &usage, &err) &&
                      gg_keep_record(&lab.arena, &keep, &ended, &err);
            _exit(!ok);
        }
    }
    for (int i = 0, status; i < RUNS; i++) {
        cr_assert_gt(wait(&status), 0);
        cr_expect_eq(status, 0);
    }
    cr_expect_str_eq(lab_python(&lab,
                                "import json, sys\n"
                                "r = json.load(open(sys.argv[1]))['runs']\n"
                                "print(len(r), len({x['directory'] for x in r}))\n",
                                lab_path(&lab, "k/manifest.json")),
                     "20 20\n");
}

static void expect_usage(const char *root, const char *words)
{
    struct gg_keep keep;
    struct gg_error err = {0};
    bool usage = false;
    cr_expect_not(gg_keep_open(&lab.arena, root, &keep, &usage, &err));
    cr_expect(usage);
    cr_expect(strstr(err.text, words), "%s", err.text);
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(lab_path(&lab, name), "w");
    cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

Test(keep, refuses_what_it_cannot_use)
{
    write_file("file", "x");
    expect_usage(lab_path(&lab, "file"), "/file: is not a directory");
    expect_usage(lab_path(&lab, "file/x"), "/file");
    write_file("manifest.json", "{\"version\": 1, \"runs\": []}\n");
    expect_usage(lab.dir, "manifest.json: is not a manifest of grindgate's: move it away");
    expect_usage("", "");
}

Test(keep, leaves_a_manifest_that_is_not_its_own)
{
    struct gg_keep keep = open_keep(lab.dir);
    write_file("manifest.json", "mine");
    cr_expect_not(gg_keep_record(&lab.arena, &keep, &ended, &lab.err));
    cr_expect_str_eq(lab_read(&lab, lab_path(&lab, "manifest.json")), "mine");
}

Test(keep, holds_two_real_runs)
{
    cr_assert_eq(chdir(lab.dir), 0);
    lab.options.keep = "50%p x"; /* relative, and with what valgrind would put a pid for */
    for (int i = 3; i < 5; i++) {
        char script[64];
        snprintf(script, sizeof script, "cd /; (exit 3); exit %d", i);
        cr_assert(lab_sh(&lab, script), "%s", lab.err.text);
        cr_expect_null(lab.capture.manifest_error);
        cr_expect_eq(lab_report_count(&lab), 2);
    }
    cr_expect_str_eq(
        lab_python(
            &lab,
            "import json, os, sys\n"
            "d = os.path.dirname(sys.argv[1])\n"
            "for r in json.load(open(sys.argv[1]))['runs']:\n"
            "    assert r['argv'][-3:] == r['command'] and r['argv'][-4] == '--'\n"
            "    assert set(os.listdir(d + '/' + r['directory'])) == {'run.json', *r['reports']}\n"
            "    print(r['exit'], str(r['pid']) + '-1.xml' in r['reports'])\n",
            lab_path(&lab, "50%p x/manifest.json")),
        "3 True\n4 True\n");
}

Test(keep, refuses_a_name_valgrind_would_die_of)
{
    const char *root = lab.dir;
    char part[201];
    memset(part, 'd', 200);
    part[200] = '\0';
    for (int i = 0; i < 5; i++)
        root = gg_fs_join(&lab.arena, root, part);
    lab.options.keep = root;
    cr_assert_not(lab_sh(&lab, "exit 0"));
    cr_expect(lab.usage);
    cr_expect(strstr(lab.err.text, "a longer name than valgrind can take"), "%s", lab.err.text);
}
