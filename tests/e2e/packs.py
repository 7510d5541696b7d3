#!/usr/bin/env python3
"""Proves a pack of rules/ with the library that it is for: runs programs of packs/NAME under the
real valgrind, and judges their reports with the pack and without it.

    packs.py BUILD/grindgate NAME       exit status 77: the library is not here
    packs.py --list

The programs use the library as tests do, and have errors of their own beside it and through it,
which comments in the sources name: `// expect: KIND...` for all runs, `// expect RUN: KIND...` for
one of them. With the packs of everything that the program is made of, what is left must be these
errors, each open and laid to its line, and something must fit the pack. On a distribution that the
pack does not claim to be proved with, noise may be left: it is told, and the test is skipped.
"""

import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "rules")
SKIPPED = 77

Case = collections.namedtuple("Case", "build runs beside needs")


def case(build, runs, beside=(), needs=()):
    return Case(build, runs if isinstance(runs, dict) else {"run": runs}, list(beside), list(needs))


PYTHON = "/usr/bin/python3"
EXTENSION = (f'cc -g -shared -fPIC -I"$({PYTHON} -c \'import sysconfig as s; '
             'print(s.get_path("include"))\')" -o own.so own.c')
NUMPY = f'{EXTENSION} -I"$({PYTHON} -c \'import numpy; print(numpy.get_include())\')"'

PACKS = {
    "glibc": case(
        ["cc -g -shared -fPIC -o libneeded.so needed.c",
         "cc -g -shared -fPIC -o liblibrary.so library.c -Wl,--no-as-needed -L. -lneeded "
         "'-Wl,-rpath,$ORIGIN:$ORIGIN/../abcde'",
         "cc -g -w -o main main.c -pthread -lrt -ldl -lanl"],
        {"exit": "./main $PWD/liblibrary.so", "abort": "./main $PWD/liblibrary.so abort"}),
    "libstdcxx": case(
        ["c++ -std=c++17 -g -w -o main main.cc"], {"exit": "./main", "abort": "./main abort"},
        beside=["glibc"]),
    "cpython": case(
        [EXTENSION, f"cc -g -o host host.c $({PYTHON}-config --embed --cflags --ldflags)"],
        {"module": f"{PYTHON} suite.py", "embedded": "./host"}, beside=["glibc"],
        needs=[f"{PYTHON}-config --embed --libs"]),
    "numpy": case(
        [NUMPY], f"{PYTHON} suite.py", beside=["glibc", "libstdcxx", "cpython", "openblas"],
        needs=[f"{PYTHON}-config --libs", f"{PYTHON} -c 'import numpy'"]),
    "pytorch": case(
        [EXTENSION], f"{PYTHON} train.py",
        beside=["glibc", "libstdcxx", "cpython", "numpy", "openmp", "openblas", "opencv", "glib"],
        needs=[f"{PYTHON}-config --libs", f"{PYTHON} -c 'import torch'"]),
    "openmp": case(["gcc -g -w -fopenmp -o main main.c"], "./main", beside=["glibc"],
                   needs=["echo 'int main(){}' | gcc -fopenmp -x c - -o omp"]),
    "openblas": case(["cc -g -w -o main main.c -lopenblas"], "./main", beside=["glibc"],
                     needs=["echo '#include <cblas.h>' | cc -E - && pkg-config openblas"]),
    "opencv": case(
        ["c++ -g -w -I/usr/include/opencv4 -o main main.cc -lopencv_imgproc -lopencv_core"],
        "./main", beside=["glibc", "libstdcxx"],
        needs=["ls /usr/include/opencv4/opencv2/imgproc.hpp"]),
    "glib": case(["cc -g -w -o main main.c $(pkg-config --cflags --libs gio-2.0)"], "./main",
                 beside=["glibc"], needs=["pkg-config gio-2.0"]),
    "openssl": case(["cc -g -w -o main main.c -lssl -lcrypto"], "./main", beside=["glibc"],
                    needs=["printf '#include <openssl/evp.h>\\n#if OPENSSL_VERSION_MAJOR < 3\\n"
                           "#error before 3\\n#endif\\n' | cc -E -"]),
    "cuda": case(["cc -g -o main main.c -ldl"], "./main", beside=["glibc"],
                 needs=["cc -o main main.c -ldl && ./main"]),
    "rust": case(["rustc -g -o main main.rs"], "./main", beside=["glibc"],
                 needs=["rustc --version"]),
}


class Project:
    """The programs of a pack in a repository of their own, built."""

    def __init__(self, root, name, grindgate):
        self.root, self.name, self.grindgate = root, name, grindgate
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith(("GIT_", "GRINDGATE_", "PYTHON"))}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        PYTHONDONTWRITEBYTECODE="1", RUST_BACKTRACE="1", LC_ALL="C.UTF-8",
                        OMP_NUM_THREADS="2", OPENBLAS_NUM_THREADS="2")
        shutil.copytree(os.path.join(HERE, "packs", name), root, dirs_exist_ok=True)
        for command in ("git init --quiet --template= .", "git add .",
                        "git -c user.name=A -c user.email=a@example.org commit --quiet -m Add"):
            self.work(command)

    def run(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.root, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=1500, encoding="utf-8",
                              errors="replace", check=False)

    def work(self, command):
        done = self.run(command)
        if done.returncode != 0:
            sys.exit(f"{command} failed:\n{done.stdout}")

    def expected(self, run):
        found = set()
        for path in os.listdir(self.root):
            if not path.endswith((".c", ".cc", ".rs")):
                continue
            with open(os.path.join(self.root, path), encoding="utf-8") as source:
                for number, line in enumerate(source, 1):
                    told = re.search(r"// expect( \w+)?: (.*)", line)
                    if told and told[1] in (None, " " + run):
                        found |= {(kind, path, number) for kind in told[2].split()}
        return found

    def judge(self, reports, packs):
        """What check says of the reports with these packs."""
        options = " ".join(f"--pack {pack}" for pack in packs)
        done = self.run(f"{self.grindgate} check --no-blame {options} -o json {reports}")
        if done.returncode not in (0, 1, 3, 4):
            sys.exit(f"check {options} ended with {done.returncode}:\n{done.stdout}")
        return json.loads(done.stdout)


