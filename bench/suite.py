#!/usr/bin/env python3
"""Measures grindgate run --ctest beside CTest that drives bare valgrind with the same flags.

    suite.py [--tests 200] [--jobs 2] [--rounds 3] [--grindgate FILE]

Two build directories of one generated project: in one valgrind itself is the launcher of every test
(CMAKE_CROSSCOMPILING_EMULATOR), the other is as any project's. Both suites in turn, in the same
run; the ratio of the best wall times counts, that of the CPU times stands beside it. Exit status 1
above the limit, 77 when valgrind or CMake is not there.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
GOAL = LIMIT = 1.03

SOURCE = r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *lose(size_t size)
{
    return memset(malloc(size), 0, size);
}

int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    unsigned long sum = 0;
    for (int i = 0; i < 20000; i++) {
        char *block = malloc((size_t)(i % 100) + 1);
        block[0] = (char)i;
        sum += (unsigned long)block[0];
        free(block);
    }
    if (number % 20 == 3)
        sum += (unsigned long)lose(10)[0];
    return number == 13 ? 1 : sum == 42;
}
"""

PROJECT = r"""
cmake_minimum_required(VERSION 3.20)
project(bench C)
enable_testing()
add_compile_options(-g)

foreach(i RANGE 1 %(tests)d)
  math(EXPR program "${i} %% 10")
  add_test(NAME test_${i} COMMAND program_${program} ${i})
  set_tests_properties(test_${i} PROPERTIES LABELS "group${program}" TIMEOUT 100)
endforeach()
foreach(i RANGE 0 9)
  add_executable(program_${i} main.c)
endforeach()
set_tests_properties(test_13 PROPERTIES WILL_FAIL TRUE)
set_tests_properties(test_1 PROPERTIES FIXTURES_SETUP data)
set_tests_properties(test_2 PROPERTIES FIXTURES_CLEANUP data)
set_tests_properties(test_4 test_5 test_6 PROPERTIES FIXTURES_REQUIRED data RESOURCE_LOCK one)
set_tests_properties(test_8 PROPERTIES DEPENDS test_7)
"""


def run(command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True, **more)


def make_project(folder, tests):
    source = folder / "source"
    source.mkdir()
    (source / "main.c").write_text(SOURCE)
    (source / "CMakeLists.txt").write_text(PROJECT % {"tests": tests})
    run(["git", "init", "-q", source])
    run(["git", "-C", source, "add", "."])
    run(["git", "-C", source, "-c", "user.name=B", "-c", "user.email=b@example.org", "commit",
         "-q", "-m", "Begin"])
    return source


def build(source, tree, emulator=None):
    more = [f"-DCMAKE_CROSSCOMPILING_EMULATOR={';'.join(emulator)}"] if emulator else []
    run(["cmake", "-S", source, "-B", tree, *more])
    run(["cmake", "--build", tree, "-j2"])
    return tree


def valgrind_flags(grindgate, program, folder):
    """What grindgate calls valgrind with, but for where the reports go."""
    run([grindgate, "wrap", "--no-config", "--dir", folder / "probe", "--", program])
    record, = (folder / "probe").glob("*/run.json")
    argv = json.loads(record.read_text())["argv"]
    flags = argv[:argv.index("--")]
    return [flag for flag in flags if not flag.startswith(("--xml-file", "--log-file"))]


def measure(command, cwd):
    before, start = os.times(), time.monotonic()
    result = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True,
                            text=True)
    wall, after = time.monotonic() - start, os.times()
    cpu = (after.children_user - before.children_user +
           after.children_system - before.children_system)
    return wall, cpu, result


def check(result, wanted):
    if result.returncode not in wanted:
        sys.exit(f"exit status {result.returncode}\n{result.stdout}\n{result.stderr}")


def outcomes_of_ctest(path):
    return {case.get("name"): case.get("status") == "run"
            for case in xml.etree.ElementTree.parse(path).iter("testcase")}


def verify(report, results):
    """The same tests pass and fail, and every leak that main.c holds is laid to its test."""
    told = json.loads(report.read_text())
    passed = {test["name"]: test["status"] == "passed" for test in told["tests"]}
    if passed != outcomes_of_ctest(results):
        sys.exit("the tests that pass are not those of plain CTest")
    found = sorted(name for finding in told["findings"] for name in finding["tests"])
    planted = sorted(name for name in passed if int(name.removeprefix("test_")) % 20 == 3)
    if found != planted:
        sys.exit(f"leaks were planted in {planted}, and found in {found}")
    print(f"{len(passed)} tests pass and fail as with CTest; {len(planted)} leaks laid to theirs")


def compare(args, folder):
    source = make_project(folder, args.tests)
    tree = build(source, folder / "build")
    flags = valgrind_flags(args.grindgate, tree / "program_1", folder)
    reports = folder / "reports"
    reports.mkdir()
    bare = build(source, folder / "bare", flags + [f"--xml-file={reports}/%p.xml",
                                                   f"--log-file={reports}/%p.log"])
    report, results = folder / "report.json", folder / "results.xml"
    floor = ["ctest", "--test-dir", bare, f"-j{args.jobs}", "--output-junit", results]
    candidate = [args.grindgate, "run", "--no-selftest", "--fail-on", "never", "--ctest", tree,
                 "-j", args.jobs, "-o", f"json:{report}"]
    best = {}
    for number in range(args.rounds):
        for name, command in (("bare", floor), ("grindgate", candidate)):
            wall, cpu, result = measure(command, source)
            check(result, (0,))
            print(f"round {number + 1}: {name:<10} {wall:7.2f} s, CPU {cpu:7.2f} s", flush=True)
            known = best.get(name, (wall, cpu))
            best[name] = min(known[0], wall), min(known[1], cpu)
    verify(report, results)
    return [best["grindgate"][i] / best["bare"][i] for i in (0, 1)]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tests", type=int, default=200)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--grindgate", type=pathlib.Path,
                         help="default: a release is built in build/bench")
    args = options.parse_args()
    if not (shutil.which("valgrind") and shutil.which("ctest")):
        print("skipped: valgrind or CTest is not there")
        return 77
    if not args.grindgate:
        tree = HERE.parent / "build" / "bench"
        run(["cmake", "-S", HERE.parent, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
             "-DBUILD_TESTING=OFF"])
        run(["cmake", "--build", tree, "--target", "grindgate_bin", "-j2"])
        args.grindgate = tree / "grindgate"
    args.grindgate = args.grindgate.resolve()
    with tempfile.TemporaryDirectory() as name:
        wall, cpu = compare(args, pathlib.Path(name))
    word = "ok" if wall <= GOAL else "TOO HIGH"
    print(f"{args.tests} tests, -j{args.jobs}: wall {wall:.3f}, CPU {cpu:.3f} of CTest with bare "
          f"valgrind; goal {GOAL} {word}")
    return 0 if wall <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
