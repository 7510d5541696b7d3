#!/usr/bin/env python3
"""Runs the programs in programs/ under the real grindgate and compares what it says with what
their sources say.

    run.py --grindgate BUILD/grindgate [--keep-going] [NAME...]
    run.py --bare [--keep-going] [NAME...]

Each program is committed to a repository of its own: the first commit lacks the faulty lines, the
second, by somebody else, brings them, the third touches another file. A comment
`// expect: KIND...` on a line says which findings are laid to that line; `via=` and `count=` after
them narrow them down. Comments on lines of their own say the rest:

    // build: COMMAND       a command that builds; several are run in order
                            (default: cc -g -o prog $SOURCE, c++ for .cc)
    // options: OPTION...   further options of `grindgate run`
    // exit: N              grindgate's exit status (default: 1)
    // program: N|SIGNAL    how the program itself ends (default: 0)
    // end: WORD            some process's report ends so (default: all are finished,
                            or cut short by exec)
    // external: KIND...    findings without a place in the repository, which do not count
    // open: KIND...        findings without a place in the repository, which do
    // valgrind: VERSION    older ones do not know the kind: skipped

Nothing else may be found open. --bare leaves grindgate out: valgrind's own report, read by another
parser, must hold the expected kinds on the expected lines. Exit status 77: all was skipped.
"""

import argparse
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
AUTHORS = (("Ann First", "ann@example.org"), ("Bob Second", "bob@example.com"),
           ("Cid Third", "cid@example.org"))
SKIPPED = 77


class Problem(Exception):
    """What is wrong with a program, in words."""


class Program:
    """A source file and what it says of itself."""

    WORDS = ("build", "options", "exit", "program", "end", "external", "open", "valgrind")

    def __init__(self, path):
        self.file = os.path.basename(path)
        self.name = self.file.rsplit(".", 1)[0]
        self.path = "src/" + self.file
        with open(path, encoding="utf-8") as source:
            self.text = source.read()
        said = {word: [] for word in self.WORDS}
        self.expected = []
        for number, line in enumerate(self.text.splitlines(), 1):
            word = re.match(r"// (\w+): (.*)", line)
            if word and word[1] in said:
                said[word[1]].append(word[2])
            expect = re.search(r"\S.*// expect: (.*)", line)
            if expect:
                self.expect(expect[1].split(), number)
        compiler = "c++" if self.file.endswith(".cc") else "cc"
        self.build = said["build"] or [f"{compiler} -g -o prog $SOURCE"]
        self.options = shlex.split(" ".join(said["options"]))
        self.exit = int(said["exit"][0]) if said["exit"] else 1
        self.program = said["program"][0] if said["program"] else "0"
        self.end = said["end"][0] if said["end"] else None
        self.valgrind = said["valgrind"][0] if said["valgrind"] else "3.0"
        for fate in ("external", "open"):
            for kind in " ".join(said[fate]).split():
                self.expected.append({"kind": kind, "fate": fate})

    def expect(self, words, line):
        details = dict(word.split("=") for word in words if "=" in word)
        for kind in (word for word in words if "=" not in word):
            self.expected.append({"kind": kind, "fate": "open", "path": self.path, "line": line,
                                  "via": "error", **details})


class Repository:
    """A program's source with a history of three commits, built."""

    def __init__(self, root, program):
        self.root = root
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        self.env.update(HOME=root, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        SOURCE=program.path)
        self.run("git", "init", "--quiet", "--template=", ".")
        harmless = [line for line in program.text.splitlines(True) if "// expect:" not in line]
        self.commit(0, program.path, "".join(harmless))
        self.commit(1, program.path, program.text)
        self.culprit = self.run("git", "rev-parse", "HEAD").strip()
        self.commit(2, "README", "Three people wrote this.\n")
        for command in program.build:
            self.run("sh", "-c", command)

    def run(self, *command, env=None):
        done = subprocess.run(command, cwd=self.root, env={**self.env, **(env or {})},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                              timeout=120, check=False)
        if done.returncode != 0:
            raise Problem(f"{shlex.join(command)} failed:\n{done.stdout}")
        return done.stdout

    def commit(self, who, path, text):
        os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as out:
            out.write(text)
        name, email = AUTHORS[who]
        date = f"2024-05-0{who + 1}T12:00:00+0200"
        identity = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": date,
                    "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email,
                    "GIT_COMMITTER_DATE": date}
        self.run("git", "add", path)
        self.run("git", "commit", "--quiet", "--allow-empty", "--message", f"Change {path}",
                 env=identity)


def place(finding):
    """What of a finding is compared with what the source says, as text."""
    site = finding.get("site") or {}
    return {"kind": finding["kind"], "fate": finding["fate"], "path": site.get("path"),
            "line": site.get("line"), "via": site.get("via"), "count": str(finding["count"]),
            "blame": finding["blame"]}


def fits(finding, expected):
    return all(finding[name] == value for name, value in expected.items())


def show(finding):
    where = f"{finding['path']}:{finding['line']}" if finding.get("path") else "no place"
    details = [f"{name}={finding[name]}" for name in ("fate", "via", "count") if finding.get(name)]
    return f"{finding['kind']} at {where} ({', '.join(details)})"


def compare(findings, program):
    """Every expected finding is there, and no other that is open. Returns the pairs."""
    left, pairs, problems = list(findings), [], []
    for expected in program.expected:
        found = next((finding for finding in left if fits(finding, expected)), None)
        if found is None:
            problems.append("not found: " + show(expected))
        else:
            left.remove(found)
            pairs.append(found)
    problems += ["not expected: " + show(finding) for finding in left if finding["fate"] == "open"]
    if problems:
        raise Problem("\n".join(problems))
    return pairs


