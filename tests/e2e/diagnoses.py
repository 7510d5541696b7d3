#!/usr/bin/env python3
"""What keeps valgrind from seeing everything, made for real: each is told in one sentence that says
what to do, and what leaves the verdict in doubt never passes.

    diagnoses.py BUILD/grindgate [NAME...]       NAMEs as unittest has them
"""

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

# MODE selects what the program does.
PROGRAM = r"""
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile last;

static void leak(void)
{
    last = malloc(40);
    last = NULL;
}

static int deeper(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

/* Memory that is part defined costs valgrind memory of its own, which it does not get. */
static int starve(void)
{
    long size = 1L << 30;
    struct rlimit little = {64 << 20, 64 << 20};
    volatile char undefined[1];
    char *all = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    setrlimit(RLIMIT_AS, &little);
    for (long at = 0; at < size; at += 4096)
        all[at] = undefined[0];
    return 0;
}

static int spawn(char **argv)
{
    int status;
    if (fork() == 0) {
        execv(argv[0], argv);
        _exit(126);
    }
    wait(&status);
    return 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "clean";
    if (strcmp(mode, "leak") == 0)
        leak();
    if (strcmp(mode, "die") == 0) {
        leak();
        *(volatile int *)8 = 1;
    }
    if (strcmp(mode, "--gtest_internal_run_death_test=a.cc|1|0|3") == 0) {
        leak();
        abort();
    }
    if (strcmp(mode, "deep") == 0)
        return deeper(0);
    if (strcmp(mode, "starve") == 0)
        return starve();
    if (strcmp(mode, "trap") == 0)
        __builtin_trap();
#ifdef __x86_64__
    if (strcmp(mode, "avx512") == 0) /* vmovaps %zmm0,%zmm1 */
        __asm__ volatile(".byte 0x62,0xf1,0x7c,0x48,0x28,0xc8");
#endif
    if (strcmp(mode, "hang") == 0)
        pause();
    if (strcmp(mode, "spawn") == 0)
        return spawn(argv + 2);
    return 0;
}
"""


