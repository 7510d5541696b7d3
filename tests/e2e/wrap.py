#!/usr/bin/env python3
"""What `grindgate wrap` owes whoever calls it, and what `grindgate check` makes of what it left.

    wrap.py BUILD/grindgate [NAME...]       NAMEs as unittest has them

What a program does without grindgate is what it has to do under wrap: most expectations here are
made by running it.
"""

import glob
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET

# MODE selects what the program does.
PROGRAM = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int leak(void)
{
    void *volatile block = malloc(9); // expect: Leak_DefinitelyLost
    block = NULL;
    return block != NULL;
}

static int read_past(void)
{
    volatile char *block = malloc(9);
    int value = block[9]; // expect: InvalidRead
    free((void *)block);
    return value == 1000;
}

static int say(int count, char **words)
{
    char cwd[4096];
    printf("%s\n", getcwd(cwd, sizeof cwd));
    for (int i = 0; i < count; i++)
        printf("%zu:%s\n", strlen(words[i]), words[i]);
    return 0;
}

static int list_environment(void)
{
    for (char **each = environ; *each; each++) {
        fputs(*each, stdout);
        putchar('\0');
    }
    return 0;
}

static int copy(void)
{
    char bytes[1000];
    ssize_t n;
    while ((n = read(0, bytes, sizeof bytes)) > 0) {
        if (write(1, bytes, (size_t)n) != n || write(2, "+", 1) != 1)
            return 9;
    }
    return 0;
}

static int elsewhere(void)
{
    if (chdir("/") != 0)
        return 9;
    if (fork() == 0)
        _exit(leak());
    wait(NULL);
    return 0;
}