def check_blame(finding, repository):
    blame = finding["blame"]
    if finding["path"] is None:
        if blame is not None:
            raise Problem(f"{show(finding)} is laid to somebody: {blame}")
        return
    name, email = AUTHORS[1]
    got = blame and (blame["commit"], blame["author"], blame["uncommitted"], blame["boundary"])
    wanted = (repository.culprit, {"name": name, "email": email}, False, False)
    if got != wanted:
        raise Problem(f"{show(finding)}: blame {got}, not {wanted}")


def check_runs(runs, program):
    ends = {run["end"] for run in runs if not run["replaced"]}
    if program.end and program.end not in ends or not program.end and ends != {"finished"}:
        raise Problem(f"reports end as {sorted(ends)}, not {program.end or 'finished'}")
    how = {run["signal"] if run["signal"] else str(run["exit"]) for run in runs}
    if program.program not in how:
        raise Problem(f"the program ended with {sorted(how)}, not {program.program}")


def judge(program, repository, grindgate):
    """The program under grindgate."""
    report = os.path.join(repository.root, "report.json")
    launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
    done = subprocess.run([*launcher, grindgate, "run", *program.options, "-o", "text", "-o",
                           f"json:{report}", "--", "./prog"], cwd=repository.root,
                          env=repository.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", timeout=240,
                          check=False)
    try:
        if not os.path.exists(report):
            raise Problem("no report was written")
        with open(report, encoding="utf-8") as text:
            told = json.load(text)
        for finding in compare([place(finding) for finding in told["findings"]], program):
            check_blame(finding, repository)
        check_runs(told["runs"], program)
        statuses = (done.returncode, told["verdict"]["exit_code"])
        if statuses != (program.exit, program.exit):
            raise Problem(f"exit status {statuses[0]} (in the report {statuses[1]}), "
                          f"not {program.exit}")
    except Problem as problem:
        raise Problem(f"{problem}\ngrindgate ended with {done.returncode} and said:\n"
                      f"{done.stdout}") from None


def bare_findings(path, source, program):
    """The errors of one of valgrind's own reports, as far as it goes."""
    with open(path, encoding="utf-8") as report:
        text = report.read()
    if "</valgrindoutput>" not in text:
        text += "</valgrindoutput>"
    for error in ET.fromstring(text):
        if error.tag == "fatal_signal":
            kind = "FatalSignal"
        elif error.tag == "error":
            kind = error.findtext("kind")
        else:
            continue
        sites = [(frame.findtext("fn"), int(frame.findtext("line")))
                 for frame in error.iter("frame")
                 if source == os.path.join(frame.findtext("dir", ""), frame.findtext("file", ""))]
        own = len(sites) > 0
        yield {"kind": kind, "path": program.path if own else None,
               "line": sites[0][1] if own else None, "frames": tuple(sites)}


def judge_bare(program, repository):
    """The program under valgrind alone."""
    subprocess.run(["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all",
                    "--trace-children=yes", "--keep-debuginfo=yes", "--xml=yes",
                    "--xml-file=report.%p.xml", "./prog"], cwd=repository.root, env=repository.env,
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    found = {}
    for path in glob.glob(os.path.join(repository.root, "report.*.xml")):
        for finding in bare_findings(path, os.path.join(repository.root, program.path), program):
            found[tuple(finding.values())] = finding
    got = sorted((one["kind"], one["line"] or 0) for one in found.values())
    wanted = sorted((one["kind"], one.get("line", 0)) for one in program.expected)
    if got != wanted:
        raise Problem(f"found {got}, not {wanted}")


def too_old(program):
    said = subprocess.run(["valgrind", "--version"], capture_output=True, encoding="utf-8",
                          check=True).stdout
    have = re.search(r"(\d+)\.(\d+)", said)
    need = program.valgrind.split(".")
    return (int(have[1]), int(have[2])) < (int(need[0]), int(need[1])) and said.strip()


def one(program, options):
    """A line about a program: (passed, skipped or failed, why)."""
    old = too_old(program)
    if old:
        return "skipped", f"needs valgrind {program.valgrind}, this is {old}"
    with tempfile.TemporaryDirectory() as root:
        try:
            repository = Repository(os.path.realpath(root), program)
            if options.bare:
                judge_bare(program, repository)
            else:
                judge(program, repository, os.path.abspath(options.grindgate))
        except (Problem, subprocess.TimeoutExpired) as problem:
            return "failed", str(problem)
    return "passed", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    judge_by = parser.add_mutually_exclusive_group(required=True)
    judge_by.add_argument("--grindgate", metavar="FILE")
    judge_by.add_argument("--bare", action="store_true")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    programs = [Program(path) for path in sorted(glob.glob(os.path.join(HERE, "programs", "*.c*")))]
    unknown = set(options.names) - {program.name for program in programs}
    if unknown:
        parser.error("no such program: " + " ".join(sorted(unknown)))
    tally = {"passed": 0, "failed": 0, "skipped": 0}
    for program in programs:
        if options.names and program.name not in options.names:
            continue
        how, why = one(program, options)
        tally[how] += 1
        print(f"{how:8}{program.name}" + (": " + why if why else ""), flush=True)
        if how == "failed" and not options.keep_going:
            break
    print(", ".join(f"{count} {how}" for how, count in tally.items()))
    if tally["failed"]:
        return 1
    return 0 if tally["passed"] else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
