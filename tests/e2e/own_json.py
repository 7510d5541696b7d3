#!/usr/bin/env python3
"""A report of grindgate's own, read again, says what it said.

    own_json.py GRINDGATE [CORPUS]

For stored XML (CORPUS, the folder with valgrind-xml; without it ../shared/corpus beside the
repository is meant) and for reports of valgrind's own runs: check XML -o json, then check that
JSON, must give the same bytes and the same exit status; also of all reports together, in two
shards, in either order. What is cut off or changed never passes.
"""

import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GRINDGATE = os.path.abspath(sys.argv[1])
CORPUS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parents[2] / "shared" / "corpus"
LAUNCHER = shlex.split(os.environ.get("GG_LAUNCHER", ""))
FAILURES = []
CUTS = 40  # places where a report is cut off

PROGRAM = r"""
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>
__attribute__((noinline)) static void *make(size_t size) { return malloc(size); }
__attribute__((noinline)) static int look(const int *at) { return at[0] > 1; }
int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    if (strstr(way, "leak")) { char *volatile p = make(24); p = NULL; (void)p; }
    if (strstr(way, "read")) { int *p = make(4); free(p); printf("%d\n", look(p)); }
    if (strstr(way, "value")) { int *p = make(4); printf("%d\n", look(p)); free(p); }
    if (strstr(way, "param")) { char *p = make(8); if (write(1, p, 8) < 0) return 9; free(p); }
    if (strstr(way, "overlap")) { char b[32] = "overlapping text here"; volatile size_t n = 20; strncpy(b + 1, b, n); puts(b); }
    if (strstr(way, "fork")) { char *volatile p = make(40); if (fork() == 0) { p = NULL; return 0; } wait(NULL); p = NULL; }
    if (strstr(way, "abort")) { raise(SIGABRT); }
    return strstr(way, "fails") ? 3 : 0;
}
"""


def environment():
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GIT_", "GITHUB_", "GITLAB_", "GRINDGATE_", "VALGRIND"))}
    env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", LC_ALL="C.UTF-8")
    return env


def run(*command, cwd, stdin=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, env=environment(), input=stdin,
                          stdin=None if stdin is not None else subprocess.DEVNULL,
                          capture_output=True, timeout=300, check=False)


def check(cwd, *arguments, stdin=None):
    """Exit status and JSON of a check."""
    done = run(*LAUNCHER, GRINDGATE, "check", "-o", "json", *arguments, cwd=cwd, stdin=stdin)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def fail(what, text):
    FAILURES.append(f"{what}: {text}")


def expect_same(what, first, second):
    if first[0] != second[0]:
        fail(what, f"exit status {second[0]} instead of {first[0]}: {second[2]}")
    elif first[1] != second[1]:
        left, right = first[1].decode().splitlines(), second[1].decode().splitlines()
        differ = [pair for pair in zip(left, right) if pair[0] != pair[1]]
        fail(what, f"{len(left)} lines, {len(right)} lines; {differ[:3]}")