static int wait_for_ever(void)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "exit") == 0)
        return atoi(argv[2]);
    if (strcmp(mode, "signal") == 0)
        return raise(atoi(argv[2]));
    if (strcmp(mode, "say") == 0)
        return say(argc, argv);
    if (strcmp(mode, "environment") == 0)
        return list_environment();
    if (strcmp(mode, "copy") == 0)
        return copy();
    if (strcmp(mode, "elsewhere") == 0)
        return elsewhere();
    if (strcmp(mode, "wait") == 0)
        return wait_for_ever();
    if (argc > 2)
        puts(argv[2]);
    if (strcmp(mode, "leak") == 0)
        return leak();
    return strcmp(mode, "read") == 0 ? read_past() : 0;
}
"""

# What valgrind, and Debian's shell script around it, change in the environment of a program.
VALGRINDS = {"LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBCPP_FORCE_NEW", "GLIBCXX_FORCE_NEW", "PWD",
             "OLDPWD", "VALGRIND_LIB", "VALGRIND_LAUNCHER"}


def line_of(kind):
    return next(number for number, line in enumerate(PROGRAM.splitlines(), 1)
                if f"// expect: {kind}" in line)


class Wrap(unittest.TestCase):
    grindgate = None
    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = os.path.realpath(scratch.name)
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        self.env.update(HOME=self.root, GIT_CONFIG_GLOBAL="/dev/null",
                        GIT_CONFIG_SYSTEM="/dev/null")
        self.repo = os.path.join(self.root, "repo")
        os.mkdir(self.repo)
        self.write("prog.c", PROGRAM)
        for command in ("git init --quiet --template= .", "git add prog.c",
                        "git -c user.name=A -c user.email=a@example.org commit --quiet -m Add"):
            subprocess.run(shlex.split(command), cwd=self.repo, env=self.env, check=True)
        self.build()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.repo, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def build(self):
        subprocess.run(["cc", "-g", "-o", "prog", "prog.c"], cwd=self.repo, check=True)

    def grind(self, *words):
        return [*shlex.split(os.environ.get("GG_LAUNCHER", "")), self.grindgate, *words]

    def run_it(self, *command, cwd=None, **how):
        how = {"stdin": subprocess.DEVNULL, "capture_output": True, "env": self.env, **how}
        return subprocess.run(command, cwd=cwd or self.repo, timeout=120, check=False, **how)

    def wrap(self, *program, options=(), reports="reports", **how):
        return self.run_it(*self.grind("wrap", "--dir", reports, *options, "--", *program), **how)

    def check(self, *words, cwd=None):
        """(exit status, grindgate JSON)"""
        report = os.path.join(tempfile.mkdtemp(dir=self.root), "report.json")
        done = self.run_it(*self.grind("check", "-o", "text", "-o", "json:" + report, *words),
                           cwd=cwd)
        self.said = (done.stdout + done.stderr).decode()
        with open(report, encoding="utf-8") as text:
            return done.returncode, json.load(text)

    def found(self, told):
        """Open findings: {(kind, line): their tests}"""
        return {(finding["kind"], finding["site"]["line"]): finding["tests"]
                for finding in told["findings"] if finding["fate"] == "open"}

    def runs_in(self, reports="reports"):
        return sorted(glob.glob(os.path.join(self.repo, reports, "*", "")))

    def notes(self, told, kind):
        return [note["text"] for note in told["notes"] if note["kind"] == kind]

    def assert_same(self, wrapped, bare):
        self.assertEqual((wrapped.returncode, wrapped.stdout, wrapped.stderr),
                         (bare.returncode, bare.stdout, bare.stderr))

    # --- how the program ends ---

    def test_exit_statuses(self):
        for status in (0, 1, 2, 77, 99, 126, 127, 139, 255):
            with self.subTest(status=status):
                self.assertEqual(self.wrap("./prog", "exit", str(status)).returncode, status)
        self.assertEqual(self.check("reports", "--expect", "9")[0], 0, self.said)

    def test_signals(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGABRT, signal.SIGKILL, signal.SIGSEGV,
                       signal.SIGPIPE, signal.SIGTERM, signal.SIGRTMIN + 1):
            with self.subTest(signal=number):
                done = self.wrap("./prog", "signal", str(int(number)))
                self.assertEqual(done.returncode, -number, done.stderr)
                self.assertEqual(done.stdout + done.stderr, b"")

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "the launcher writes a core")
    def test_no_core_of_grindgate_itself(self):
        bare = self.run_it("sh", "-c", "ulimit -c unlimited && exec ./prog signal 11")
        self.assertEqual(bare.returncode, -signal.SIGSEGV)
        cores = glob.glob(os.path.join(self.repo, "*core*"))
        if not cores:
            self.skipTest("cores are not written to the current directory here")
        for core in cores:
            os.remove(core)
        before = sorted(os.listdir(self.repo))
        command = shlex.join(self.grind("wrap", "--dir", "reports", "--", "./prog", "signal", "11"))
        done = self.run_it("sh", "-c", "ulimit -c unlimited && exec " + command)
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertEqual(sorted(os.listdir(self.repo)), sorted([*before, "reports"]))

    def test_programs_that_cannot_be_run(self):
        self.write("no-program", "\n")
        os.mkdir(os.path.join(self.repo, "directory"))
        for program, status in (("./missing", 127), ("missing", 127), ("./no-program", 126)):
            with self.subTest(program=program):
                self.assertEqual(self.wrap(program, reports="lost").returncode, status)
        self.assertNotEqual(self.wrap("./directory", reports="lost").returncode, 0)
        status, told = self.check("lost")
        self.assertEqual(status, 3, self.said)
        self.assertEqual([run["end"] for run in told["runs"]], ["missing"] * 4)
        self.assertIn("./missing was not found", self.said)
        self.assertIn("./no-program is not executable", self.said)

    # --- what the program sees ---

    def test_streams_are_untouched(self):
        data = bytes(range(256)) * 400
        bare = self.run_it("./prog", "copy", stdin=None, input=data)
        self.assertEqual(bare.stdout, data)
        wrapped = self.wrap("./prog", "copy", stdin=None, input=data)
        self.assertEqual(wrapped.stdout, data)
        self.assertEqual(set(wrapped.stderr), {ord("+")})

    def test_not_a_byte_of_its_own(self):
        for mode in ("leak", "read", "elsewhere"):
            with self.subTest(mode=mode):
                self.assert_same(self.wrap("./prog", mode), self.run_it("./prog", mode))

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "the launcher needs descriptors, too")
    def test_closed_streams_hide_nothing(self):
        """valgrind's own files get these descriptors, and what the program writes with them."""
        for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                command = shlex.join(self.grind("wrap", "--dir", "closed" + closed, "--", "./prog",
                                                "leak", "and say </valgrindoutput>"))
                self.assertEqual(self.run_it("sh", "-c", f"{command} {closed}").returncode, 0)
                status, told = self.check("closed" + closed)
                self.assertEqual((status, list(self.found(told))),
                                 (1, [("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost"))]),
                                 self.said)

    def test_arguments_and_directory(self):
        words = ["say", "", " two  words ", "a\nb", "--help", "--", "-o", "%p", "$HOME", "*",
                 "'\"\\", b"\xff\xfe\xe9", "ü", "x" * 10000]
        self.assert_same(self.wrap("./prog", *words), self.run_it("./prog", *words))
        self.assertEqual(self.check("reports", "--expect", "1")[0], 0, self.said)

    def test_environment(self):
        env = {**self.env, "TWO_LINES": "a\nb", "BYTES": b"\xff", "EMPTY": ""}
        listed = [set(run("./prog", "environment", env=env).stdout.split(b"\0"))
                  for run in (self.run_it, self.wrap)]
        other = {entry.split(b"=")[0].decode() for entry in listed[0] ^ listed[1]}
        self.assertLessEqual(other, VALGRINDS)

    def test_a_directory_without_a_repository(self):
        self.assert_same(self.wrap("../repo/prog", "leak", cwd=self.outside()),
                         self.run_it("../repo/prog", "leak", cwd=self.outside()))
        kept = os.path.join(self.outside(), "reports")
        self.assertEqual(self.check("--repo", self.repo, kept, cwd=self.root)[0], 1, self.said)

    def outside(self):
        path = os.path.join(self.root, "outside")
        os.makedirs(path, exist_ok=True)
        return path

    # --- usage ---

    def test_wrong_usage_runs_nothing(self):
        for words in (["--dir", "reports"], ["--dir", "reports", "--"], ["--", "touch", "ran"],
                      ["--dir", "reports", "--bogus", "--", "touch", "ran"]):
            with self.subTest(words=words):
                done = self.run_it(*self.grind("wrap", *words))
                self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
                self.assertTrue(done.stderr.startswith(b"grindgate: "), done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.repo, "ran")))

    def test_a_directory_that_cannot_be_made(self):
        for reports in ("prog.c", "prog.c/reports", "/proc/reports"):
            with self.subTest(reports=reports):
                done = self.wrap("touch", "ran", reports=reports)
                self.assertEqual((done.returncode, done.stdout), (126, b""))
                self.assertIn(reports.split("/reports", maxsplit=1)[0].encode(), done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.repo, "ran")))

    def test_no_valgrind(self):
        done = self.wrap("./prog", options=["--valgrind", "no-such-valgrind"])
        self.assertEqual(done.returncode, 126)
        status, told = self.check("reports")
        self.assertEqual(status, 3)
        self.assertEqual([run["end"] for run in told["runs"]], ["missing"])
        self.assertIn("no-such-valgrind", self.said)

    # --- what check makes of it ---

    def test_findings_carry_the_test(self):
        self.wrap("./prog", "leak", options=["--test", "suite/ü 1"])
        self.wrap("./prog", "leak", options=["--test", "second"])
        self.wrap("./prog", "read", options=["--test", "second"])
        self.wrap("./prog", "clean", options=["--test", "fourth"])
        status, told = self.check("reports", "--expect", "4")
        self.assertEqual(status, 1, self.said)
        self.assertEqual(self.found(told),
                         {("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost")):
                          ["second", "suite/ü 1"],
                          ("InvalidRead", line_of("InvalidRead")): ["second"]})
        self.assertEqual(sorted(run["test"] for run in told["runs"]),
                         ["fourth", "second", "second", "suite/ü 1"])

    def test_too_few_runs(self):
        self.wrap("./prog", "clean")
        self.assertEqual(self.check("reports", "--expect", "1")[0], 0, self.said)
        self.assertEqual(self.check("reports", "--expect", "2")[0], 3, self.said)

    def test_a_program_that_changes_its_directory(self):
        self.assertEqual(self.wrap("./prog", "elsewhere").returncode, 0)
        self.assertEqual(len(glob.glob(os.path.join(self.runs_in()[0], "*-1.xml"))), 2)
        status, told = self.check("reports")
        self.assertEqual((status, list(self.found(told))),
                         (1, [("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost"))]))

    def test_many_side_by_side(self):
        count = 8 if os.environ.get("GG_LAUNCHER") else 40
        running = [subprocess.Popen(
            self.grind("wrap", "--dir", "reports", "--test", str(number), "--", "./prog",
                       *(["leak"] if number % 2 else ["exit", str(number)])),
            cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL) for number in range(count)]
        self.assertEqual([one.wait(timeout=300) for one in running],
                         [0 if number % 2 else number for number in range(count)])
        self.assertEqual(len(self.runs_in()), count)
        status, told = self.check("reports", "--expect", str(count))
        self.assertEqual(status, 1, self.said)
        self.assertEqual([run["end"] for run in told["runs"]], ["finished"] * count)
        self.assertEqual(self.found(told), {("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost")):
                                            sorted(str(number) for number in range(1, count, 2))})

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "the launcher is killed, not grindgate")
    def test_a_wrap_that_is_killed(self):
        self.wrap("./prog", "clean", options=["--test", "quick"])
        command = self.grind("wrap", "--dir", "reports", "--test", "slow one", "--", "./prog",
                             "wait")
        with subprocess.Popen(command, cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, encoding="utf-8") as gate:
            gate.stdout.readline()
            gate.send_signal(signal.SIGKILL)
            self.assertEqual(gate.stdout.read(), "") # ends with the last of its holders
        status, told = self.check("reports")
        self.assertEqual(status, 3, self.said)
        self.assertIn("slow one", [run["test"] for run in told["runs"] if run["end"] != "finished"])
        self.assertIn("slow one", self.said)

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "the launcher gets the signal, not grindgate")
    def test_a_wrap_that_is_told_to_stop(self):
        command = self.grind("wrap", "--dir", "reports", "--test", "slow one", "--", "./prog",
                             "wait")
        with subprocess.Popen(command, cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE) as gate:
            gate.stdout.readline()
            gate.send_signal(signal.SIGTERM)
            self.assertEqual(gate.wait(timeout=60), -signal.SIGTERM)
        status, told = self.check("reports")
        self.assertEqual(status, 3, self.said)
        self.assertEqual(len(self.notes(told, "stopped")), 1, self.said)

    def test_a_program_that_was_built_anew(self):
        self.wrap("./prog", "leak", options=["--test", "old"])
        self.write("prog.c", PROGRAM + "int longer;\n")
        time.sleep(0.01)
        self.build()
        status, told = self.check("reports")
        self.assertEqual((status, self.found(told)), (3, {}), self.said)
        self.assertEqual([(run["test"], run["end"]) for run in told["runs"]], [("old", "missing")])
        self.assertIn("built anew", self.said)

    def git(self, *words, cwd=None):
        done = self.run_it("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words,
                           cwd=cwd)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().strip()

    def commit_more(self):
        self.write("more.c", "int more;\n")
        self.git("add", "more.c")
        self.git("commit", "--quiet", "-m", "More")

    def test_runs_of_another_commit(self):
        """Named together, not judged, not counted."""
        for name in "abcde":
            self.wrap("./prog", "leak", options=["--test", name])
        then = self.git("rev-parse", "HEAD")
        self.assertEqual(self.check("reports", "--expect", "5")[0], 1, self.said)
        self.commit_more()
        now = self.git("rev-parse", "HEAD")
        status, told = self.check("reports", "--expect", "1")
        self.assertEqual((status, self.found(told)), (3, {}), self.said)
        self.assertEqual([run["end"] for run in told["runs"]], ["missing"] * 5)
        self.assertEqual(told["verdict"]["reasons"], [
            f"a, b, c and 2 more: run at commit {then[:7]}, and HEAD is {now[:7]} now, so it is "
            "not judged: run the tests again, and remove what older runs left",
            "0 programs ran to their end under valgrind, 1 was expected (--expect): were all tests "
            "run, and under valgrind?"])
        self.wrap("./prog", "clean", options=["--test", "f"])
        self.assertEqual(self.check("reports", "--expect", "1")[0], 3, self.said)
        self.assertNotIn("expected", self.said)
        self.git("checkout", "--quiet", "HEAD~1")
        self.assertEqual(self.check(*self.runs_in()[:5])[0], 1, self.said)

    def test_a_run_that_was_kept_at_another_commit(self):
        done = self.run_it(*self.grind("run", "--no-selftest", "--keep", "kept", "--", "./prog",
                                       "clean"))
        self.assertEqual(done.returncode, 0, done.stderr)
        [record] = glob.glob(os.path.join(self.repo, "kept", "*", "run.json"))
        with open(record, encoding="utf-8") as text:
            self.assertEqual(json.load(text)["repository"],
                             {"root": self.repo, "head": self.git("rev-parse", "HEAD")})
        self.assertEqual(self.check("kept")[0], 0, self.said)
        self.commit_more()
        self.assertEqual(self.check("kept")[0], 3, self.said)

    def test_a_run_outside_of_the_repository(self):
        """Another repository's commit says nothing; --repo says which is meant."""
        other = os.path.join(self.root, "other")
        program = os.path.join(self.repo, "prog")
        os.mkdir(other)
        for words in (("init", "--quiet", "."), ("commit", "--quiet", "--allow-empty", "-m", "0")):
            self.git(*words, cwd=other)
        reports = os.path.join(self.repo, "reports")
        self.wrap(program, "clean", reports=reports, cwd=other)
        self.wrap(program, "clean", reports=reports, cwd="/")
        self.commit_more()
        self.assertEqual(self.check("reports", "--expect", "2")[0], 0, self.said)
        self.wrap(program, "clean", reports=reports, cwd=other,
                  options=["--repo", self.repo, "--test", "named"])
        self.assertEqual(self.check("reports", "--expect", "3")[0], 0, self.said)
        self.git("rm", "--quiet", "more.c")
        self.git("commit", "--quiet", "-m", "Less")
        self.assertEqual(self.check("reports")[0], 3, self.said)
        self.assertIn("named: run at commit", self.said)

    def test_a_record_from_before_commits_were_kept(self):
        self.wrap("./prog", "clean")
        record = os.path.join(self.runs_in()[0], "run.json")
        with open(record, encoding="utf-8") as text:
            told = json.load(text)
        del told["repository"], told["program"]["build_id"]
        with open(record, "w", encoding="utf-8") as text:
            json.dump(told, text)
        self.commit_more()
        self.assertEqual(self.check("reports", "--expect", "1")[0], 0, self.said)

    def test_a_plain_report_that_is_older_than_its_program(self):
        def valgrind(report, program="./prog"):
            self.run_it("valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--xml=yes",
                        "--xml-file=" + report, program, "leak")

        valgrind("old.xml")
        valgrind("absolute.xml", os.path.join(self.repo, "prog"))
        self.assertEqual(self.check("old.xml", "absolute.xml")[0], 1, self.said)
        time.sleep(0.01)
        self.build()
        status, told = self.check("old.xml", "absolute.xml", "--expect", "1")
        self.assertEqual((status, self.found(told)), (3, {}), self.said)
        self.assertIn("old.xml: is older than ./prog, which it is a report of: run it again",
                      self.said)
        self.assertIn(f"absolute.xml: is older than {self.repo}/prog, which", self.said)
        self.assertIn("0 programs ran", self.said)
        with self.subTest("standard input has no time"), \
                open(os.path.join(self.repo, "old.xml"), "rb") as old:
            done = self.run_it(*self.grind("check", "-"), stdin=old)
            self.assertEqual(done.returncode, 1, done.stdout)
        with self.subTest("made again"):
            valgrind("old.xml")
            self.assertEqual(self.check("old.xml")[0], 1, self.said)
        with self.subTest("a program that is not here"):
            self.assertEqual(self.check("../repo/old.xml", cwd=self.repo)[0], 1, self.said)
            os.remove(os.path.join(self.repo, "prog"))
            self.assertEqual(self.check("absolute.xml")[0], 1, self.said)

    def test_a_report_that_was_copied_here(self):
        self.wrap("./prog", "clean")
        clean = glob.glob(os.path.join(self.runs_in()[0], "*.xml"))[0]
        self.wrap("./prog", "leak")
        leak = next(path for folder in self.runs_in() for path in glob.glob(folder + "*.xml")
                    if path != clean)
        with self.subTest("beside the run's own"):
            added = os.path.join(os.path.dirname(clean), os.path.basename(leak))
            shutil.copy(leak, added)
            status, told = self.check(os.path.dirname(added))
            self.assertEqual((status, self.found(told)), (3, {}), self.said)
            self.assertEqual(len(self.notes(told, "foreign-report")), 1, self.said)
            os.remove(added)
        with self.subTest("in place of the run's own"):
            shutil.copy(clean, leak)
            status, told = self.check(os.path.dirname(leak))
            self.assertEqual((status, self.found(told)), (3, {}), self.said)
            self.assertEqual([run["end"] for run in told["runs"]], ["missing"])

    def test_a_run_without_a_record(self):
        self.wrap("./prog", "leak", options=["--test", "leaks"])
        [kept] = self.runs_in()
        record = os.path.join(kept, "run.json")
        name = os.path.join("reports", os.path.basename(kept.rstrip("/")))
        os.remove(record)
        with self.subTest("its reports are read"):
            status, told = self.check("reports")
            self.assertEqual((status, list(self.found(told))),
                             (1, [("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost"))]),
                             self.said)
            self.assertIn((name, "missing"), [(run["source"], run["end"]) for run in told["runs"]])
        for path in glob.glob(kept + "*.xml"):
            os.remove(path)
        self.wrap("./prog", "clean")
        for cwd, words in ((self.repo, ["reports"]), (kept, ["--repo", self.repo, "."])):
            with self.subTest("there are none", words=words):
                status, told = self.check(*words, cwd=cwd)
                self.assertEqual(status, 3, self.said)
                self.assertIn("missing", [run["end"] for run in told["runs"]])
                self.assertIn("the record of this run is not there", self.said)

    def test_a_record_that_cannot_be_one(self):
        self.wrap("./prog", "clean")
        [kept] = self.runs_in()
        record, whole = os.path.join(kept, "run.json"), os.path.join(self.root, "whole.json")
        name = os.path.join("reports", os.path.basename(kept.rstrip("/")))
        self.assertEqual(self.check("reports")[0], 0, self.said)
        shutil.move(record, whole)

        def no_text():
            with open(record, "w", encoding="utf-8") as out:
                out.write('{"version": 1, "command": [5]}')

        for make in (no_text, lambda: os.mkfifo(record), lambda: os.symlink(whole, record),
                     lambda: os.mkdir(record)):
            make()
            status, told = self.check("reports")
            self.assertEqual(status, 3, self.said)
            [note] = [note for note in told["notes"] if note["kind"] == "unreadable"]
            self.assertEqual(note["where"], name)
            self.assertTrue(note["text"].startswith("run.json: is no"), note)
            self.assertIn(f"incomplete: {name}: {note['text']}\n", self.said)
            shutil.rmtree(record) if os.path.isdir(record) else os.remove(record)

    def test_a_report_that_cannot_be_read(self):
        path = "/proc/self/mem" # opens, and fails when its beginning is read
        status, told = self.check(path)
        self.assertEqual((status, [note["text"] for note in told["notes"]]),
                         (3, ["cannot be read: Input/output error"]), self.said)
        self.assertIn(f"incomplete: {path}: cannot be read", self.said)

    def test_a_directory_that_was_moved(self):
        self.wrap("./prog", "leak")
        elsewhere = os.path.join(self.root, "download")
        shutil.move(os.path.join(self.repo, "reports"), elsewhere)
        os.remove(os.path.join(self.repo, "prog"))
        status, told = self.check(elsewhere, "--expect", "1")
        self.assertEqual((status, list(self.found(told))),
                         (1, [("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost"))]), self.said)

    def skip_unless_valgrind_can_run_it(self):
        with open(self.grindgate, "rb") as binary:
            if b"__asan_init" in binary.read():
                self.skipTest("valgrind cannot run a grindgate that was built for AddressSanitizer")

    def test_a_wrap_within_a_wrap(self):
        self.skip_unless_valgrind_can_run_it()
        inner = shlex.join([self.grindgate, "wrap", "--dir", "inner", "--test", "inner", "--"])
        self.write("suite.sh", f"#!/bin/sh\n{inner} ./prog leak\n{inner} ./prog exit 7\n", 0o755)
        done = self.wrap("./suite.sh", options=["--test", "outer"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, b"", b""))
        self.assertEqual((len(self.runs_in()), self.runs_in("inner")), (1, []))
        status, told = self.check("reports", "--expect", "1")
        self.assertEqual((status, self.found(told)),
                         (1, {("Leak_DefinitelyLost", line_of("Leak_DefinitelyLost")): ["outer"]}),
                         self.said)
        missing = self.wrap(self.grindgate, "wrap", "--dir", "inner", "--", "./missing")
        self.assertEqual(missing.returncode, 127, missing.stderr)

    def test_a_wrap_within_a_bare_valgrind_is_loud(self):
        self.skip_unless_valgrind_can_run_it()
        self.assertEqual(self.wrap("./prog", "clean").returncode, 0)
        done = self.run_it("valgrind", "-q", "--trace-children=yes", "--xml=yes",
                           "--xml-file=" + os.path.join(self.root, "%p-1.xml"), self.grindgate,
                           "wrap", "--dir", "lost", "--", "./prog", "clean")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.check("lost")[0], 3, self.said)

    def test_reports_are_what_valgrind_wrote(self):
        self.wrap("./prog", "read")
        report = glob.glob(os.path.join(self.runs_in()[0], "*-1.xml"))
        self.assertEqual(len(report), 1)
        kinds = [kind.text for kind in ET.parse(report[0]).iter("kind")]
        self.assertEqual(kinds, ["InvalidRead"])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Wrap.grindgate = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
