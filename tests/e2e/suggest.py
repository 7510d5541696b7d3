#!/usr/bin/env python3
"""`grindgate rules suggest`, its blocks proved by the real valgrind.

    suggest.py GRINDGATE

Programs with planted errors are built by gcc and clang, with and without optimisation, and run
under valgrind; suppressions are suggested from the reports; valgrind runs the programs again with
them: what was to go is gone, and what was planted beside it stays.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

GRINDGATE = None

SOURCES = {
    "list.c": r"""
#include <stdlib.h>
__attribute__((noinline)) static void *grab(size_t size) { return malloc(size); }
__attribute__((noinline)) void *make_list(int count)
{
    char *volatile last = NULL;
    for (int i = 0; i < count; i++)
        last = grab(16 + (size_t)i);
    return last;
}
""",
    "leaks.c": r"""
#include <stdlib.h>
void *make_list(int count);
__attribute__((noinline)) static int planted(void)
{
    char *volatile block = malloc(7);
    block = NULL;
    return !block;
}
__attribute__((noinline)) static int keep(int count)
{
    void *volatile list = make_list(count);
    list = NULL;
    return count + !list;
}
__attribute__((noinline)) static int deep(int count) { return count > 3 ? keep(count) + 1 : deep(count + 1) + 1; }
__attribute__((noinline)) static int by_way(int count) { return keep(count) + 2; }
int main(int argc, char **argv)
{
    int sum = argc == 1 ? keep(2) : argv[1][0] == 'd' ? deep(argc) : by_way(3);
    return sum + planted() ? 0 : 1;
}
""",
    "kinds.c": r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int sum;
__attribute__((noinline)) static void cond(int *p) { if (p[0] > 2) sum++; }
__attribute__((noinline)) static void value(unsigned char *p) { static int table[256]; sum += table[p[0]]; }
__attribute__((noinline)) static void addr4(int *p) { sum += p[2]; }
__attribute__((noinline)) static void addr8(long *p) { p[2] = 1; }
__attribute__((noinline)) static void param(char *p) { if (write(1, p, 8) < 0) sum++; }
__attribute__((noinline)) static void freed(char *p) { free(p); }
__attribute__((noinline)) static void overlap(char *p) { volatile size_t n = 20; strncpy(p + 1, p, n); }
__attribute__((noinline)) static void *leak(void) { return malloc(24); }
__attribute__((noinline)) static void *inner(void) { return malloc(8); }
__attribute__((noinline)) static void fishy(void) { volatile long n = -1; void *volatile p = malloc((size_t)n); (void)p; }
int main(void)
{
    int *four = malloc(8);
    cond(four);
    addr4(four);
    free(four);
    unsigned char *byte = malloc(1);
    value(byte);
    free(byte);
    long *eight = malloc(16);
    addr8(eight);
    free(eight);
    char *text = malloc(8);
    param(text);
    free(text);
    text = malloc(3);
    freed(text);
    freed(text);
    char buffer[64] = "a text that is long enough";
    overlap(buffer);
    fishy();
    void **volatile lost = leak();
    lost[0] = inner();
    lost = NULL;
    return sum > 1000;
}
""",
    "conds.c": r"""
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *text = malloc(8);
    int sum = strlen(text) > 2;
    sum += strchr(text, 'x') != NULL;
    sum += memchr(text, 'y', 8) != NULL;
    if (text[0] > 2)
        sum++;
    free(text);
    return sum > 100;
}
""",
    "fork.c": r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void *make_list(int count);
__attribute__((noinline)) static void planted(void) { char *volatile block = malloc(9); block = NULL; }
__attribute__((noinline)) static void child(void) { void *volatile list = make_list(2); list = NULL; planted(); }
int main(void)
{
    if (fork() == 0) {
        child();
        return 0;
    }
    wait(NULL);
    void *volatile list = make_list(1);
    list = NULL;
    return 0;
}
""",
    "shapes.cc": r"""
