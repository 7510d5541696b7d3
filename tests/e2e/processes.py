#!/usr/bin/env python3
"""Processes that make it hard for valgrind to leave a report: none of them may pass for clean.

    processes.py BUILD/grindgate [NAME...]       NAMEs as unittest has them
"""

import glob
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

# MODE selects what the program does; each mode that becomes another program becomes "clean".
PROGRAM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

static void error(void)
{
    volatile char *block = malloc(2);
    block[2] = 1;
    free((void *)block);
}

static int become_clean(void)
{
    execl(self, self, "clean", (char *)NULL);
    return 9;
}

/* Where the reports are: the only directory in "kept". */
static const char *reports(const char *name)
{
    static char path[4096];
    glob_t found;
    if (glob("kept/2*-*", 0, NULL, &found) != 0)
        exit(9);
    snprintf(path, sizeof path, "%s/%s", found.gl_pathv[0], name);
    globfree(&found);
    return path;
}

/* The child becomes another program while grindgate cannot look, and is not held up. */
static int late(void)
{
    pid_t grindgate = getppid();
    unlink(reports("valgrind.log"));
    kill(grindgate, SIGSTOP);
    if (fork() == 0) {
        error();
        _exit(become_clean());
    }
    wait(NULL);
    return kill(grindgate, SIGCONT);
}

/* A report that ends within an error, as if the disk had been full. */
static int cut(void)
{
    char name[64], text[65536] = "";
    error();
    snprintf(name, sizeof name, "%d-1.xml", (int)getpid());
    int fd = open(reports(name), O_RDWR);
    if (fd < 0 || read(fd, text, sizeof text - 1) <= 0 || !strstr(text, "<kind>Inv"))
        return 9;
    if (ftruncate(fd, strstr(text, "<kind>Inv") - text + 8) != 0)
        return 9;
    return become_clean();
}

/* From now on no process can make a file beside the reports. */
static int shut_out(void)
{
    return geteuid() == 0 ? setuid(65534) : chmod(reports("."), 0500);
}

static int shut_out_fork(void)
{
    if (shut_out() != 0)
        return 9;
    if (fork() == 0) {
        error();
        _exit(0);
    }
    wait(NULL);
    return geteuid() == 65534 ? 0 : chmod(reports("."), 0700);
}

