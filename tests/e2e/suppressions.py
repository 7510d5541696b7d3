#!/usr/bin/env python3
"""Does grindgate set aside what valgrind itself would have suppressed?

    suppressions.py BUILD/grindgate [--corpus DIR] [--seed N] [--jobs N] [NAME...]

Small programs with many errors run under the real valgrind, once without suppressions. From the
errors that it reports, suppression files are made: right ones, nearly right ones and wrong ones, in
every form that valgrind knows. With each of them the program runs again, and what valgrind no
longer reports must be exactly what `grindgate check --suppressions FILE` sets aside in the first
report: with names as the linker has them (--demangle=no), and with names for people and generated
suppressions (--gen-suppressions=all). A file and a program are a pair.

The suppression files of other projects in the corpus are pairs as well, each with a program that is
written for it: functions of the names in its blocks, which call each other in that order and go
wrong as the blocks say.

NAMEs: only these programs (a corpus file's is "corpus:FILE"). Exit status 77: nothing could be run.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import platform
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "supp"))
import chains  # noqa: E402
import forms  # noqa: E402
import reports  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "supp", "programs")
CORPUS = os.path.join(HERE, "..", "..", "..", "shared", "corpus", "valgrind-supp")
SKIPPED = 77
LEAKS = ["--leak-check=full", "--show-leak-kinds=all"]
LIBRARY = "cc -g -O1 -fPIC -shared -o libpart.so library.c"

# name, build, valgrind's options, arguments, pairs
BASES = (
    ("kinds", "cc -g -O1 -o PROG kinds.c", LEAKS, [], 44),
    ("kinds-callers-3", "cc -g -O1 -o PROG kinds.c", LEAKS + ["--num-callers=3"], [], 12),
    ("kinds-below-main", "cc -g -O1 -o PROG kinds.c", LEAKS + ["--show-below-main=yes"], [], 12),
    ("errors", "cc -g -O1 -o PROG errors.c", LEAKS, [], 40),
    ("errors-callers-2", "cc -g -O1 -o PROG errors.c", LEAKS + ["--num-callers=2"], [], 10),
    ("errors-arguments", "cc -g -O1 -o PROG errors.c", LEAKS + ["--num-callers=30"],
     ["a", "b c"], 10),
    ("errors-no-inlined", "cc -g -O1 -o PROG errors.c",
     LEAKS + ["--num-callers=40", "--read-inline-info=no"], [], 10),
    ("errors-optimised", "cc -g -O2 -o PROG errors.c", LEAKS, [], 10),
    ("stripped", "cc -O1 -o PROG errors.c && strip -N wrapped -N read_one -N recurse -N compare "
     "-N branches PROG", LEAKS, [], 14),
    ("c++", "c++ -g -O1 -o PROG errors.cc", LEAKS + ["--num-callers=40"], [], 30),
    ("c++-callers-4", "c++ -g -O2 -o PROG errors.cc", LEAKS + ["--num-callers=4"], [], 8),
    ("library", LIBRARY + " && cc -g -O1 -o PROG uses_library.c ./libpart.so -Wl,-rpath,$PWD",
     LEAKS, [], 14),
    ("unknown", "cc -g -O1 -o PROG unknown.c", LEAKS, [], 18),
    ("unknown-callers-5", "cc -g -O1 -o PROG unknown.c", LEAKS + ["--num-callers=5"], [], 8),
    ("unknown-callers-100", "cc -g -O1 -o PROG unknown.c", LEAKS + ["--num-callers=100"], [], 10),
    ("ends", "cc -g -O1 -o PROG ends.c", LEAKS, [], 16),
    ("ends-arguments", "cc -O1 -o PROG ends.c", LEAKS + ["--num-callers=8"], ["a"], 8),
    ("race-helgrind", "cc -g -O1 -pthread -o PROG race.c", ["--tool=helgrind"], [], 5),
    ("race-drd", "cc -g -O1 -pthread -o PROG race.c", ["--tool=drd"], [], 5),
    ("locks-helgrind", "cc -g -O1 -pthread -o PROG locks.c", ["--tool=helgrind"], [], 14),
    ("locks-drd", "cc -g -O1 -pthread -o PROG locks.c", ["--tool=drd"], [], 12),
)


class Problem(Exception):
    """What is wrong, in words."""


class Refused(Problem):
    """valgrind does not run the program to its end."""


class World:
    """The directory in which everything is built and run, and how it is run."""

    def __init__(self, grindgate, scratch):
        self.grindgate = [*os.environ.get("GG_LAUNCHER", "").split(), os.path.abspath(grindgate)]
        self.scratch = scratch
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        # Threads that resolve symbols when they first need them are races, now and then.
        self.environment.update(LC_ALL="C.UTF-8", GIT_CONFIG_GLOBAL="/dev/null", LD_BIND_NOW="1")
        self.run(["git", "init", "-q", scratch], scratch, [0])
        with open(os.path.join(scratch, "tracked"), "w", encoding="utf-8"):
            self.run(["git", "add", "tracked"], scratch, [0])

    def run(self, command, cwd, statuses=None, **more):
        done = subprocess.run(command, cwd=cwd, env=self.environment, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=900, check=False, **more)
        if statuses is not None and done.returncode not in statuses:
            raise Problem(f"{command}: exit status {done.returncode}\n"
                          + (done.stdout + done.stderr).decode(errors="replace")[-3000:])
        return done


class Base:
    """A program, what valgrind finds in it without suppressions, and pairs with it."""

    def __init__(self, world, name, options, arguments):
        self.world, self.name = world, name
        self.options, self.arguments = options, arguments
        self.dir = os.path.join(world.scratch, name.replace("/", "_").replace(":", "_"))
        os.mkdir(self.dir)
        callers = [option[14:] for option in options if option.startswith("--num-callers=")]
        self.callers = int(callers[0]) if callers else 12
        self.reports = ["names.xml"]
        self.tried, self.hits, self.left = 0, 0, 0

    def build(self, command):
        for source in os.listdir(PROGRAMS):
            os.symlink(os.path.join(PROGRAMS, source), os.path.join(self.dir, source))
        self.world.run(["sh", "-c", command.replace("PROG", "program")], self.dir, [0])

    def valgrind(self, xml, *options):
        done = self.world.run(["valgrind", "-q", "--default-suppressions=no", *self.options,
                               *options, "--xml=yes", "--xml-file=" + xml, "./program",
                               *self.arguments], self.dir)
        errors = reports.read(os.path.join(self.dir, xml))
        if errors is None:
            raise Refused(f"{self.name} {options}: {done.stderr.decode(errors='replace')}")
        return errors

    def find(self):
        self.errors = self.valgrind("names.xml", "--demangle=no")
        self.places = {error.key: error.place for error in self.errors}
        if not self.errors:
            raise Problem(f"{self.name}: valgrind finds no errors")

    def generate(self):
        """The same errors once more, with valgrind's own suppressions."""
        people = self.valgrind("people.xml", "--gen-suppressions=all")
        supps = {error.key: error.supp for error in people}
        if supps.keys() != self.places.keys():
            raise Problem(f"{self.name}: valgrind does not report the same errors twice")
        for error in self.errors:
            error.supp = supps[error.key]
        self.reports.append("people.xml")

    def named(self, keys, source):
        """The places of these errors."""
        strange = [key for key in keys if key not in self.places]
        if strange:
            raise Problem(f"{self.name}: {source} has errors that were not there before:"
                          + "".join("\n  " + show(key) for key in strange))
        return {self.places[key] for key in keys}

    def kept(self, report, path):
        """What grindgate leaves of the report."""
        done = self.world.run([*self.world.grindgate, "check", "-o", "json", "--external", "fail",
                               "--suppressions", path, report], self.dir, [0, 1])
        findings = {reports.finding_key(finding): finding["fate"]
                    for finding in json.loads(done.stdout)["findings"]}
        if self.named(findings, report) != set(self.places.values()):
            raise Problem(f"{self.name}: grindgate does not read all errors of {report}")
        return self.named([key for key, fate in findings.items() if fate != "suppressed"], report)

    def really_kept(self, number, path):
        """What valgrind still reports. Threads may find another order, so they can try again."""
        for attempt in range(3):
            errors = self.valgrind(f"{number}.xml", "--demangle=no", "--suppressions=" + path)
            if all(error.key in self.places for error in errors):
                break
        return self.named([error.key for error in errors], "a run with suppressions")

    def try_file(self, number, text):
        """One pair: '' or what is wrong."""
        path = os.path.join(self.dir, f"{number}.supp")
        with open(path, "wb") as file:
            file.write(text)
        real = self.really_kept(number, path)
        self.tried += 1
        self.hits += len(set(self.places.values())) - len(real)
        self.left += len(real)
        wrong = ""
        for report in self.reports:
            ours = self.kept(report, path)
            for place in ours - real:
                wrong += f"\n  {report}: valgrind suppresses, grindgate does not: {show(place)}"
            for place in real - ours:
                wrong += f"\n  {report}: grindgate suppresses, valgrind does not: {show(place)}"
        if wrong:
            wrong = (f"{self.name} {' '.join(self.options)}: {path}\n"
                     f"{text.decode(errors='replace')}{wrong}")
        return wrong


