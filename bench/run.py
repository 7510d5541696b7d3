#!/usr/bin/env python3
"""Measures the read stage and the collate beside libxml2 alone.

    run.py [--sizes 100m,1g]     builds a release in build/bench, measures, prints a table
    run.py --ci --floor F --parse P    only what repeats from run to run, with given programs

Time: user and system CPU of whole processes, floor and candidate in turn, the median of the ratios.
Instructions: callgrind on about 1 MB, less those of a report without errors. Memory: the peak of
the resident set. Exit status 1 when a figure is above its limit, 77 when valgrind is not there.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import gen
from table import Table

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = {10**8: 7, 10**9: 3}
# name: (goal, limit)
CPU = (1.6, 2.0)
INSTRUCTIONS = (1.35, 1.35)
MEGABYTES = {10**6: (16, 16), 10**8: (16, 16), 10**9: (48, 48)}


def build():
    tree = HERE.parent / "build" / "bench"
    subprocess.run(["cmake", "-S", HERE.parent, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
                    "-DBUILD_TESTING=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", tree, "--target", "bench_floor", "bench_parse", "-j2"],
                   check=True, stdout=subprocess.DEVNULL)
    return tree / "bench" / "bench_floor", tree / "bench" / "bench_parse"


def make_report(folder, size):
    path = folder / f"{size}.xml"
    with open(path, "wb") as out:
        subprocess.run([sys.executable, HERE / "gen.py", str(size)], stdout=out, check=True)
    return path


def cost(program, report):
    """CPU seconds of one run, and its peak megabytes where the program tells them."""
    child = subprocess.Popen([program, report], stdout=subprocess.PIPE, text=True)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{program} {report}: exit status {child.returncode}")
    peak = re.search(r"(\d+) kB", output)
    return usage.ru_utime + usage.ru_stime, int(peak.group(1)) / 1000 if peak else 0


def compare(floor, parse, report, rounds):
    ratios, seconds, peak = [], [], 0
    for _ in range(rounds):
        base, _ = cost(floor, report)
        mine, memory = cost(parse, report)
        ratios.append(mine / base)
        seconds.append(mine)
        peak = max(peak, memory)
    return statistics.median(ratios), min(seconds), peak


def instructions(program, report, folder):
    result = subprocess.run(["valgrind", "--tool=callgrind",
                             f"--callgrind-out-file={folder}/callgrind.out", program, report],
                            capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", result.stderr).group(1))


def per_byte(program, report, empty, folder):
    used = instructions(program, report, folder) - instructions(program, empty, folder)
    return used / (report.stat().st_size - empty.stat().st_size)


def check_instructions(table, floor, parse, folder):
    report, empty = make_report(folder, 10**6), folder / "empty.xml"
    empty.write_text(gen.HEAD + gen.TAIL % "")
    base = per_byte(floor, report, empty, folder)
    mine = per_byte(parse, report, empty, folder)
    print(f"instructions per byte: {mine:.1f}, libxml2 alone {base:.1f}")
    table.row("instructions per byte / floor, 1 MB", mine / base, *INSTRUCTIONS)
    return report


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--ci", action="store_true")
    options.add_argument("--sizes", default="100m")
    options.add_argument("--floor", type=pathlib.Path)
    options.add_argument("--parse", type=pathlib.Path)
    args = options.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not there")
        return 77
    floor, parse = (args.floor, args.parse) if args.floor and args.parse else build()
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        report = check_instructions(table, floor, parse, folder)
        table.row("peak memory, 1 MB", cost(parse, report)[1], *MEGABYTES[10**6], "MB")
        for size in [] if args.ci else map(gen.size_of, args.sizes.split(",")):
            report = make_report(folder, size)
            rounds = ROUNDS.get(size, 5)
            ratio, seconds, peak = compare(floor, parse, report, rounds)
            mega = size // 10**6
            table.row(f"CPU / floor, {mega} MB ({seconds:.2f} s)", ratio, *CPU)
            table.row(f"peak memory, {mega} MB", peak, *MEGABYTES.get(size, (48, 96)), "MB")
            report.unlink()
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