#include <cstdlib>
namespace shapes {
struct Point { int x, y; };
template <typename T> __attribute__((noinline)) T *make(int count) { return new T[static_cast<size_t>(count)]; }
__attribute__((noinline)) void *planted(long count) { return new char[static_cast<size_t>(count)]; }
}
int main()
{
    shapes::Point *volatile points = shapes::make<shapes::Point>(3);
    points = nullptr;
    void *volatile other = shapes::planted(5);
    other = nullptr;
    return 0;
}
""",
    "race.c": r"""
#include <pthread.h>
static int shared, planted;
__attribute__((noinline)) static void touch(void) { shared++; }
__attribute__((noinline)) static void touch_planted(void) { planted++; }
static void *run(void *unused) { touch(); touch_planted(); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    touch();
    touch_planted();
    pthread_join(thread, NULL);
    return 0;
}
""",
    "noise.c": r"""
#include <stdlib.h>
static __attribute__((noinline)) void *hidden(void) { return malloc(32); }
void *noise(void) { return hidden(); }
""",
    "uses.c": r"""
#include <stdlib.h>
void *noise(void);
__attribute__((noinline)) static void planted(void) { char *volatile block = malloc(9); block = NULL; }
int main(void) { void *volatile lost = noise(); lost = NULL; planted(); return 0; }
""",
    "named.c": r"""