def keep(cwd, name, data):
    path = os.path.join(cwd, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def round_trip(cwd, what, *arguments):
    """The reports' JSON and how they were judged."""
    first = check(cwd, *arguments)
    if first[0] not in (0, 1, 3):
        fail(what, f"exit status {first[0]}: {first[2]}")
        return first
    path = keep(cwd, "once.json", first[1])
    options = [word for word in arguments if str(word).startswith("--")]
    expect_same(what, first, check(cwd, *options, path))
    return first


def make_repository(cwd):
    with open(os.path.join(cwd, "program.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    for command in ("git init --quiet --template= .", "git add program.c",
                    "git -c user.name=Ann -c user.email=ann@example.org commit --quiet -m Add",
                    "cc -g -O0 -w -o program program.c"):
        done = run(*shlex.split(command), cwd=cwd)
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stderr.decode()}")


def valgrind_runs(cwd):
    """Reports of real runs, by what the program did."""
    reports = {}
    ways = ("", "leak", "read", "value", "param", "overlap", "leak-fork", "leak-abort", "read-leak",
            "leak-read-value-overlap-fork")
    for number, way in enumerate(ways):
        folder = os.path.join(cwd, f"made{number}")
        os.mkdir(folder)
        options = ["--trace-children=yes", "--leak-check=full", "--show-leak-kinds=all",
                   "--num-callers=30", "--track-origins=yes"]
        options += ["--gen-suppressions=all"] if number % 2 else ["--demangle=no"]
        run("valgrind", "-q", *options, "--xml=yes", f"--xml-file={folder}/out.%p.xml", "./program",
            way, cwd=cwd)
        reports[way or "nothing"] = sorted(str(path) for path in pathlib.Path(folder).glob("*.xml"))
    for tool in ("helgrind", "drd"):
        path = os.path.join(cwd, tool + ".xml")
        run("valgrind", "--tool=" + tool, "--xml=yes", "--xml-file=" + path, "./program", cwd=cwd)
        reports[tool] = [path]
    with open(reports["nothing"][0], "rb") as whole:
        reports["cut"] = [keep(cwd, "cut.xml", whole.read()[:-200])]
    return reports


def real_runs(cwd):
    reports = valgrind_runs(cwd)
    for way, paths in reports.items():
        first = round_trip(cwd, way, *paths)
        wanted = {"nothing": 0, "helgrind": 0, "drd": 0, "cut": 3}.get(way, 1)
        if first[0] != wanted:
            fail(way, f"exit status {first[0]} instead of {wanted}")
    return reports


def shards(cwd, reports):
    """Two JSON shards, in either order, are as the reports they were made from."""
    ways = list(reports)
    whole = check(cwd, *(path for way in ways for path in reports[way]))
    for half in (ways[::2], ways[:3]):
        left = [path for way in half for path in reports[way]]
        right = [path for way in ways if way not in half for path in reports[way]]
        made = [keep(cwd, f"shard{i}.json", check(cwd, *some)[1]) for i, some in enumerate((left, right))]
        joined = check(cwd, *made)
        expect_same("order of shards", joined, check(cwd, *reversed(made)))
        for key in ("findings", "verdict"):
            before, after = json.loads(whole[1])[key], json.loads(joined[1])[key]
            if key == "findings":
                trim = lambda finding: (finding["id"], finding["fate"], finding["count"], finding["message"])
                before, after = sorted(map(trim, before)), sorted(map(trim, after))
            if before != after:
                fail(f"shards: {key}", f"{after} instead of {before}")


def through_a_pipe(cwd, reports):
    first = check(cwd, *reports["leak"])
    expect_same("standard input", first, check(cwd, "-", stdin=first[1]))


def rules_of_the_day(cwd, reports):
    """What is judged again is judged by the suppressions at hand."""
    path = keep(cwd, "leak.json", check(cwd, *reports["leak"])[1])
    supp = keep(cwd, "leak.supp", b"{\n   made\n   Memcheck:Leak\n   fun:malloc\n   fun:make\n}\n")
    status, out, _ = check(cwd, "--suppressions", supp, path)
    fates = [finding["fate"] for finding in json.loads(out)["findings"]]
    if status != 0 or fates != ["suppressed"]:
        fail("suppressions", f"exit status {status}, {fates}")


def program_fails(cwd):
    done = run(*LAUNCHER, GRINDGATE, "run", "--no-selftest", "-o", "json", "--", "./program", "fails",
               cwd=cwd)
    if done.returncode != 4:
        fail("a program that fails", f"exit status {done.returncode}: {done.stderr.decode()}")
    start = done.stdout.index(b'{\n  "$schema"')
    path = keep(cwd, "fails.json", done.stdout[start:])
    again = check(cwd, path)
    if again[0] != 4 or json.loads(again[1])["verdict"]["reasons"] != ["the program itself exited with 3"]:
        fail("a program that fails", f"read again: exit status {again[0]}: {again[1].decode()[:600]}")


def damage(cwd, reports):
    """Nothing that is missing, cut off or changed by hand passes."""
    whole = check(cwd, *reports["nothing"])[1]
    text = whole.decode()
    report = json.loads(whole)
    if check(cwd, keep(cwd, "d.json", whole))[0] != 0:
        fail("damage", "the report does not pass when it is whole")
    random.seed(7)
    places = {1, 2, len(whole) // 2, len(whole.rstrip()) - 1} | {random.randrange(1, len(whole) - 2) for _ in range(CUTS)}
    for cut in sorted(places):
        status = check(cwd, keep(cwd, "d.json", whole[:cut]))[0]
        if status != 3:
            fail("cut off", f"after {cut} of {len(whole)} bytes: exit status {status}")
    changed = {
        "version 2": text.replace('"version": 1,', '"version": 2,', 1),
        "no version": text.replace('"version": 1,', "", 1),
        "version is text": text.replace('"version": 1,', '"version": "1",', 1),
        "twice": whole.decode() + whole.decode(),
        "behind it": text + "x",
        "no runs": json.dumps({key: value for key, value in report.items() if key != "runs"}),
        "no run": json.dumps({**report, "runs": []}),
        "no findings": json.dumps({key: value for key, value in report.items() if key != "findings"}),
        "no notes": json.dumps({key: value for key, value in report.items() if key != "notes"}),
        "no verdict": json.dumps({key: value for key, value in report.items() if key != "verdict"}),
        "undecided": json.dumps({**report, "verdict": {**report["verdict"], "outcome": "incomplete", "exit_code": 3}}),
        "unknown outcome": json.dumps({**report, "verdict": {**report["verdict"], "outcome": "fine"}}),
        "unfinished": json.dumps({**report, "runs": [{**report["runs"][0], "end": "killed"}]}),
        "unknown end": json.dumps({**report, "runs": [{**report["runs"][0], "end": "well"}]}),
        "run is a number": json.dumps({**report, "runs": [7]}),
        "runs is a number": json.dumps({**report, "runs": 7}),
        "note": json.dumps({**report, "notes": [{"kind": "k", "text": "t", "where": None, "incomplete": True}]}),
        "deep": text.replace('"findings": [', '"findings": [' + "[" * 100000, 1),
        "deep in an unknown member": text.replace('"version": 1,', '"version": 1, "x": ' + '{"a":' * 5000 + "1" + "}" * 5000 + ",", 1),
        "witness of no run": json.dumps({**report, "findings": [{
            "kind": "InvalidRead", "message": "m", "stacks": [], "runs": [5], "count": 1}]}),
        "stack of numbers": json.dumps({**report, "findings": [{
            "kind": "InvalidRead", "message": "m", "stacks": [1, {"role": "error", "frames": [2]}], "runs": [0]}]}),
        "NUL": text.replace("./program", "./pro\\u0000gram"),
        "duplicate key": text.replace('"pid":', '"pid": 1, "pid":', 1),
    }
    for what, data in changed.items():
        status, out, err = check(cwd, keep(cwd, "d.json", data.encode()))
        if status != 3:
            fail(what, f"exit status {status} instead of 3: {err}")
        elif not json.loads(out)["verdict"]["reasons"]:
            fail(what, "no reason is given")
    status, out, _ = check(cwd, keep(cwd, "d.json", changed["version 2"].encode()))
    if "it is of version 2, and this grindgate reads version 1" not in out.decode():
        fail("version 2", "the reason does not say so")


def promised_keys_are_enough(cwd, reports):
    """A report with none but the keys of the contract gives the same findings."""
    whole = json.loads(check(cwd, *reports["leak-read-value-overlap-fork"])[1])
    extra = {"why", "blame_unknown", "unreliable", "thread", "notes", "witnesses", "suppression"}
    lean = {**whole, "findings": [{key: value for key, value in finding.items() if key not in extra}
                                  for finding in whole["findings"]]}
    status, out, _ = check(cwd, keep(cwd, "lean.json", json.dumps(lean).encode()))
    seen = {finding["fingerprints"]["grindgate/v1"] for finding in json.loads(out)["findings"]}
    wanted = {finding["fingerprints"]["grindgate/v1"] for finding in whole["findings"]}
    if status != 1 or seen != wanted:
        fail("lean", f"exit status {status}, {len(seen)} fingerprints instead of {len(wanted)}")


def corpus(cwd):
    count = 0
    for folder in ("valgrind-xml", "valgrind-runs", "other-xml"):
        for path in sorted((CORPUS / folder).rglob("*")):
            if path.is_file() and (".xml" in path.name or ".stderr.exp" in path.name) and path.suffix not in (".err", ".out"):
                round_trip(cwd, path.name, "--allow-incomplete", path)
                count += 1
    if count == 0:
        print(f"no stored reports: {CORPUS} is not there; only reports made here were tried")
    else:
        print(f"{count} stored reports")


def main():
    with tempfile.TemporaryDirectory() as directory:
        cwd = os.path.realpath(directory)
        make_repository(cwd)
        reports = real_runs(cwd)
        shards(cwd, reports)
        through_a_pipe(cwd, reports)
        rules_of_the_day(cwd, reports)
        program_fails(cwd)
        damage(cwd, reports)
        promised_keys_are_enough(cwd, reports)
        corpus(cwd)
    for failure in FAILURES:
        print("FAILED", failure)
    print(f"{len(FAILURES)} failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