def left(told, fate):
    """(kind, path, line) of the findings with this fate; the path is None for what is external."""
    return {(finding["kind"], (finding.get("site") or {}).get("path"),
             (finding.get("site") or {}).get("line"))
            for finding in told["findings"] if finding["fate"] == fate}


def show(told, wanted):
    """Findings that are left and not wanted, with their stacks."""
    lines = []
    for finding in told["findings"]:
        site = finding.get("site") or {}
        if finding["fate"] == "suppressed" or \
           (finding["kind"], site.get("path"), site.get("line")) in wanted:
            continue
        frames = finding["stacks"][0]["frames"] if finding["stacks"] else []
        lines.append(finding["kind"] + ": " + " < ".join(
            (frame.get("symbol") or frame.get("function") or "?") + "@" +
            os.path.basename(frame.get("object") or "?") for frame in frames[:20]))
    return lines


def compare(project, run, reports):
    """Problems, noise that is left, and the lines of the pack's blocks that fit something."""
    name, beside = project.name, PACKS[project.name].beside
    wanted = project.expected(run)
    told = project.judge(reports, [name] + beside)
    automatic = project.judge(reports, ["auto"])
    problems = [f"{run}: missing {item}" for item in sorted(wanted - left(told, "open"))]
    problems += [f"{run}: missing with --pack auto {item}"
                 for item in sorted(wanted - left(automatic, "open"))]
    noise = [f"{run}: left {item}" for item in show(told, wanted)]
    noise += [f"{run}: --pack auto leaves {item}" for item in show(automatic, wanted)]
    fitting = [rule for rule in told["rules"] if rule["file"] == f"pack:{name}" and rule["matches"]]
    bare = project.judge(reports, [])
    counts = [sum(finding["fate"] != "suppressed" for finding in judged["findings"])
              for judged in (bare, told)]
    print(f"{name}, {run}: {counts[0]} findings without packs, {counts[1]} with them; "
          f"{sum(rule['matches'] for rule in fitting)} fit blocks of {name}")
    return problems, noise, {rule["line"] for rule in fitting}


def proved_here(name):
    """Does the pack claim this distribution?"""
    with open("/etc/os-release", encoding="utf-8") as text:
        told = dict(re.findall(r'^(\w+)="?(.*?)"?$', text.read(), re.MULTILINE))
    here = f"({told.get('NAME', '').split(' ')[0]} {told.get('VERSION_ID', '')}"
    with open(os.path.join(RULES, name + ".supp"), encoding="utf-8") as text:
        return any(line.startswith("# pack: proved=") and here in line for line in text)


def accepted(name):
    """Does valgrind itself take the file?"""
    done = subprocess.run(["valgrind", f"--suppressions={RULES}/{name}.supp", "--num-callers=500",
                           "/bin/true"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", check=False)
    return [] if done.returncode == 0 else [done.stdout]


def try_pack(root, name, grindgate):
    problems = accepted(name)
    project = Project(root, name, grindgate)
    for command in PACKS[name].needs:
        done = project.run(command)
        if done.returncode != 0:
            print("\n".join([f"skipped: {command}: {done.stdout.strip()[:200]}", *problems]))
            return 1 if problems else SKIPPED
    for command in PACKS[name].build:
        project.work(command)
    noise, fitting = [], set()
    for run, command in PACKS[name].runs.items():
        done = project.run(f"{grindgate} wrap --dir reports-{run} -- {command}")
        if not glob.glob(os.path.join(root, f"reports-{run}", "*")):
            sys.exit(f"{command} left no report:\n{done.stdout}")
        missing, left_over, lines = compare(project, run, f"reports-{run}")
        problems += missing
        noise += left_over
        fitting |= lines
    if not fitting:
        noise.append("the pack is not needed: no block fits anything")
    with open(os.path.join(RULES, name + ".supp"), encoding="utf-8") as text:
        print(f"{len(fitting)} of {text.read().splitlines().count('{')} blocks fit something here")
    print("\n".join((problems + noise)[:40]))
    if problems or noise and proved_here(name):
        return 1
    if noise:
        print(f"skipped: {name}.supp does not say that it is proved with this distribution")
    return SKIPPED if noise else 0


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(PACKS))
        return 0
    if len(sys.argv) != 3 or sys.argv[2] not in PACKS:
        sys.exit(__doc__)
    files = {os.path.basename(path)[:-5] for path in glob.glob(os.path.join(RULES, "*.supp"))}
    if files != set(PACKS):
        sys.exit(f"{RULES} has other packs than this test: {sorted(files ^ set(PACKS))}")
    if os.environ.get("GG_LAUNCHER"):
        print("skipped: the reports are of other programs, and as many under a launcher")
        return SKIPPED
    with tempfile.TemporaryDirectory() as root:
        return try_pack(os.path.realpath(root), sys.argv[2], os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