#include <stdlib.h>
void *make(void) __asm__(NAME);
__attribute__((noinline)) void *make(void) { return malloc(12); }
__attribute__((noinline)) static void planted(void) { char *volatile block = malloc(9); block = NULL; }
int main(void) { void *volatile lost = make(); lost = NULL; planted(); return 0; }
""",
}


def environment():
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GIT_", "GITHUB_", "GITLAB_", "GRINDGATE_", "VALGRIND"))}
    env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", LC_ALL="C.UTF-8")
    return env


def run(*command, cwd):
    return subprocess.run([str(word) for word in command], cwd=cwd, env=environment(),
                          stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          errors="replace", timeout=300, check=False)


def blocks(text):
    """The lines of each block, without its braces and name."""
    found = []
    for block in re.findall(r"^\{\n(.*?)^\}\n", text, flags=re.M | re.S):
        found.append([line.strip() for line in block.splitlines()][1:])
    return found


class Suggest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = os.path.realpath(scratch.name)
        for name, text in SOURCES.items():
            with open(os.path.join(cls.root, name), "w", encoding="utf-8") as file:
                file.write(text)
        for command in ("git init --quiet --template= .", "git add .",
                        "git -c user.name=Ann -c user.email=ann@example.org commit --quiet -m Add"):
            cls.work(*shlex.split(command))
        cls.compilers = [name for name in ("gcc", "clang") if shutil.which(name)]

    @classmethod
    def work(cls, *command):
        done = run(*command, cwd=cls.root)
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")

    def build(self, name, *words):
        self.work(*words, "-gdwarf-4", "-w", "-o", name)
        return "./" + name

    def builds(self, *sources):
        """The program by each compiler, with and without optimisation."""
        return [self.build(f"{sources[0]}-{compiler}{level}", compiler, level, *sources)
                for compiler in self.compilers for level in ("-O0", "-O2")]

    def valgrind(self, program, *arguments, options=("--demangle=no",), tool="memcheck"):
        """A report of valgrind's, its name."""
        handle, path = tempfile.mkstemp(suffix=".xml", dir=self.root)
        os.close(handle)
        leaks = ["--leak-check=full"] if tool == "memcheck" else []
        done = run("valgrind", "-q", "--tool=" + tool, *leaks, *options, "--xml=yes",
                   "--xml-file=" + path, program, *arguments, cwd=self.root)
        self.assertNotIn("FATAL", done.stderr)
        return os.path.basename(path)

    def errors(self, report):
        """(kind, functions of the first stack) of each error in a report, by expat alone."""
        tree = ET.parse(os.path.join(self.root, report))
        return [(error.findtext("kind"), [frame.findtext("fn") for frame in error.find("stack")])
                for error in tree.getroot().iter("error")]

    def passing(self, report, function):
        return [error for error in self.errors(report)
                if any(name and function in name for name in error[1])]

    def findings(self, *reports):
        done = run(GRINDGATE, "check", "-o", "json", *reports, cwd=self.root)
        return json.loads(done.stdout)["findings"]

    def ids(self, function, *reports):
        return [finding["id"] for finding in self.findings(*reports)
                if any(function in (frame["function"] or "") for frame in finding["stacks"][0]["frames"])]

    def suggest(self, ids, *reports, status=0, options=()):
        wanted = [word for name in ids for word in ("--finding", name)]
        done = run(GRINDGATE, "rules", "suggest", *options, *wanted, *reports, cwd=self.root)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def supp(self, text):
        handle, path = tempfile.mkstemp(suffix=".supp", dir=self.root)
        os.close(handle)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return os.path.basename(path)

    # --- one thing, many sightings ---

    def test_one_block_for_a_leak_of_many_builds_and_ways(self):
        runs = [(program, words) for program in self.builds("leaks.c", "list.c")
                for words in ((), ("deep",), ("by way",))]
        reports = [self.valgrind(program, *words) for program, words in runs]
        ids = self.ids("make_list", *reports)
        self.assertGreater(len(ids), 3)
        done = self.suggest(ids, *reports)
        self.assertEqual(blocks(done.stdout), [["Memcheck:Leak", "match-leak-kinds: definite",
                                                "fun:malloc", "...", "fun:make_list", "fun:keep"]])
        supp = self.supp(done.stdout)
        for (program, words), before in zip(runs, reports):
            after = self.valgrind(program, *words, options=["--suppressions=" + supp])
            with self.subTest(program=program, words=words):
                self.assertTrue(self.passing(before, "make_list"))
                self.assertEqual(self.passing(after, "make_list"), [])
                self.assertEqual(len(self.passing(after, "planted")), 1)

    def test_what_it_says_is_what_it_is_for(self):
        program = self.build("said", "gcc", "-O0", "leaks.c", "list.c")
        report = self.valgrind(program)
        finding = next(finding for finding in self.findings(report) if finding["leak"]["bytes"] == 33)
        done = self.suggest([finding["id"]], report)
        self.assertEqual(done.stdout,
                         f"# {finding['id']}: 33 bytes in 2 blocks are definitely lost\n"
                         "{\n   grab Leak\n   Memcheck:Leak\n   match-leak-kinds: definite\n"
                         "   fun:malloc\n   fun:grab\n   fun:make_list\n   fun:keep\n   fun:main\n}\n")

    def test_an_abbreviated_id_is_enough(self):
        report = self.valgrind(self.build("short", "gcc", "-O0", "leaks.c", "list.c"))
        finding = self.ids("make_list", report)[0]
        self.assertEqual(self.suggest([finding[:6]], report).stdout,
                         self.suggest([finding], report).stdout)

    def test_what_would_hide_something_else_is_refused(self):
        program = self.build("refused", "gcc", "-O0", "leaks.c", "list.c")
        reports = [self.valgrind(program, *words) for words in ((), ("deep",), ("by way",))]
        by_way, deep = self.ids("by_way", *reports), self.ids("deep", *reports)
        plain = [name for name in self.ids("make_list", *reports) if name not in by_way + deep]
        done = self.suggest(by_way + deep, *reports, status=1)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"also fits {plain[0]}", done.stderr)
        self.suggest(by_way + deep + plain, *reports)

    def test_things_that_share_nothing_are_refused(self):
        report = self.valgrind(self.build("nothing", "gcc", "-O0", "leaks.c", "list.c"))
        ids = self.ids("make_list", report) + self.ids("planted", report)
        done = self.suggest(ids, report, status=1)
        self.assertIn("no frame in common but those that nearly every stack has", done.stderr)

    # --- everything that is open ---

    def test_every_kind_has_a_block_that_valgrind_takes(self):
        program = self.build("kinds", "gcc", "-O0", "kinds.c")
        options = ["--demangle=no", "--show-leak-kinds=all"]
        report = self.valgrind(program, options=options)
        done = self.suggest([], report)
        kinds = sorted(block[0] for block in blocks(done.stdout))
        self.assertEqual(kinds, sorted(["Memcheck:" + kind for kind in (
            "Cond", "Value8", "Addr4", "Addr8", "Param", "Free", "Overlap", "FishyValue", "Leak", "Leak")]))  # one lost, one lost with it
        by_kind = {block[0].split(":")[1]: block for block in blocks(done.stdout)}
        self.assertEqual(by_kind["Param"][1], "write(buf)")
        self.assertEqual(by_kind["FishyValue"][1], "malloc(size)")
        after = self.valgrind(program, options=options + ["--suppressions=" + self.supp(done.stdout)])
        self.assertEqual(self.errors(after), [])
        for kind in by_kind:
            rest = "".join(found for found in re.findall(r"^\{\n.*?^\}\n", done.stdout, flags=re.M | re.S)
                           if f":{kind}\n" not in found)
            with self.subTest(without=kind):
                left = self.errors(self.valgrind(program, options=options + ["--suppressions=" + self.supp(rest)]))
                self.assertEqual(len(left), 2 if kind == "Leak" else 1, left)

    def test_sizes_take_a_block_each(self):
        report = self.valgrind(self.build("sizes", "gcc", "-O0", "kinds.c"))
        done = self.suggest(self.ids("addr4", report) + self.ids("addr8", report), report)
        self.assertEqual(sorted(blocks(done.stdout)),
                         [["Memcheck:Addr4", "fun:addr4", "fun:main"],
                          ["Memcheck:Addr8", "fun:addr8", "fun:main"]])

    def test_nothing_open_is_no_failure(self):
        program = self.build("open", "gcc", "-O0", "leaks.c", "list.c")
        report = self.valgrind(program)
        supp = self.supp(self.suggest([], report).stdout)
        done = self.suggest([], report, options=["--suppressions", supp])
        self.assertEqual((done.stdout, "no finding is open" in done.stderr), ("", True))

    def test_nothing_open_names_what_is_external(self):
        self.work("gcc", "-O0", "-w", "-o", "plain", "leaks.c", "list.c")
        report = self.valgrind("./plain")
        self.assertEqual([finding["fate"] for finding in self.findings(report)], ["external"] * 2)
        # what has no lines is a reason to doubt the report
        done = self.suggest([], report, status=3)
        self.assertEqual(done.stdout, "")
        self.assertIn("no finding is open; 2 findings are external: name them with --finding ID", done.stderr)
        named = self.suggest(self.ids("make_list", report), report, status=3)
        self.assertEqual(len(blocks(named.stdout)), 1)

    def test_no_two_blocks_have_one_name(self):
        """gcc -O0 keeps three uses in main; valgrind takes the names, and tells them apart."""
        program = self.build("uses", "gcc", "-O0", "-fno-builtin", "conds.c")
        report = self.valgrind(program)
        supp = self.suggest([], report).stdout
        names = [line.strip() for line in re.findall(r"^\{\n(.*)$", supp, flags=re.M)]
        self.assertEqual((len(names), len(set(names))), (len(self.findings(report)), len(names)), names)
        after = self.valgrind(program, options=["--demangle=no", "--suppressions=" + self.supp(supp)])
        self.assertEqual(self.errors(after), [])

    def test_what_is_suppressed_is_told_from_what_is_open(self):
        report = self.valgrind(self.build("told", "gcc", "-O0", "leaks.c", "list.c"))
        supp = self.supp(self.suggest(self.ids("planted", report), report).stdout)
        done = self.suggest([], report, options=["--suppressions", supp])
        self.assertEqual([block[-3] for block in blocks(done.stdout)], ["fun:make_list"])

    # --- what builds change ---

    def test_suffixes_of_compilers_become_wildcards(self):
        wanted = {("make.isra.0", "make.constprop.1"): "fun:make.*",
                  ("make.isra.0",): "fun:make.*",
                  ("make", "make.part.0"): "fun:make*",
                  ("make", "maker"): None,
                  ("make",): "fun:make"}
        for names, line in wanted.items():
            programs = [self.build("named-" + name, "gcc", "-O0", f'-DNAME="{name}"', "named.c") for name in names]
            reports = [self.valgrind(program) for program in programs]
            ids = self.ids("make", *reports)
            with self.subTest(names=names):
                done = self.suggest(ids, *reports, status=0 if line else 1)
                if not line:
                    continue
                self.assertEqual(blocks(done.stdout)[0][2:], ["fun:malloc", line, "fun:main"])
                supp = self.supp(done.stdout)
                for program in programs:
                    after = self.valgrind(program, options=["--suppressions=" + supp])
                    self.assertEqual([self.passing(after, "make"), len(self.passing(after, "planted"))], [[], 1])

    def test_versions_of_stripped_libraries_become_wildcards(self):
        programs, reports = [], []
        for version in ("1.0.2", "2.1"):
            folder = os.path.join(self.root, "lib" + version)
            os.makedirs(folder, exist_ok=True)
            library = f"{folder}/libnoise.so.{version}"
            self.work("gcc", "-O0", "-shared", "-fPIC", "-s", f"-Wl,-soname,libnoise.so.{version}",
                      "-o", library, "noise.c")
            programs.append(self.build("uses" + version, "gcc", "-O0", "uses.c", library, "-Wl,-rpath," + folder))
            reports.append(self.valgrind(programs[-1]))
        ids = [finding["id"] for finding in self.findings(*reports) if finding["leak"]["bytes"] == 32]
        done = self.suggest(ids, *reports)
        self.assertEqual(blocks(done.stdout)[0][2:],
                         ["fun:malloc", "obj:*/libnoise.so.*", "fun:noise", "fun:main"])
        supp = self.supp(done.stdout)
        for program in programs:
            after = self.valgrind(program, options=["--suppressions=" + supp])
            self.assertEqual([len(error[1]) for error in self.errors(after)], [3], self.errors(after))

    # --- names ---

    def test_demangled_names_are_refused(self):
        program = self.build("shapes", "g++", "-O0", "shapes.cc")
        report = self.valgrind(program, options=[])
        done = self.suggest(self.ids("shapes::make", report), report, status=1)
        self.assertIn("--demangle=no", done.stderr)

    def test_one_report_with_the_linkers_names_is_enough(self):
        program = self.build("mixed", "g++", "-O0", "shapes.cc")
        reports = [self.valgrind(program, options=[]), self.valgrind(program)]
        ids = self.ids("shapes::make", *reports)
        self.assertEqual(len(ids), 2)
        done = self.suggest(ids, *reports)
        self.assertEqual([block[2:] for block in blocks(done.stdout)],
                         [["fun:_Znam", "fun:_ZN6shapes4makeINS_5PointEEEPT_i", "fun:main"]])
        self.assertIn("guessed to fit", done.stdout)
        after = self.valgrind(program, options=["--suppressions=" + self.supp(done.stdout)])
        self.assertEqual([self.passing(after, "make"), len(self.passing(after, "planted"))], [[], 1])

    def test_mangled_names_come_from_either_option(self):
        program = self.build("mangled", "g++", "-O0", "shapes.cc")
        for option in ("--demangle=no", "--gen-suppressions=all"):
            report = self.valgrind(program, options=[option])
            done = self.suggest(self.ids("shapes::make", report), report)
            with self.subTest(option=option):
                self.assertEqual(blocks(done.stdout)[0][2:],
                                 ["fun:_Znam", "fun:_ZN6shapes4makeINS_5PointEEEPT_i", "fun:main"])
                self.assertIn("\n   shapes::Point* shapes::make<shapes::Point>(int) Leak\n", done.stdout)
                after = self.valgrind(program, options=["--suppressions=" + self.supp(done.stdout)])
                self.assertEqual([self.passing(after, "make"), len(self.passing(after, "planted"))], [[], 1])

    # --- processes, threads, limits ---

    def test_sightings_in_a_parent_and_its_child(self):
        program = self.build("forks", "gcc", "-O0", "fork.c", "list.c")
        folder = tempfile.mkdtemp(dir=self.root)
        options = ["--trace-children=yes", "--leak-check=full", "--xml=yes"]
        run("valgrind", "-q", "--demangle=no", *options, f"--xml-file={folder}/a.%p.xml", program, cwd=self.root)
        ids = self.ids("make_list", folder)
        self.assertEqual(len(ids), 2)
        done = self.suggest(ids, folder)
        self.assertEqual(blocks(done.stdout)[0][2:], ["fun:malloc", "fun:grab", "fun:make_list"])
        after = tempfile.mkdtemp(dir=self.root)
        run("valgrind", "-q", *options, "--suppressions=" + self.supp(done.stdout),
            f"--xml-file={after}/a.%p.xml", program, cwd=self.root)
        paths = sorted(pathlib.Path(after).glob("*.xml"))
        self.assertEqual(len(paths), 2)
        self.assertEqual([error for path in paths for error in self.passing(path, "make_list")], [])
        self.assertEqual(len([error for path in paths for error in self.passing(path, "planted")]), 1)

    def test_races_of_helgrind_and_drd(self):
        program = self.build("race", "gcc", "-O0", "-pthread", "race.c")
        for tool, kind in (("helgrind", "Helgrind:Race"), ("drd", "drd:ConflictingAccess")):
            report = self.valgrind(program, tool=tool)
            findings = [finding["id"] for finding in self.findings(report)
                        if finding["stacks"][0]["frames"][0]["function"] == "touch"]
            with self.subTest(tool=tool):
                done = self.suggest(findings, report)
                self.assertEqual({block[0] for block in blocks(done.stdout)}, {kind})
                after = self.valgrind(program, tool=tool, options=["--suppressions=" + self.supp(done.stdout)])
                tops = {error[1][0] for error in self.errors(after)}
                self.assertEqual(tops, {"touch_planted"})

    def test_no_more_lines_than_callers(self):
        program = self.build("callers", "gcc", "-O0", "leaks.c", "list.c")
        report = self.valgrind(program, "deep", options=["--demangle=no", "--num-callers=3"])
        # so few callers are a reason to doubt the report
        done = self.suggest(self.ids("make_list", report), report, status=3)
        self.assertEqual(blocks(done.stdout)[0][2:], ["fun:malloc", "fun:grab", "fun:make_list"])

    # --- reports ---

    def test_a_report_of_grindgates_own_is_as_good(self):
        report = self.valgrind(self.build("own", "g++", "-O0", "shapes.cc"), options=["--gen-suppressions=all"])
        made = run(GRINDGATE, "check", "-o", "json:own.json", report, cwd=self.root)
        self.assertEqual(made.returncode, 1, made.stderr)
        self.assertEqual(self.suggest([], "own.json").stdout, self.suggest([], report).stdout)

    def test_what_is_not_whole_is_told(self):
        report = self.valgrind(self.build("cut", "gcc", "-O0", "leaks.c", "list.c"))
        with open(os.path.join(self.root, report), "rb") as file:
            text = file.read()
        with open(os.path.join(self.root, "cut.xml"), "wb") as file:
            file.write(text[:text.index(b"</valgrindoutput>")])
        done = self.suggest([], "cut.xml", status=3)
        self.assertEqual(len(blocks(done.stdout)), 2)
        self.assertIn("incomplete: cut.xml", done.stderr)

    def test_mistakes(self):
        report = self.valgrind(self.build("mistakes", "gcc", "-O0", "leaks.c", "list.c"))
        self.assertIn("no report is named", self.suggest([], status=2).stderr)
        some = self.ids("planted", report)[0]
        wrong = some[:-1] + ("0" if some[-1] != "0" else "1")
        self.assertIn(f"did you mean {some}?", self.suggest([wrong], report, status=2).stderr)


if __name__ == "__main__":
    GRINDGATE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
