#!/usr/bin/env python3
"""Measures what it costs to find all suppressions that fit each of 100,000 distinct stacks.

    match.py                    builds a release in build/bench, measures, prints a table
    match.py --match PROGRAM    with a given build of match.c
    match.py --ci --match P     only what repeats from run to run: that the results are equal

Each figure is the best of several runs, since others only ever make one slower; the ratio is that
of the plain matcher to the engine in the same run, the median of the runs. Exit status 1 when a
figure is above its limit or the engine and the plain matcher do not find the same.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

from table import Table

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 5
STACKS = 100000
# suppressions: (stacks of the plain matcher, goal and limit in us a stack, least ratio)
SIZES = {100: (20000, (1, 3), None), 1000: (4000, (2, 6), 15), 10000: (400, (6, 18), 60),
         50000: (80, (12, 36), None)}
HOSTILE = (5, 15)


def build():
    tree = HERE.parent / "build" / "bench"
    subprocess.run(["cmake", "-S", HERE.parent, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
                    "-DBUILD_TESTING=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", tree, "--target", "bench_match", "-j2"], check=True,
                   stdout=subprocess.DEVNULL)
    return tree / "bench" / "bench_match"


def run(program, *words):
    """The figures that one run prints, by name."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, words))}: exit status {done.returncode}\n"
                 f"{done.stderr}")
    return {name: float(value) for name, value in
            (line.split("=") for line in done.stdout.splitlines())}


def measure(table, program, rules):
    plain, bounds, least = SIZES[rules]
    runs = [run(program, STACKS, rules, plain) for _ in range(ROUNDS)]
    best = {name: min(one[name] for one in runs) for name in runs[0]}
    table.row(f"{rules} suppressions, a stack", best["match"], *bounds, " us")
    ratio = statistics.median(one["plain"] / one["match"] for one in runs)
    if least:
        table.row(f"{rules} suppressions, engine / plain in %", 100 / ratio, round(100 / least, 1),
                  round(100 / least, 1), "%")
    print(f"    {ratio:.0f} times as fast as the plain matcher ({best['plain']:.1f} us), index "
          f"{best['build']:.0f} ms and {best['memory']:.0f} MB, "
          f"{best['matched'] / STACKS:.0%} of the stacks fit one or more")


def check_equal(program):
    """Exits when results differ."""
    for rules, stacks in ((100, 4000), (1000, 4000), (10000, 400)):
        figures = run(program, 4000, rules, stacks)
        print(f"{rules} suppressions: {figures['fits']:.0f} matches, equal")
    run(program, "hostile")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--ci", action="store_true")
    options.add_argument("--match", type=pathlib.Path)
    args = options.parse_args()
    program = args.match.resolve() if args.match else build()
    table = Table()
    if args.ci:
        check_equal(program)
    else:
        for rules in SIZES:
            measure(table, program, rules)
        hostile = min(run(program, "hostile")["engine"] for _ in range(ROUNDS))
        table.row("a hostile suppression", hostile, *HOSTILE, " ms")
    regexes = run(program, "regex")
    table.row("runs of a regular expression for a name", regexes["runs"], 1, 1)
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