def show(key):
    kind, frames = key
    return kind + "".join(f"\n      {frame}" for frame in frames)


def strays_are_known(world):
    """Valgrind goes on behind the beginning of the program. What it takes for frames there is known
    to grindgate for x86-64 and current glibc: two words, when there are no arguments."""
    base = Base(world, "strays", ["--show-below-main=yes"], [])
    base.build("cc -g -O1 -o PROG errors.c")
    base.find()
    names = [frame.get("fn", "???") for frame in base.errors[0].frames]
    return names[-3:] == ["_start", "???", "???"]


def made_up(world, wanted, args, problems):
    """The bases of programs of our own, each with the files to try."""
    newest = reports.version(world)
    frames = list(forms.FRAMES)
    if not strays_are_known(world):
        print("what is behind the beginning of programs is another thing here: left out")
        frames = [form for form in frames if form not in forms.BEHIND]
    for name, build, options, arguments, pairs in BASES:
        if wanted and name not in wanted:
            continue
        if name.startswith("unknown") and platform.machine() != "x86_64":
            continue
        base = Base(world, name, options, arguments)
        try:
            base.build(build)
            base.find()
            base.generate()
        except Problem as problem:
            problems.append(str(problem))
            continue
        dice = random.Random(f"{args.seed} {name}")
        yield base, forms.files(base.errors, frames, dice, pairs, base.callers, newest)


