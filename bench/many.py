#!/usr/bin/env python3
"""Measures `grindgate check DIR` on many reports: one finding more or less, thousands of runs.

    many.py [--count N] [--size BYTES]   builds a release in build/bench, measures, prints a table
    many.py --ci --grindgate G           only what repeats from run to run, with a given program

Each figure is of N and of 2 N reports that differ in their pid alone: what they hold is kept once,
so memory may only grow by what is known of a run, and time only as the input does. The floor is
xmllint (libxml2's own reader) on the same files. "kept" are directories that `grindgate wrap` left,
of one process each. Exit status 1 when a figure is above its limit, 77 when a tool is not there.
"""

import argparse
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
ROUNDS = 5
# (goal, limit)
CPU = (1.0, 1.5)
DOUBLE = (2.1, 2.4)
BYTES = {"flat": (2000, 2500), "kept": (3000, 3500)}
PROGRAM = "#include <stdlib.h>\nint main(void)\n{\n    return malloc(10) == NULL;\n}\n"


def build():
    tree = HERE.parent / "build" / "bench"
    subprocess.run(["cmake", "-S", HERE.parent, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
                    "-DBUILD_TESTING=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", tree, "--target", "grindgate_bin", "-j2"], check=True,
                   stdout=subprocess.DEVNULL)
    return tree / "grindgate"


def make_repository(folder):
    folder.mkdir()
    (folder / "main.c").write_text(PROGRAM, encoding="utf-8")
    for words in (["git", "init", "-q"], ["git", "add", "."],
                  ["cc", "-g", "-O0", "-o", "leaks", "main.c"]):
        subprocess.run(words, cwd=folder, check=True)


def make_flat(folder, count, size):
    """PID.xml, the same but for the pid."""
    text = subprocess.run([sys.executable, HERE / "gen.py", str(size)], capture_output=True,
                          check=True).stdout
    before, after = re.split(rb"<pid>\d+</pid>", text)
    folder.mkdir()
    for pid in range(10000, 10000 + count):
        (folder / f"{pid}.xml").write_bytes(b"%s<pid>%d</pid>%s" % (before, pid, after))


def make_kept(grindgate, repo, folder, count):
    """What `grindgate wrap` leaves of a program that leaks, again and again."""
    subprocess.run([grindgate, "wrap", "--dir", folder / "0", "--", "./leaks"], cwd=repo,
                   check=True)
    (run,) = (folder / "0").iterdir()
    for i in range(1, count):
        shutil.copytree(run, folder / str(i) / run.name)


# The kernel counts what a process held before exec, too, so a small one starts what is measured.
STARTER = """
import posix, sys
pid = posix.fork()
if pid == 0:
    posix.dup2(2, 1)
    posix.execv(sys.argv[1], sys.argv[1:])
_, status, usage = posix.wait4(pid, 0)
print(posix.waitstatus_to_exitcode(status), usage[0] + usage[1], usage[2])
"""


def cost(words, cwd=None, statuses=(0,)):
    """CPU seconds of one run, and its peak kilobytes."""
    done = subprocess.run([sys.executable, "-ISc", STARTER, *words], cwd=cwd, check=True,
                          capture_output=True, text=True)
    status, seconds, peak = done.stdout.split()
    if int(status) not in statuses:
        sys.exit(f"{words[0]}: exit status {status}\n{done.stderr}")
    return float(seconds), int(peak)


def check(grindgate, repo, folder):
    words = [grindgate, "check", "--no-blame", "--progress=never", "-q", folder]
    return cost(words, cwd=repo, statuses=(0, 1))


def check_memory(table, kind, grindgate, repo, folders, count):
    peaks = [check(grindgate, repo, folder)[1] for folder in folders]
    table.row(f"memory of a run, {kind}, {count} and {2 * count}",
              1024 * (peaks[1] - peaks[0]) / count, *BYTES[kind], " bytes")
    print(f"    peaks: {peaks[0] / 1000:.1f} and {peaks[1] / 1000:.1f} MB")


def check_time(table, grindgate, repo, folders, count):
    ratios, doubles, floors, seconds = [], [], [], []
    for _ in range(ROUNDS):
        half = check(grindgate, repo, folders[0])[0]
        whole = check(grindgate, repo, folders[1])[0]
        floor = cost([shutil.which("xmllint"), "--stream", "--noout", *sorted(folders[1].iterdir())])[0]
        ratios.append(whole / floor)
        doubles.append(whole / half)
        floors.append(floor)
        seconds.append(whole)
    print(f"    {2 * count} reports: {min(seconds):.2f} s, xmllint {min(floors):.2f} s")
    table.row("CPU / xmllint --stream", statistics.median(ratios), *CPU)
    table.row("CPU of twice as many", statistics.median(doubles), *DOUBLE)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--ci", action="store_true")
    options.add_argument("--count", type=int, default=1500)
    options.add_argument("--size", type=gen.size_of, default=gen.size_of("100k"))
    options.add_argument("--grindgate", type=pathlib.Path)
    args = options.parse_args()
    if args.ci:
        args.count, args.size = 1000, 10000
    for tool in ("git", "valgrind", "cc", *([] if args.ci else ["xmllint"])):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not there")
            return 77
    grindgate = args.grindgate.resolve() if args.grindgate else build()
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        repo = scratch / "repo"
        make_repository(repo)
        flat = [scratch / "flat-half", scratch / "flat"]
        kept = [scratch / "kept-half", scratch / "kept"]
        for i, count in enumerate((args.count, 2 * args.count)):
            make_flat(flat[i], count, args.size)
            make_kept(grindgate, repo, kept[i], count)
        check_memory(table, "flat", grindgate, repo, flat, args.count)
        check_memory(table, "kept", grindgate, repo, kept, args.count)
        if not args.ci:
            check_time(table, grindgate, repo, flat, args.count)
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