static int shut_out_exec(void)
{
    if (fork() == 0)
        _exit(shut_out() != 0 ? 9 : become_clean());
    wait(NULL);
    return 0;
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc < 2)
        return 9;
    const char *mode = argv[1];
    if (strcmp(mode, "error") == 0)
        error();
    if (strcmp(mode, "late") == 0)
        return late();
    if (strcmp(mode, "cut") == 0)
        return cut();
    if (strcmp(mode, "fifo") == 0)
        return mkfifo(reports("1-1.xml"), 0600);
    if (strcmp(mode, "shut-out-fork") == 0)
        return shut_out_fork();
    if (strcmp(mode, "shut-out-exec") == 0)
        return shut_out_exec();
    if (strcmp(mode, "wait") == 0) {
        printf("%d\n", (int)getpid());
        fflush(stdout);
        pause();
    }
    if (strcmp(mode, "there") == 0)
        return chdir("there") != 0 || execl("../prog", "../prog", "error", (char *)NULL);
    return 0;
}
"""


class Processes(unittest.TestCase):
    grindgate = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = os.path.realpath(scratch.name)
        cls.env = {name: value for name, value in os.environ.items()
                   if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        cls.env.update(HOME=cls.root, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        with open(os.path.join(cls.root, "prog.c"), "w", encoding="utf-8") as out:
            out.write(PROGRAM)
        for command in ("git init --quiet --template= .", "git add prog.c",
                        "git -c user.name=A -c user.email=a@example.org commit --quiet -m Add",
                        "cc -g -o prog prog.c", "chmod 0755 ."):
            subprocess.run(shlex.split(command), cwd=cls.root, env=cls.env, check=True)

    def command(self, *program, report, keep):
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        return [*launcher, self.grindgate, "run", *keep, "-o", "text", "-o", "json:" + report, "--",
                *program]

    def judge(self, *program, keep=False):
        """Runs grindgate; returns its exit status and its report."""
        self.report = os.path.join(tempfile.mkdtemp(dir=self.root), "report.json")
        subprocess.run(["rm", "-rf", "kept"], cwd=self.root, check=True)
        done = subprocess.run(self.command(*program, report=self.report,
                                           keep=["--keep", "kept"] if keep else []),
                              cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, encoding="utf-8", check=False)
        self.said = done.stdout + done.stderr
        with open(self.report, encoding="utf-8") as text:
            return done.returncode, json.load(text)

    def notes(self, told, kind):
        return [note["text"] for note in told["notes"] if note["kind"] == kind]

    def test_a_report_written_over_before_it_was_renamed(self):
        status, told = self.judge("./prog", "late", keep=True)
        self.assertEqual(status, 3, self.said)
        self.assertIn("was written over", "".join(self.notes(told, "overwritten")), self.said)

    def test_a_report_cut_within_an_error(self):
        status, told = self.judge("./prog", "cut", keep=True)
        self.assertEqual(status, 3, self.said)
        self.assertEqual([(run["end"], run["replaced"]) for run in told["runs"]],
                         [("truncated", False), ("finished", False)], self.said)

    def test_a_report_that_is_no_file(self):
        status, told = self.judge("./prog", "fifo", keep=True)
        self.assertEqual(status, 3, self.said)
        self.assertIn("no regular file", "".join(self.notes(told, "unreadable")))

    def test_a_child_whose_report_cannot_be_made(self):
        status, told = self.judge("./prog", "shut-out-fork", keep=True)
        self.assertEqual(status, 3, self.said)
        self.assertIn("Cannot create XML file", "".join(self.notes(told, "not-checked")))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_a_program_whose_log_cannot_be_made(self):
        status, told = self.judge("./prog", "shut-out-exec", keep=True)
        self.assertEqual(status, 3, self.said)
        self.assertEqual(sorted(run["end"] for run in told["runs"]), ["finished", "truncated"])

    def test_two_processes_of_one_number(self):
        spaces = ["unshare", "--pid", "--fork"]
        if subprocess.run([*spaces, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("namespaces of pids cannot be made here")
        both = "; ".join(shlex.join([*spaces, "./prog", mode]) for mode in ("error", "clean"))
        status, told = self.judge("/bin/sh", "-c", both)
        self.assertEqual(status, 1, self.said)
        self.assertEqual([finding["kind"] for finding in told["findings"]
                          if finding["fate"] == "open"], ["InvalidWrite"])
        first = [run for run in told["runs"] if run["pid"] == 1]
        self.assertEqual([(run["end"], run["replaced"]) for run in first],
                         [("truncated", True), ("finished", False)] * 2, self.said)
        self.assertTrue(all(run["replaced"] or run["end"] == "finished" for run in told["runs"]))

    def test_options_in_a_directory_of_the_program(self):
        there = os.path.join(self.root, "there")
        os.mkdir(there)
        with open(os.path.join(there, ".valgrindrc"), "w", encoding="utf-8") as out:
            out.write("--memcheck:ignore-ranges=0x0-0xffffffffffff\n--trace-children=no\n")
        self.assertEqual(self.judge("./prog", "there")[0], 1, self.said)

    def test_options_that_are_not_read_are_told(self):
        rc = os.path.join(self.root, ".valgrindrc")
        with open(rc, "w", encoding="utf-8") as out:
            out.write("--trace-children=no\n")
        self.addCleanup(os.remove, rc)
        status, told = self.judge("./prog", "clean")
        self.assertEqual(status, 0, self.said)
        self.assertEqual(len(self.notes(told, "options-unread")), 1, self.said)
        self.assertIn("~/.valgrindrc", self.notes(told, "options-unread")[0])

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "the launcher is killed, not grindgate")
    def test_a_grindgate_that_is_killed(self):
        command = self.command("./prog", "wait", report=os.devnull, keep=[])
        with subprocess.Popen(command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, encoding="utf-8") as gate:
            pid = int(gate.stdout.readline())
            gate.send_signal(signal.SIGKILL)
            # Its standard output ends with the last of its holders.
            self.assertEqual(gate.stdout.read(), "")
        deadline = time.monotonic() + 20
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))
        for left in glob.glob(os.path.join(tempfile.gettempdir(), "grindgate-*", f"{pid}-1.xml")):
            subprocess.run(["rm", "-rf", os.path.dirname(left)], check=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Processes.grindgate = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
