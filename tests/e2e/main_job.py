#!/usr/bin/env python3
"""The main job on the bundled example, with the real grindgate, valgrind and git.

    main_job.py BUILD/grindgate [NAME...]       NAMEs as unittest has them
"""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUTCOMES = {0: "PASS", 1: "FAIL", 3: "INCOMPLETE", 4: "PROGRAM FAILED"}


def environment():
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
    env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", LC_ALL="C.UTF-8")
    return env


class Said:
    """What a command printed, and how it ended."""

    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def __str__(self):
        return f"exit status {self.status}\n{self.out}\n{self.err}"


def run(*command, cwd, stdin=None):
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, timeout=300,
                          stdin=None if stdin is not None else subprocess.DEVNULL, input=stdin,
                          encoding="utf-8", check=False)
    return Said(done)


class MainJob(unittest.TestCase):
    grindgate = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = os.path.realpath(scratch.name)
        cls.repos = {}
        cls.made = {}

    # --- what the tests stand on ---

    @classmethod
    def work(cls, *command, cwd=None):
        said = run(*command, cwd=cwd or cls.scratch)
        if said.status != 0:
            raise RuntimeError(f"{shlex.join(command)}: {said}")
        return said.out

    def example(self, at, fresh=False):
        """The example as of a tag, built; one that may be changed if fresh."""
        if fresh or at not in self.repos:
            path = tempfile.mkdtemp(dir=self.scratch)
            self.work(os.path.join(TESTS, "fixtures", "example.sh"), path)
            self.work("git", "checkout", "--quiet", at, cwd=path)
            self.work("make", cwd=path)
            if fresh:
                return path
            self.repos[at] = path
        return self.repos[at]

    def shallow(self, at, depth):
        """A clone of the example that reaches back only so far, built."""
        path = tempfile.mkdtemp(dir=self.scratch)
        source = self.example(at)
        self.work("git", "-C", source, "branch", "--force", "cut", at)
        self.work("git", "clone", "--quiet", f"--depth={depth}", "--branch=cut",
                  "file://" + source, path)
        self.work("make", cwd=path)
        return path

    def kept(self, at):
        """valgrind's report on the example as of a tag."""
        if at not in self.made:
            keep = tempfile.mkdtemp(dir=self.scratch)
            self.gate("run", "--keep", keep, "--", "./shelf_test", cwd=self.example(at))
            reports = [os.path.join(folder, name) for folder, _, names in os.walk(keep)
                       for name in names if name.endswith(".xml")]
            self.assertEqual(len(reports), 1, reports)
            self.made[at] = reports[0]
        return self.made[at]

    def file(self, name, text):
        path = os.path.join(tempfile.mkdtemp(dir=self.scratch), name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def gate(self, *arguments, cwd, stdin=None):
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        return run(*launcher, self.grindgate, *arguments, cwd=cwd, stdin=stdin)

    def judged(self, status, *arguments, cwd, stdin=None):
        """Runs grindgate, which must end with this status and say so; returns (text, JSON)."""
        report = os.path.join(tempfile.mkdtemp(dir=self.scratch), "report.json")
        said = self.gate(arguments[0], "-o", "text", "-o", "json:" + report, *arguments[1:],
                         cwd=cwd, stdin=stdin)
        self.assertEqual(said.status, status, said)
        last = [line for line in said.out.splitlines() if re.match(r"[A-Z ]+ \(exit \d\): ", line)]
        self.assertEqual([line.split(": ")[0] for line in last],
                         [f"{OUTCOMES[status]} (exit {status})"], said)
        with open(report, encoding="utf-8") as text:
            told = json.load(text)
        self.assertEqual(told["verdict"]["exit_code"], status)
        self.assertEqual(told["verdict"]["outcome"].upper().replace("-", " "), OUTCOMES[status])
        return said.out, told

    def git_blame(self, repo, path, line):
        said = self.work("git", "blame", "--porcelain", f"-L{line},{line}", "--", path, cwd=repo)
        head, *rest = said.splitlines()
        fields = dict(row.split(" ", 1) for row in rest if " " in row and row[0] != "\t")
        commit, orig_line, *_ = head.split()
        return {"commit": commit, "orig_line": int(orig_line), "orig_path": fields["filename"],
                "author": {"name": fields["author"], "email": fields["author-mail"].strip("<>")},
                "summary": fields["summary"]}

    def faults(self, at):
        with open(os.path.join(TESTS, "fixtures", "example.expected"), encoding="utf-8") as text:
            rows = [line.rstrip("\n").split("\t") for line in text]
        return [row[2:] for row in rows if row[:2] == ["fault", at]]

    def refused(self, *arguments, cwd, words=""):
        """A usage error: exit status 2, a reason, and nothing judged."""
        said = self.gate(*arguments, cwd=cwd)
        self.assertEqual((said.status, said.out), (2, ""), said)
        self.assertIn(words, said.err)

    # --- red and green ---

    def test_every_state_is_judged_as_it_is(self):
        for at in ("leak", "reformat", "read", "main", "reindent"):
            with self.subTest(at=at):
                repo = self.example(at)
                text, told = self.judged(1, "run", "--", "./shelf_test", cwd=repo)
                findings = {(one["kind"], one["site"]["path"], one["site"]["line"]): one
                            for one in told["findings"] if one["fate"] == "open"}
                faults = self.faults(at)
                self.assertEqual(set(findings), {(kind, path, int(line))
                                                 for kind, path, line, *_ in faults})
                for kind, path, line, code, function, author, _, subject in faults:
                    finding = findings[kind, path, int(line)]
                    blame, by_git = finding["blame"], self.git_blame(repo, path, line)
                    self.assertEqual({key: blame[key] for key in by_git}, by_git)
                    self.assertEqual((blame["uncommitted"], blame["boundary"]), (False, False))
                    self.assertEqual((finding["site"]["function"], finding["site"]["via"]),
                                     (function, "error"))
                    for words in (f"{path}:{line}", code, author, subject, by_git["commit"][:7]):
                        self.assertIn(words, text)

    def test_before_the_leak_it_passes(self):
        _, told = self.judged(0, "run", "--", "./shelf_test", cwd=self.example("good"))
        self.assertEqual(told["findings"], [])

    def test_the_time_is_the_authors(self):
        _, told = self.judged(1, "run", "--", "./shelf_test", cwd=self.example("leak"))
        self.assertEqual(told["findings"][0]["blame"]["time"], "2024-03-11T17:58:00-04:00")

    def test_every_report_is_written(self):
        repo = self.example("leak", fresh=True)
        said = self.gate("run", "-o", "sarif:leak.sarif", "-o", "junit:leak.xml", "-o",
                         "json:leak.json", "--", "./shelf_test", cwd=repo)
        self.assertEqual(said.status, 1, said)
        self.assertIn("FAIL (exit 1)", said.out)
        with open(os.path.join(repo, "leak.sarif"), encoding="utf-8") as text:
            result, = json.load(text)["runs"][0]["results"]
        where = result["locations"][0]["physicalLocation"]
        self.assertEqual((where["artifactLocation"]["uri"], where["region"]["startLine"]),
                         ("shelf.c", 61))
        failures = list(ET.parse(os.path.join(repo, "leak.xml")).iter("failure"))
        self.assertEqual(len(failures), 1)

    def test_the_program_keeps_its_streams_and_directory(self):
        repo = self.example("good")
        with open(os.path.join(repo, "delivery.txt"), encoding="utf-8") as note:
            said = self.gate("run", "--", "./shelf", cwd=repo, stdin=note.read())
        self.assertEqual(said.status, 0, said)
        self.assertEqual(said.out[:25], "    10 apples\n     3 tea\n")

    # --- reports that exist ---

    def test_check_judges_kept_reports_alike(self):
        for at in ("good", "leak", "main"):
            with self.subTest(at=at):
                repo, status = self.example(at), 0 if at == "good" else 1
                _, ran = self.judged(status, "run", "--", "./shelf_test", cwd=repo)
                _, checked = self.judged(status, "check", self.kept(at), cwd=repo)
                self.assertEqual(checked["findings"], ran["findings"])
                self.assertEqual(checked["verdict"], ran["verdict"])

    def test_the_order_of_reports_changes_no_byte(self):
        repo = self.example("main")
        with open(self.kept("main"), encoding="utf-8") as text:
            piped = text.read()
        reports = [self.kept("leak"), self.kept("read"), self.kept("good"), "-"]
        seen = set()
        for order in itertools.permutations(reports):
            said = self.gate("check", "-o", "json", *order, cwd=repo, stdin=piped)
            self.assertEqual(said.status, 1, said)
            seen.add(said.out)
        self.assertEqual(len(seen), 1)
        self.assertEqual(len(json.loads(seen.pop())["runs"]), len(reports))

    # --- whose it is when git cannot say ---

    def test_an_uncommitted_line_is_nobodys_yet(self):
        repo = self.example("leak", fresh=True)
        shelf = os.path.join(repo, "shelf.c")
        with open(shelf, encoding="utf-8") as source:
            text = source.read()
        with open(shelf, "w", encoding="utf-8") as source:
            source.write(text.replace("strdup(remark);", "strdup(remark); /* mine */"))
        self.work("make", cwd=repo)
        text, told = self.judged(1, "run", "--", "./shelf_test", cwd=repo)
        blame = told["findings"][0]["blame"]
        self.assertEqual((blame["uncommitted"], blame["author"]), (True, None))
        self.assertTrue(told["repository"]["dirty"])
        self.assertRegex(text, "(?i)not committed yet|uncommitted")
        self.assertNotIn("Ben Okafor", text)

    def test_lines_move_with_uncommitted_changes_above_them(self):
        repo = self.example("leak", fresh=True)
        shelf = os.path.join(repo, "shelf.c")
        with open(shelf, encoding="utf-8") as source:
            text = source.read()
        with open(shelf, "w", encoding="utf-8") as source:
            source.write("/* A new first line. */\n\n" + text)
        self.work("make", cwd=repo)
        _, told = self.judged(1, "run", "--", "./shelf_test", cwd=repo)
        finding, = told["findings"]
        self.assertEqual(finding["site"]["line"], 63)
        self.assertEqual((finding["blame"]["author"]["name"], finding["blame"]["orig_line"]),
                         ("Ben Okafor", 61))

    def test_where_a_shallow_clone_ends_nobody_is_blamed(self):
        repo = self.shallow("read", 1)
        text, told = self.judged(1, "run", "--", "./shelf_test", cwd=repo)
        self.assertTrue(told["repository"]["shallow"])
        self.assertEqual(len(told["findings"]), 2)
        for finding in told["findings"]:
            self.assertEqual((finding["blame"]["boundary"], finding["blame"]["author"]),
                             (True, None))
        self.assertIn("older than this clone", " ".join(text.split()))
        self.assertRegex(text, "fetch --unshallow|fetch-depth")
        for name in ("Zoë", "Ben", "Ada", "Count the items"):
            self.assertNotIn(name, text)

    def test_what_a_shallow_clone_does_hold_is_blamed(self):
        repo = self.shallow("main", 3)  # main, read, reformat; the leak is older
        _, told = self.judged(1, "run", "--", "./shelf_test", cwd=repo)
        blames = {finding["kind"]: finding["blame"] for finding in told["findings"]}
        self.assertEqual(blames["InvalidRead"]["author"]["name"], "Zoë Lindqvist")
        self.assertFalse(blames["InvalidRead"]["boundary"])
        self.assertTrue(blames["Leak_DefinitelyLost"]["boundary"])

    # --- exit status 2: nothing was judged ---

    def test_usage_errors(self):
        repo = self.example("good")
        self.refused("run", "--frobnicate", "--", "./shelf_test", cwd=repo, words="frobnicate")
        self.refused("run", cwd=repo)
        self.refused("chekc", "x.xml", cwd=repo, words="check")
        self.refused("run", "--fail-on", "sometimes", "--", "./shelf_test", cwd=repo)
        self.refused("run", "-o", "sarfi:x", "--", "./shelf_test", cwd=repo, words="sarif")
        self.refused("check", "--suppressions", "gone.supp", self.kept("good"), cwd=repo,
                     words="gone.supp")

    def test_outside_a_repository_nothing_is_judged(self):
        self.refused("check", self.kept("good"), cwd=tempfile.mkdtemp(dir=self.scratch))

    # --- exit status 3: it cannot be told ---

    def test_a_missing_report(self):
        self.judged(3, "check", "gone.xml", cwd=self.example("good"))
        self.judged(3, "check", self.kept("good"), "gone.xml", cwd=self.example("good"))

    def test_an_empty_report(self):
        self.judged(3, "check", self.file("empty.xml", ""), cwd=self.example("good"))

    def test_an_empty_directory(self):
        self.judged(3, "check", tempfile.mkdtemp(dir=self.scratch), cwd=self.example("good"))

    def cut(self, at, mark):
        with open(self.kept(at), encoding="utf-8") as text:
            whole = text.read()
        self.assertIn(mark, whole)
        return self.file("cut.xml", whole[:whole.index(mark)])

    def test_a_cut_report(self):
        cut = self.cut("good", "<state>FINISHED")
        self.judged(3, "check", cut, cwd=self.example("good"))
        text, _ = self.judged(0, "check", "--allow-incomplete", cut, cwd=self.example("good"))
        self.assertIn("cut.xml", text)

    def test_what_a_cut_report_holds_still_fails(self):
        cut = self.cut("main", "<errorcounts>")
        _, told = self.judged(1, "check", cut, cwd=self.example("main"))
        self.assertEqual(len(told["findings"]), 2)

    def test_no_report_at_all(self):
        self.judged(3, "check", self.file("notes.xml", "This is no report.\n"),
                    cwd=self.example("good"))

    def test_valgrind_that_cannot_run(self):
        repo = self.example("good")
        for valgrind in ("/bin/false", "/bin/true", "/no/such/valgrind"):
            with self.subTest(valgrind=valgrind):
                self.judged(3, "run", "--valgrind", valgrind, "--", "./shelf_test", cwd=repo)

    def test_a_program_that_is_not_there(self):
        text, _ = self.judged(3, "run", "--", "./no_such_program", cwd=self.example("good"))
        self.assertIn("no_such_program", text)

    def test_an_output_that_cannot_be_written(self):
        for at, status in (("good", 3), ("leak", 1)):
            with self.subTest(at=at):
                said = self.gate("check", "-o", "text", "-o", "json:no/such/folder/x.json",
                                 self.kept(at), cwd=self.example(at))
                self.assertEqual(said.status, status, said)
                self.assertIn("no/such/folder/x.json", said.err)

    def test_a_failed_output_leaves_the_old_one(self):
        repo = self.example("good")
        folder = tempfile.mkdtemp(dir=self.scratch)
        os.mkdir(os.path.join(folder, "report.json"))
        said = self.gate("check", "-o", f"json:{folder}/report.json", self.kept("good"), cwd=repo)
        self.assertEqual(said.status, 3, said)
        self.assertEqual(os.listdir(folder), ["report.json"])

    # --- exit status 4: the program's own failure ---

    def test_the_programs_own_exit_status(self):
        repo = self.example("good")
        text, _ = self.judged(4, "run", "--", "sh", "-c", "exit 7", cwd=repo)
        self.assertIn("7", text)
        self.judged(0, "run", "--ignore-exit", "--", "sh", "-c", "./shelf_test; exit 7", cwd=repo)

    def test_a_finding_comes_before_the_programs_own_failure(self):
        repo = self.example("leak")
        self.judged(1, "run", "--", "sh", "-c", "./shelf_test; exit 7", cwd=repo)


if __name__ == "__main__":
    MainJob.grindgate = os.path.abspath(sys.argv.pop(1))
    unittest.main()
