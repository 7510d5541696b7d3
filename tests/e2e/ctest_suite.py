#!/usr/bin/env python3
"""`grindgate run --ctest` on real CMake projects, compared with plain ctest.

    ctest_suite.py BUILD/grindgate [NAME...]       NAMEs as unittest has them
"""

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
#include <unistd.h>

static int leak(void)
{
    void *volatile block = malloc(9); // LEAK
    block = NULL;
    return block != NULL;
}

static int read_past(void)
{
    volatile char *block = malloc(9);
    int value = block[9]; // READ
    free((void *)block);
    return value == 1000;
}

static int say(int count, char **words)
{
    FILE *out = fopen(words[2], "w");
    for (int i = 3; i < count; i++)
        fprintf(out, "%zu:%s\n", strlen(words[i]), words[i]);
    return fclose(out);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    const char *value = argc > 2 ? argv[2] : "";
    if (strcmp(mode, "exit") == 0)
        return atoi(value);
    if (strcmp(mode, "leak") == 0)
        return leak() + atoi(value);
    if (strcmp(mode, "read") == 0)
        return read_past();
    if (strcmp(mode, "crash") == 0)
        return raise(SIGSEGV);
    if (strcmp(mode, "sleep") == 0)
        return (int)sleep((unsigned)atoi(value));
    if (strcmp(mode, "echo") == 0)
        return puts(value) < 0;
    if (strcmp(mode, "say") == 0)
        return say(argc, argv);
    if (strcmp(mode, "there") == 0)
        return access(value, R_OK) != 0;
    if (strcmp(mode, "variable") == 0)
        return !getenv(value) || strcmp(getenv(value), argv[3]) != 0;
    if (strcmp(mode, "deaf") == 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;)
            sleep(1);
    }
    if (strcmp(mode, "--gtest_list_tests") == 0) {
        puts("Group.\n  Leaks\n  Passes");
        return 0;
    }
    if (strcmp(mode, "--gtest_filter=Group.Leaks") == 0)
        return leak();
    return 0;
}
"""

HEAD = """cmake_minimum_required(VERSION 3.20)
project(suite C)
add_compile_options(-g -O0 -w)
add_executable(program program.c)
"""

# Each line is what a real project does; the plan of what comes of it is in PLAN.
SUITE = HEAD + r"""
%s
enable_testing()
add_test(NAME passes COMMAND program)
add_test(NAME leaks COMMAND program leak)
add_test(NAME leaks.too COMMAND program leak)
add_test(NAME reads COMMAND program read)
add_test(NAME fails COMMAND program exit 3)
add_test(NAME leaks.and.fails COMMAND program leak 1)
add_test(NAME will.fail COMMAND program leak 1)
set_tests_properties(will.fail PROPERTIES WILL_FAIL TRUE)
add_test(NAME will.not.fail COMMAND program exit 0)
set_tests_properties(will.not.fail PROPERTIES WILL_FAIL TRUE)
add_test(NAME skips COMMAND program exit 77)
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME skips.too COMMAND program echo DOES-NOT-APPLY)
set_tests_properties(skips.too PROPERTIES SKIP_REGULAR_EXPRESSION DOES-NOT-APPLY)
add_test(NAME disabled COMMAND program)
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
add_test(NAME crashes COMMAND program crash)
add_test(NAME missing COMMAND /nonexistent/program)
add_test(NAME missing.will.fail COMMAND /nonexistent/program)
set_tests_properties(missing.will.fail PROPERTIES WILL_FAIL TRUE)
add_test(NAME missing.here COMMAND ./nonexistent)
set_tests_properties(missing.here PROPERTIES WILL_FAIL TRUE)
add_test(NAME missing.in.path COMMAND nonexistent-program)
add_test(NAME lacks.a.file COMMAND program)
set_tests_properties(lacks.a.file PROPERTIES REQUIRED_FILES /nonexistent/data)
add_test(NAME no.directory COMMAND program WORKING_DIRECTORY /nonexistent)
add_test(NAME says COMMAND program echo "a word")
set_tests_properties(says PROPERTIES PASS_REGULAR_EXPRESSION "^a word\n$")
add_test(NAME says.wrong COMMAND program echo "a word")
set_tests_properties(says.wrong PROPERTIES FAIL_REGULAR_EXPRESSION "a;word")
add_test(NAME setup COMMAND program leak)
set_tests_properties(setup PROPERTIES FIXTURES_SETUP data)
add_test(NAME cleanup COMMAND program)
set_tests_properties(cleanup PROPERTIES FIXTURES_CLEANUP data)
add_test(NAME needs COMMAND program LABELS)
set_tests_properties(needs PROPERTIES FIXTURES_REQUIRED data LABELS "slow;net" RESOURCE_LOCK disk)
add_test(NAME setup.fails COMMAND program exit 1)
set_tests_properties(setup.fails PROPERTIES FIXTURES_SETUP broken)
add_test(NAME needs.broken COMMAND program)
set_tests_properties(needs.broken PROPERTIES FIXTURES_REQUIRED broken)
add_test(NAME depends COMMAND program)
set_tests_properties(depends PROPERTIES DEPENDS "passes;leaks" RUN_SERIAL TRUE)
add_test(NAME elsewhere COMMAND program there marker WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/data)
add_test(NAME script.elsewhere COMMAND ./script.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/data)
add_test(NAME from.path COMMAND true)
add_test(NAME variable COMMAND program variable ODD "a;b c")
set_tests_properties(variable PROPERTIES ENVIRONMENT "ODD=a\;b c")
add_subdirectory(sub)
"""
SUB = r"""
add_test(NAME passes COMMAND program)
add_test(NAME sub.leaks COMMAND program leak)
"""
LEAKING = ["leaks", "leaks.and.fails", "leaks.too", "setup", "sub.leaks", "will.fail"]
NOT_RUN = ["lacks.a.file", "missing", "missing.here", "missing.in.path", "missing.will.fail",
           "needs.broken", "no.directory"]

STATUS = {"run": "passed", "fail": "failed", "disabled": "disabled"}


def status_of(case):
    """As grindgate calls it."""
    if case.get("status") != "notrun":
        return STATUS[case.get("status")]
    skipped = case.find("skipped").get("message").startswith("SKIP_")
    return "skipped" if skipped else "not-run"


class Suites(unittest.TestCase):
    grindgate = None
    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.source = os.path.join(self.scratch, "source")
        self.build = os.path.join(self.scratch, "build")
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND", "CTEST_"))}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        TMPDIR=self.scratch)
        os.mkdir(self.source)

    # --- helpers ---

    def call(self, *words, cwd=None, wanted=0):
        done = subprocess.run(words, cwd=cwd or self.source, env=self.env, capture_output=True,
                              encoding="utf-8", errors="replace", timeout=500, check=False)
        if wanted is not None:
            self.assertEqual(done.returncode, wanted, done.stdout + done.stderr)
        return done

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.source, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, mode)

    def commit(self):
        self.call("git", "init", "-q")
        self.call("git", "add", ".")
        self.call("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit",
                  "-q", "-m", "Begin")

    def make(self, text, *options):
        """Writes the project, commits it and builds it beside its source."""
        self.write("program.c", PROGRAM)
        self.write("CMakeLists.txt", text)
        self.commit()
        self.call("cmake", "-S", self.source, "-B", self.build, *options)
        self.call("cmake", "--build", self.build)

    def words(self, *words):
        return [*shlex.split(os.environ.get("GG_LAUNCHER", "")), self.grindgate, "run",
                "--no-selftest", "--no-blame", *words]

    def run_suite(self, *arguments, options=(), wanted=None, build=None, cwd=None):
        """The report as JSON, and what stood on standard output and error."""
        report = os.path.join(self.scratch, "report.json")
        if os.path.exists(report):
            os.remove(report)
        done = self.call(*self.words("--ctest", build or self.build, "-j", "2", "-o",
                                     f"json:{report}", *options, "--", *arguments),
                         wanted=wanted, cwd=cwd)
        with open(report, encoding="utf-8") as text:
            return json.load(text), done

    def plain(self, *arguments):
        """What ctest by itself makes of the tests: sorted (name, status)."""
        results = os.path.join(self.scratch, "plain.xml")
        self.call("ctest", "--test-dir", self.build, "--output-junit", results, "-j2", *arguments,
                  wanted=None)
        return sorted((case.get("name"), status_of(case))
                      for case in ET.parse(results).getroot().iter("testcase"))

    def judged(self, report):
        return sorted((test["name"], test["status"]) for test in report["tests"])

    def note(self, report, where):
        return [(note["kind"], note["text"]) for note in report["notes"] if note["where"] == where]

    def reasons(self, report):
        return "\n".join(report["verdict"]["reasons"])

    # --- the same tests with the same results ---

    def check_suite(self, more):
        self.write("data/marker", "")
        self.write("data/script.sh", "#!/bin/sh\nexec ../../build/program\n", 0o755)
        self.write("sub/CMakeLists.txt", SUB)
        self.make(SUITE % more)
        wanted = self.plain()
        report, _ = self.run_suite(wanted=1)
        self.assertEqual(self.judged(report), wanted)
        self.check_findings(report)
        self.check_notes(report)
        return report

    def check_findings(self, report):
        line = {word: 1 + PROGRAM[:PROGRAM.index(f"// {word}")].count("\n")
                for word in ("LEAK", "READ")}
        own = {(finding["kind"], finding["site"]["line"]): finding["tests"]
               for finding in report["findings"] if finding["fate"] == "open"
               and finding["kind"] in ("Leak_DefinitelyLost", "InvalidRead")}
        self.assertEqual(own, {("Leak_DefinitelyLost", line["LEAK"]): LEAKING,
                               ("InvalidRead", line["READ"]): ["reads"]})
        self.assertEqual(report["verdict"]["exit_code"], 1)

    def check_notes(self, report):
        for name in NOT_RUN:
            self.assertEqual([kind for kind, _ in self.note(report, name)], ["not-run"], name)
            self.assertIn(f"{name}: CTest did not run the test", self.reasons(report))
        for name, kind in (("skips", "skipped"), ("skips.too", "skipped"),
                           ("disabled", "disabled")):
            self.assertEqual([each for each, _ in self.note(report, name)], [kind], name)
            self.assertNotIn(f"{name}: ", self.reasons(report))
        count = (SUITE + SUB).count("add_test(")
        self.assertIn(f"6 of {count} tests failed: crashes, fails, leaks.and.fails and 3 more",
                      self.reasons(report))
        self.assertNotIn("exited with", self.reasons(report))
        checked = {run["test"] for run in report["runs"]}
        self.assertEqual(checked, {test["name"] for test in report["tests"]
                                   if test["status"] not in ("not-run", "disabled")})

    def test_enable_testing_alone(self):
        report = self.check_suite("")
        details = {test["name"]: test["detail"] for test in report["tests"]}
        self.assertEqual(details["missing"], "Unable to find executable")
        self.assertIn("segfault", details["crashes"].lower())  # CTest 4 says SEGFAULT
        self.assertEqual(details["passes"], None)

    def test_include_ctest(self):
        self.check_suite("include(CTest)")

    def test_selections_are_those_of_ctest(self):
        self.write("data/marker", "")
        self.write("data/script.sh", "#!/bin/sh\nexec ../../build/program\n", 0o755)
        self.write("sub/CMakeLists.txt", SUB)
        self.make(SUITE % "")
        for arguments in (("-L", "slow"), ("-R", "^passes$"), ("-E", "[^s]$|miss|needs|skip"),
                          ("-I", "1,4")):
            report, _ = self.run_suite(*arguments)
            self.assertEqual(self.judged(report), self.plain(*arguments), arguments)

    # --- outcomes ---

    def test_a_clean_suite_passes(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n"
                         "add_test(NAME b COMMAND program exit 9)\n"
                         "set_tests_properties(b PROPERTIES SKIP_RETURN_CODE 9)\n")
        report, done = self.run_suite(wanted=0)
        self.assertEqual(self.judged(report), [("a", "passed"), ("b", "skipped")])
        self.assertIn("1 test passed, 1 skipped", done.stdout)
        self.assertEqual(self.note(report, "b"),
                         [("skipped", "the test skipped itself (SKIP_RETURN_CODE=9)")])
        self.assertEqual([name for name in os.listdir(self.scratch)
                          if name.startswith("grindgate-")], [])

    def test_a_path_of_its_own(self):
        """valgrind is found before the test's PATH hides it, which the test itself does see."""
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program leak)\n"
                         "add_test(NAME b COMMAND program variable PATH /nonexistent)\n"
                         "set_tests_properties(a b PROPERTIES ENVIRONMENT PATH=/nonexistent)\n")
        report, _ = self.run_suite(wanted=1)
        self.assertEqual(self.judged(report), [("a", "passed"), ("b", "passed")])
        self.assertEqual([finding["tests"] for finding in report["findings"]
                          if finding["kind"] == "Leak_DefinitelyLost"], [["a"]])

    def test_reports_are_named_after_their_tests(self):
        """Unless they are kept: then by the directory, which can be looked at."""
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n")
        report, _ = self.run_suite(wanted=0)
        self.assertRegex(report["runs"][0]["source"], r"^a/\d+-1\.xml$")
        report, _ = self.run_suite(options=["--keep", "kept"], wanted=0)
        source = report["runs"][0]["source"]
        kept = os.path.join(self.source, "kept")
        self.assertTrue(any(os.path.exists(os.path.join(kept, suite, source))
                            for suite in os.listdir(kept)), source)

    def test_a_file_that_is_no_program(self):
        """A shell that stumbles over it fails, which a test may be meant to do."""
        self.write("empty", "", 0o755)
        self.write("corrupt", "\x7fELG\n)", 0o755)
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n"
                         "add_test(NAME b COMMAND ${CMAKE_SOURCE_DIR}/empty)\n"
                         "add_test(NAME c COMMAND ${CMAKE_SOURCE_DIR}/corrupt)\n"
                         "set_tests_properties(c PROPERTIES WILL_FAIL TRUE)\n")
        report, _ = self.run_suite(wanted=3)
        for name in ("b", "c"):
            self.assertEqual([kind for kind, _ in self.note(report, name)], ["no-program"])
        self.assertIn(f"b: {self.source}/empty is no program", self.reasons(report))

    def test_a_failed_test_is_no_finding(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n"
                         "add_test(NAME b COMMAND program exit 9)\n")
        report, _ = self.run_suite(wanted=4)
        self.assertEqual(report["verdict"]["reasons"], ["1 of 2 tests failed: b"])
        self.run_suite(options=["--ignore-exit"], wanted=0)

    def test_nothing_that_ran_is_incomplete(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program exit 9)\n"
                         "set_tests_properties(a PROPERTIES SKIP_RETURN_CODE 9)\n")
        report, _ = self.run_suite(wanted=3)
        self.assertIn("not one test ran", self.reasons(report))
        report, _ = self.run_suite("-R", "nothing", wanted=3)
        self.assertIn("CTest found no test", self.reasons(report))
        report, _ = self.run_suite("-N", wanted=3)
        self.assertEqual(report["verdict"]["reasons"][1:],
                         ["ctest was told to list the tests and not to run them "
                          "(-N, --show-only): leave that out"])

    def test_who_is_not_under_valgrind_is_named(self):
        """CTest finds the program of `a` in the folder of a configuration, by its own rules."""
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n"
                         "add_test(NAME b COMMAND program)\n")
        path = os.path.join(self.build, "CTestTestfile.cmake")
        with open(path, "a", encoding="utf-8") as out:
            out.write(f'_add_test(c "{self.build}/program")\n')
        report, _ = self.run_suite(wanted=3)
        self.assertEqual([kind for kind, _ in self.note(report, "c")], ["not-checked"])
        self.assertIn("c: the test was run, but not under valgrind", self.reasons(report))

    def test_usage(self):
        missing = os.path.join(self.scratch, "nowhere")
        self.commit_nothing()
        for words, text in ((("--ctest", missing), "is no directory"),
                            (("--ctest", self.source), "holds no CTestTestfile.cmake"),
                            (("-j", "2", "--", "true"), "--jobs: is for --ctest"),
                            (("--timeout-factor", "2", "--", "true"), "is for --ctest")):
            done = self.call(*self.words(*words), wanted=2)
            self.assertIn(text, done.stderr)
        self.write("CTestTestfile.cmake", "")
        for word in ("--test-dir", "--output-junit=x"):
            done = self.call(*self.words("--ctest", ".", "--", word, "x"), wanted=2)
            self.assertIn("grindgate gives ctest that itself", done.stderr)

    def test_without_ctest(self):
        self.commit_nothing()
        self.write("CTestTestfile.cmake", "")
        tools = os.path.join(self.scratch, "tools")
        os.mkdir(tools)
        for tool in filter(shutil.which, ("valgrind", "valgrind.bin", "git", "sh", "uname")):
            os.symlink(shutil.which(tool), os.path.join(tools, tool))
        self.env["PATH"] = tools
        report, _ = self.run_suite(build=".", wanted=3)
        self.assertIn("apt-get install cmake", self.reasons(report))

    def commit_nothing(self):
        self.write("README", "Nothing.\n")
        self.commit()

    # --- timeouts ---

    def test_timeouts_are_scaled(self):
        self.make(HEAD + "include(CTest)\n"
                         "add_test(NAME own COMMAND program sleep 3)\n"
                         "set_tests_properties(own PROPERTIES TIMEOUT 0.5 LABELS x)\n"
                         "add_test(NAME none COMMAND program sleep 3)\n"
                         "set_tests_properties(none PROPERTIES TIMEOUT 0)\n"
                         "add_test(NAME usual COMMAND program sleep 3)\n",
                  "-DDART_TESTING_TIMEOUT=1")
        report, _ = self.run_suite(options=["--timeout-factor", "60"], wanted=0)
        self.assertEqual(self.judged(report),
                         [("none", "passed"), ("own", "passed"), ("usual", "passed")])
        report, _ = self.run_suite("--timeout", "1", "-R", "usual", wanted=0,
                                   options=["--timeout-factor", "60"])
        self.assertEqual(self.judged(report), [("usual", "passed")])
        report, _ = self.run_suite("-R", "usual|own", wanted=3,
                                   options=["--timeout-factor", "1"])
        self.assertEqual(self.judged(report), [("own", "failed"), ("usual", "failed")])

    def test_a_test_that_hangs(self):
        """CTest kills it; what ignores TERM does not outlive the suite either."""
        self.make(HEAD + "enable_testing()\nadd_test(NAME hangs COMMAND program deaf)\n"
                         "set_tests_properties(hangs PROPERTIES TIMEOUT 1)\n")
        report, _ = self.run_suite(options=["--timeout-factor", "4"], wanted=3)
        self.assertEqual([(test["status"], test["detail"]) for test in report["tests"]],
                         [("failed", "Timeout")])
        self.assertEqual(report["verdict"]["reasons"],
                         ["hangs: CTest stopped the test (Timeout): give it more time with "
                          "--timeout-factor, or find out why it hangs",
                          "1 of 1 test failed: hangs"])
        self.assertEqual(len(report["runs"]), 1)
        self.assertEqual([note["kind"] for note in report["notes"]], ["unfinished"])
        self.assertEqual(self.processes(), [])

    def test_a_suite_that_takes_too_long(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME hangs COMMAND program sleep 300)\n")
        report, _ = self.run_suite(options=["--timeout", "3"], wanted=3)
        self.assertIn("the suite was stopped after 3 s (--timeout)", self.reasons(report))
        self.assertNotIn("ctest ended", self.reasons(report))
        self.assertEqual(self.processes(), [])

    def processes(self):
        """Those of the suite's program that live, by their command lines."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as text:
                    line = text.read().decode(errors="replace")
            except OSError:
                continue
            if self.build in line:
                found.append(line)
        return found

    def test_a_signal_ends_it_all(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME waits COMMAND program sleep 300)\n")
        report = os.path.join(self.scratch, "report.json")
        with subprocess.Popen(self.words("--ctest", self.build, "-o", f"json:{report}"),
                              cwd=self.source, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as child:
            while not any("\0sleep\0" in line and "wrap" not in line
                          for line in self.processes()):
                time.sleep(0.2)
            time.sleep(1)
            child.send_signal(signal.SIGTERM)
            output, _ = child.communicate(timeout=100)
        self.assertEqual(child.returncode, 3, output)
        with open(report, encoding="utf-8") as text:
            reasons = self.reasons(json.load(text))
        self.assertIn("told to stop", reasons)
        self.assertNotIn("ctest ended", reasons)
        self.assertEqual(self.processes(), [])

    # --- names, arguments, places ---

    def test_names_and_arguments_survive(self):
        words = ["", "a;b", "[[x]]", "]=]", '"q"', "$HOME ${x} @x@", "\nline", "back\\slash",
                 "tab\tx", ";", "a\\;b", "'", "#", "(", "-", "--", "--test"]
        names = ["two words", "semi;colon", "[=[", "]==]", 'a "quoted" one', "$name ${x}", "per%cent",
                 "sla/sh", "ünï", "<&>", "back\\slash", "#"]
        text = HEAD + "cmake_policy(SET CMP0110 NEW)\nenable_testing()\n"
        for number, name in enumerate(names):
            said = os.path.join(self.scratch, f"said-{number}")
            quoted = " ".join(self.bracket(word) for word in [said, *words])
            text += f"add_test(NAME {self.bracket(name)} COMMAND program say {quoted})\n"
        self.make(text)
        wanted = self.plain()
        self.assertEqual([name for name, _ in wanted], sorted(names))
        plainly = self.take_said(names)
        report, _ = self.run_suite(wanted=0)
        self.assertEqual(self.judged(report), wanted)
        self.assertEqual(self.take_said(names), plainly)
        self.assertEqual(plainly[0], "".join(f"{len(word)}:{word}\n" for word in words))
        self.assertEqual(sorted(run["test"] for run in report["runs"]), sorted(names))

    @staticmethod
    def bracket(text):
        return f"[====[\n{text}]====]"

    def take_said(self, names):
        said = []
        for number in range(len(names)):
            path = os.path.join(self.scratch, f"said-{number}")
            with open(path, encoding="utf-8", newline="") as text:
                said.append(text.read())
            os.remove(path)
        return said

    def test_odd_build_directories(self):
        """ctest reads any directory, cmake does not make every one."""
        self.make(HEAD)
        program = os.path.join(self.build, "program")
        for name in ("two words", "do$lar ${x}", "semi;colon", 'qu"ote', "]=]", "per%cent"):
            build = os.path.join(self.scratch, name)
            os.makedirs(os.path.join(build, "inner"))
            with open(os.path.join(build, "CTestTestfile.cmake"), "w", encoding="utf-8") as out:
                out.write(f'add_test(top "{program}" leak)\nsubdirs("inner")\n')
            with open(os.path.join(build, "inner", "CTestTestfile.cmake"), "w",
                      encoding="utf-8") as out:
                out.write(f'add_test(inner "{program}" read)\n')
            report, _ = self.run_suite(build=os.path.relpath(build, self.source), wanted=1)
            self.assertEqual(self.judged(report), [("inner", "passed"), ("top", "passed")], name)
            self.assertTrue(os.path.exists(os.path.join(build, "Testing", "Temporary",
                                                        "LastTest.log")))

    def test_programs_by_relative_names(self):
        """Where CTest finds a program, grindgate does: here, in a configuration's folder, in PATH,
        in the test's directory."""
        self.make(HEAD)
        inner = os.path.join(self.build, "inner")
        os.makedirs(os.path.join(self.build, "Release"))
        os.mkdir(inner)
        for place in ("here", "Release/there", "inner/below"):
            shutil.copy(os.path.join(self.build, "program"), os.path.join(self.build, place))
        with open(os.path.join(self.build, "CTestTestfile.cmake"), "w", encoding="utf-8") as out:
            out.write(f'add_test(a here leak)\nadd_test(b ./here leak)\nadd_test(c there leak)\n'
                      f'add_test(d true)\nadd_test(e ./below leak)\n'
                      f'set_tests_properties(e PROPERTIES WORKING_DIRECTORY "{inner}")\n')
        report, _ = self.run_suite(wanted=1)
        self.assertEqual(self.judged(report), self.plain())
        leaks = [finding["tests"] for finding in report["findings"]
                 if finding["kind"] == "Leak_DefinitelyLost" and finding["fate"] == "open"]
        self.assertEqual(sorted(leaks), [["a", "b"], ["c"], ["e"]])  # one for each program
        self.assertEqual(sorted(run["test"] for run in report["runs"]), ["a", "b", "c", "d", "e"])

    # --- what projects use ---

    def test_discovered_tests(self):
        """gtest_discover_tests, which asks the program for its tests after the build or before
        they run."""
        for mode in ("POST_BUILD", "PRE_TEST"):
            with self.subTest(mode):
                shutil.rmtree(self.build, ignore_errors=True)
                shutil.rmtree(os.path.join(self.source, ".git"), ignore_errors=True)
                self.make(HEAD + "enable_testing()\ninclude(GoogleTest)\n"
                                 f"gtest_discover_tests(program DISCOVERY_MODE {mode})\n")
                report, _ = self.run_suite(wanted=1)
                self.assertEqual(self.judged(report), [("Group.Leaks", "passed"),
                                                      ("Group.Passes", "passed")])
                self.assertEqual([finding["tests"] for finding in report["findings"]
                                  if finding["kind"] == "Leak_DefinitelyLost"],
                                 [["Group.Leaks"]])

    @unittest.skipUnless(shutil.which("ninja"), "needs ninja for several configurations")
    def test_several_configurations(self):
        self.make(HEAD + "include(CTest)\nadd_test(NAME a COMMAND program $<$<CONFIG:Debug>:leak>)\n",
                  "-G", "Ninja Multi-Config", "-DCMAKE_CONFIGURATION_TYPES=Debug;Release")
        self.call("cmake", "--build", self.build, "--config", "Release")
        for arguments, wanted in ((("-C", "Debug"), 1), (("-C", "Release"), 0), ((), None)):
            report, done = self.run_suite(*arguments)
            if wanted is not None:
                self.assertEqual(done.returncode, wanted, done.stdout)
            self.assertEqual(self.judged(report), self.plain(*arguments))

    def test_custom_file(self):
        self.make(HEAD + "include(CTest)\nadd_test(NAME a COMMAND program there made)\n"
                         "add_test(NAME b COMMAND program exit 1)\n"
                         "file(WRITE ${CMAKE_BINARY_DIR}/CTestCustom.cmake\n"
                         "     \"set(CTEST_CUSTOM_TESTS_IGNORE b)\\n"
                         "set(CTEST_CUSTOM_PRE_TEST \\\"touch made\\\")\")\n")
        report, _ = self.run_suite(wanted=0)
        self.assertEqual(self.judged(report), [("a", "passed")])
        os.remove(os.path.join(self.build, "made"))
        self.assertEqual(self.plain(), [("a", "passed")])

    def test_ctest_finds_its_log(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program)\n"
                         "add_test(NAME b COMMAND program exit 1)\n")
        self.run_suite(wanted=4)
        self.assertEqual(self.plain("--rerun-failed"), [("b", "failed")])
        report, _ = self.run_suite("--rerun-failed", wanted=4)
        self.assertEqual(self.judged(report), [("b", "failed")])

    def test_kept_runs_can_be_checked_again(self):
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program leak)\n"
                         "add_test(NAME b COMMAND program)\n")
        report, _ = self.run_suite(options=["--keep", "kept"], wanted=1)
        again = os.path.join(self.scratch, "again.json")
        self.call(self.grindgate, "check", "--no-blame", "-o", f"json:{again}", "kept", wanted=1)
        with open(again, encoding="utf-8") as text:
            checked = json.load(text)
        for key in ("kind", "tests", "site"):
            self.assertEqual([finding[key] for finding in checked["findings"]],
                             [finding[key] for finding in report["findings"]])
        self.assertEqual(len(checked["runs"]), 2)

    def test_kept_runs_are_of_their_commit(self):
        """Though the tests are run outside of the repository."""
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program leak)\n")
        self.run_suite(options=["--keep", "kept"], wanted=1)
        self.write("more.c", "int more;\n")
        self.commit()
        done = self.call(self.grindgate, "check", "--no-blame", "kept", wanted=3)
        self.assertIn("a: run at commit", done.stdout)

    def test_settings_hold_for_every_test(self):
        """Those of grindgate.json, which is not read by each test again, and relative paths."""
        self.write("known.supp", "{\n   known\n   Memcheck:Leak\n   fun:malloc\n   fun:leak\n}\n")
        self.write("grindgate.json", json.dumps({
            "ctest": "../build", "valgrind_arg": ["--suppressions=known.supp"]}))
        self.make(HEAD + "enable_testing()\nadd_test(NAME a COMMAND program leak)\n")
        done = self.call(*self.words("-o", "json"), wanted=0)
        report = json.loads(done.stdout)
        self.assertEqual(self.judged(report), [("a", "passed")])
        self.assertEqual(report["findings"], [])
        done = self.call(*self.words("-o", "json", "--", "true"), wanted=0)
        self.assertNotIn("tests", json.loads(done.stdout))


if __name__ == "__main__":
    Suites.grindgate = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