class Diagnoses(unittest.TestCase):
    grindgate = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = os.path.realpath(scratch.name)
        cls.env = {name: value for name, value in os.environ.items()
                   if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        cls.env.update(HOME=cls.root, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        cls.write("prog.c", PROGRAM)
        for command in ("git init --quiet --template= .", "git add prog.c",
                        "git -c user.name=A -c user.email=a@example.org commit --quiet -m Add",
                        "cc -w -g -O0 -o prog prog.c"):
            cls.shell(command)

    @classmethod
    def write(cls, name, text, mode=0o644):
        path = os.path.join(cls.root, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, mode)

    @classmethod
    def shell(cls, command, check=True):
        return subprocess.run(shlex.split(command), cwd=cls.root, env=cls.env, check=check,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    def gate(self, *arguments):
        report = os.path.join(tempfile.mkdtemp(dir=self.root), "report.json")
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        command, *rest = arguments
        extra = ["--no-selftest"] if command == "run" else []
        done = subprocess.run([*launcher, self.grindgate, command, *extra, "--no-blame",
                               "-o", "text", "-o", "json:" + report, *rest],
                              cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=240, check=False)
        self.said = (done.stdout + done.stderr).decode(errors="replace")
        if not os.path.exists(report):
            return done.returncode, None
        with open(report, encoding="utf-8") as text:
            return done.returncode, json.load(text)

    def run_program(self, *program, options=()):
        return self.gate("run", *options, "--", *program)

    def valgrind(self, *options, program=("./prog",)):
        """Runs valgrind itself, as others do; returns the file of its report."""
        report = os.path.join(tempfile.mkdtemp(dir=self.root), "report.xml")
        subprocess.run(["valgrind", "--xml=yes", f"--xml-file={report}", "--log-file=/dev/null",
                        *options, *program], cwd=self.root, env=self.env, check=False,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return report

    def wrap(self, directory, *program):
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        return subprocess.run([*launcher, self.grindgate, "wrap", "--dir", directory, "--",
                               *program], cwd=self.root, env=self.env, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=240).returncode

    def texts(self, told, kind, incomplete=None):
        return [note["text"] for note in told["notes"]
                if note["kind"] == kind and incomplete in (None, note["incomplete"])]

    def doubt(self, told, kind, *words):
        """The one note of this kind; it leaves the verdict in doubt."""
        found = self.texts(told, kind, True)
        self.assertEqual(len(found), 1, self.said)
        for word in words:
            self.assertIn(word, found[0])

    # --- what valgrind cannot do

    def test_nothing_is_said_of_a_sound_run(self):
        status, told = self.run_program("./prog", "clean")
        self.assertEqual((status, told["notes"]), (0, []), self.said)

    @unittest.skipUnless(platform.machine() == "x86_64", "an instruction of x86-64")
    def test_an_instruction_that_valgrind_lacks(self):
        status, told = self.run_program("./prog", "avx512")
        self.assertEqual(status, 1, self.said)
        self.doubt(told, "diagnosis", "AVX-512", "-march=x86-64-v3")
        report = self.valgrind(program=("./prog", "avx512"))
        told = self.gate("check", report)[1]
        self.assertEqual(len(self.texts(told, "diagnosis", False)), 1, self.said)

    @unittest.skipUnless(platform.machine() == "x86_64", "other processors trap by SIGTRAP")
    def test_a_trap_is_the_program_s_own(self):
        status, told = self.run_program("./prog", "trap")
        self.assertEqual((status, self.texts(told, "diagnosis")), (1, []), self.said)

    def test_a_stack_that_overflows(self):
        status, told = self.run_program("./prog", "deep")
        self.assertEqual(status, 1, self.said)
        self.assertEqual(len(self.texts(told, "diagnosis", False)), 1, self.said)
        self.assertIn("recursion", self.texts(told, "diagnosis")[0])

    def test_no_memory_for_valgrind(self):
        status, told = self.run_program("./prog", "starve")
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "diagnosis", "ran out of memory", "ulimit -v")

    def test_a_hang_is_stopped(self):
        status, told = self.run_program("./prog", "hang", options=["--timeout", "3"])
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "stopped", "--timeout", "why it hangs")

    def test_debug_information_that_valgrind_cannot_read(self):
        self.shell("cc -w -g -gsplit-dwarf -o split prog.c")
        status, told = self.run_program("./split", "leak")
        if status == 1:
            self.skipTest("this valgrind reads split debug information")
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "diagnosis", "can't read debug info", "-gsplit-dwarf")

    def test_a_program_that_is_linked_statically(self):
        if self.shell("cc -w -g -static -o static prog.c", check=False).returncode != 0:
            self.skipTest("no static C library")
        status, told = self.run_program("./static", "leak")
        self.assertNotEqual(status, 0, self.said)
        self.doubt(told, "static-program", "static is linked statically", "dynamically")
        told = self.run_program("./prog", "spawn", os.path.join(self.root, "static"))[1]
        self.doubt(told, "static-program", "dynamically")
        report = self.valgrind(program=(os.path.join(self.root, "static"), "leak"))
        self.doubt(self.gate("check", report)[1], "static-program", "dynamically")

    def test_a_program_with_setuid(self):
        path = os.path.join(self.root, "owned")
        shutil.copy(os.path.join(self.root, "prog"), path)
        os.chmod(path, 0o4755)
        status, told = self.run_program("./owned")
        if status == 0:
            self.skipTest("setuid means nothing here")
        self.assertEqual(status, 3, self.said)
        self.assertIn("setuid", told["runs"][0]["detail"], self.said)

    # --- what died

    def test_a_crash_comes_first_and_its_leaks_are_unreliable(self):
        status, told = self.run_program("./prog", "die")
        self.assertEqual(status, 1, self.said)
        self.assertEqual(told["findings"][0]["kind"], "FatalSignal")
        self.assertEqual(told["runs"][0]["fatal"], "SIGSEGV")
        leaks = [finding for finding in told["findings"] if finding["leak"]]
        self.assertEqual([leak["severity"] for leak in leaks], ["error"], self.said)
        self.assertTrue(leaks[0]["unreliable"])
        self.assertIn("unreliable: the process died of SIGSEGV before it could free",
                      " ".join(self.said.split()))
        told = self.run_program("./prog", "leak")[1]
        self.assertNotIn("unreliable", told["findings"][0])

    def test_a_death_test_is_meant_to_die(self):
        death = "--gtest_internal_run_death_test=a.cc|1|0|3"
        status, told = self.run_program("./prog", "spawn", "./prog", death)
        self.assertEqual(status, 0, self.said)
        self.assertEqual({finding["severity"] for finding in told["findings"]}, {"note"})
        self.assertEqual(told["findings"][0]["kind"], "FatalSignal")
        self.assertIn("death test", told["findings"][0]["why"])

    # --- what was run

    def test_a_script_that_runs_nothing(self):
        self.write("script", "#!/bin/sh\ntrue\n(grep -c x /dev/null)\nexit 0\n", 0o755)
        for program in (("./script",), ("sh", "-c", "exit 0"), ("sh", "./script")):
            status, told = self.run_program(*program)
            self.assertEqual(status, 3, self.said)
            self.doubt(told, "only-a-launcher", os.path.basename(program[0]))

    def test_a_script_that_fails_says_so_itself(self):
        status, told = self.run_program("sh", "-c", "./nothing")
        self.assertEqual((status, self.texts(told, "only-a-launcher", True)), (4, []), self.said)
        status = self.run_program("sh", "-c", "./nothing", options=["--ignore-exit"])[0]
        self.assertEqual(status, 3, self.said)

    def test_a_script_among_programs_is_named(self):
        suite = tempfile.mkdtemp(dir=self.root)
        for program, expected in ((["sh", "-c", "exit 0"], (3, 1, 1)), (["./prog"], (0, 1, 0))):
            self.assertEqual(self.wrap(suite, *program), 0)
            status, told = self.gate("check", suite)
            self.assertEqual((status, len(self.texts(told, "only-a-launcher", False)),
                              len(self.texts(told, "only-launchers", True))), expected, self.said)

    def test_a_script_that_runs_the_program(self):
        self.write("runs", "#!/bin/sh\n./prog clean\n", 0o755)
        for program in (("./runs",), ("sh", "-c", "./prog clean; exit 0"), ("env", "./prog")):
            status, told = self.run_program(*program)
            self.assertEqual((status, self.texts(told, "only-a-launcher")), (0, []), self.said)

    def test_a_launcher_that_was_checked_alone(self):
        status, told = self.gate("check", self.valgrind(program=("sh", "-c", "./prog leak; true")))
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "valgrind-options", "launcher (sh)", "--trace-children=yes")
        script = os.path.join(self.root, "wrapper")
        self.write("wrapper", "#!/bin/sh\n./prog leak\ntrue\n", 0o755)
        status, told = self.gate("check", self.valgrind(program=(script,)))
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "valgrind-options", "script (wrapper)", "--trace-children=yes")

    # --- what valgrind was told

    def test_options_that_hide_errors(self):
        for options in (["--xtree-leak=yes", f"--xtree-leak-file={self.root}/leaks"],
                        ["--show-leak-kinds=none"], ["--num-callers=1"],
                        ["--keep-stacktraces=none"]):
            told = self.gate("check", self.valgrind(*options, program=("./prog", "leak")))[1]
            self.assertEqual(len(self.texts(told, "valgrind-options", True)), 1, self.said)
            self.assertNotEqual(told["verdict"]["outcome"], "pass", self.said)

    def test_options_without_effect_are_no_danger(self):
        for option in ("--leak-check=no", "--leak-check=summary", "--error-limit=yes"):
            status, told = self.gate("check", self.valgrind(option, program=("./prog", "leak")))
            self.assertEqual((status, told["findings"][0]["kind"]), (1, "Leak_DefinitelyLost"))
            self.assertEqual(self.texts(told, "valgrind-options", True), [], self.said)

    def test_one_name_for_all_reports(self):
        report = self.valgrind("--trace-children=yes", program=("./prog", "spawn", "./prog"))
        told = self.gate("check", report)[1]
        self.assertEqual(told["verdict"]["exit_code"], 3, self.said)
        self.assertTrue(any("%p" in text for text in self.texts(told, "valgrind-options", True)))
        status, told = self.gate("check", self.valgrind())
        self.assertEqual(status, 0, self.said)
        self.assertIn("%p", "".join(self.texts(told, "valgrind-options", False)))

    def test_suppressions_inside_valgrind(self):
        self.write("known.supp", "{\n   known leak\n   Memcheck:Leak\n   ...\n   fun:leak\n}\n")
        report = self.valgrind("--suppressions=known.supp", program=("./prog", "leak"))
        status, told = self.gate("check", report)
        self.assertEqual(status, 0, self.said)
        hidden = "".join(self.texts(told, "hidden-suppressions", False))
        self.assertIn("hid 1 error (known leak: 1)", hidden, self.said)
        self.assertIn("known.supp", hidden)

    # --- what was expected

    def test_expected_programs(self):
        self.assertEqual(self.run_program("./prog", options=["--expect", "1"])[0], 0, self.said)
        options = ["--expect", "2"]
        status, told = self.run_program("./prog", "spawn", "./prog", options=options)
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "expected", "1 program ran", "2 were expected (--expect)")
        reports = [self.valgrind(), self.valgrind()]
        self.assertEqual(self.gate("check", "--expect", "2", *reports)[0], 0, self.said)
        self.assertEqual(self.gate("check", "--expect", "3", *reports)[0], 3, self.said)

    def test_required_kinds(self):
        report = self.valgrind(program=("./prog", "leak"))
        told = self.gate("check", "--require-kind", "Leak_DefinitelyLost", report)[1]
        self.assertEqual(self.texts(told, "required"), [], self.said)
        status, told = self.gate("check", "--fail-on", "never", "--require-kind", "InvalidRead",
                                 report)
        self.assertEqual(status, 3, self.said)
        self.doubt(told, "required", "InvalidRead")
        status, told = self.gate("check", "--require-kind", "InvalidRaed", report)
        self.assertEqual((status, told), (2, None), self.said)
        self.assertIn("did you mean InvalidRead?", self.said)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Diagnoses.grindgate = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