def corpus(world, wanted, args, problems):
    """A base and one file for each file of the corpus."""
    paths = sorted(glob.glob(os.path.join(args.corpus, "*")))
    if not paths:
        print(f"{args.corpus} is not there: files of other projects are not tried")
    for path in paths:
        name = "corpus:" + os.path.basename(path)
        if wanted and name not in wanted:
            continue
        with open(path, "rb") as file:
            text = file.read()
        base = Base(world, name, LEAKS + ["--num-callers=20"], [])
        source = chains.program(text, random.Random(name))
        with open(os.path.join(base.dir, "program.c"), "w", encoding="utf-8") as file:
            file.write(source)
        try:
            world.run(["cc", "-O1", "-w", "-o", "program", "program.c"], base.dir, [0])
            base.find()
        except Problem as problem:
            problems.append(str(problem))
            continue
        yield base, [text]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grindgate")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--corpus", default=CORPUS)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    problems, bases = [], []
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        world = World(args.grindgate, os.path.realpath(scratch))
        waiting = collections.deque()
        for source in (made_up, corpus):
            for base, files in source(world, args.names, args, problems):
                bases.append(base)
                for number, text in enumerate(files):
                    waiting.append(pool.submit(base.try_file, number, text))
        for answer in waiting:
            try:
                problems += filter(None, [answer.result()])
            except Refused as refused:
                if not str(refused).startswith("corpus:"):
                    problems.append(str(refused))
                print(str(refused))
            except Problem as problem:
                problems.append(str(problem))
    for base in bases:
        print(f"{base.name}: {base.tried} pairs, {len(base.places)} errors, "
              f"{base.hits} suppressed, {base.left} left")
    pairs = sum(base.tried for base in bases)
    print(f"{pairs} pairs, {sum(base.hits for base in bases)} times an error was suppressed, "
          f"{sum(base.left for base in bases)} times one was left")
    for problem in problems:
        print("\n" + problem)
    if problems:
        print(f"\n{len(problems)} of {pairs} pairs differ")
        return 1
    if not args.names and pairs < 300:
        print("too few pairs")
        return 1
    return 0 if pairs else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
