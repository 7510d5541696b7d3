#!/usr/bin/env python3
"""Compares the attribution engine with git blame, line by line.

    blame_agrees.py BLAMEDUMP [--seeds N] [--repo DIR [--lines N]]

Without --repo: repositories made by fixtures/history.py, and the states a clone or a work tree
can be in. With --repo: lines of the work tree of an existing repository.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures"))
import history
from history import git

NOBODY = "0" * 40


class Line:
    """What is known of one line; the fields that git blame --line-porcelain has."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __eq__(self, other):
        return self.__dict__ == other.__dict__

    def __repr__(self):
        return " ".join("%s=%r" % pair for pair in sorted(self.__dict__.items()))


def by_git(directory, path, extra=()):
    """The lines of a file as git blame has them."""
    out = git(directory, "-c", "blame.ignoreRevsFile=", "blame", "--line-porcelain", *extra,
              "--", path)
    lines, fields = [], {}
    shallow = shallow_ids(directory)
    for row in out.decode(errors="surrogateescape").split("\n")[:-1]:
        if row.startswith("\t"):
            lines.append(to_line(fields, shallow))
            fields = {}
        elif not fields:
            fields["commit"], fields["orig"] = row.split(" ")[:2]
        else:
            key, _, value = row.partition(" ")
            fields[key] = value
    return lines


def shallow_ids(directory):
    """The commits whose parents are missing; a root may be listed, but misses none."""
    path = git(directory, "rev-parse", "--git-path", "shallow").decode().strip()
    path = os.path.join(directory, path)
    ids = open(path).read().split() if os.path.exists(path) else []
    return {commit for commit in ids if b"\nparent " in git(directory, "cat-file", "-p", commit)}


def unquote(name):
    if name.startswith('"'):
        name = name[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
    return name


def to_line(fields, shallow):
    commit = fields["commit"]
    if commit == NOBODY:
        return Line(state="uncommitted")
    if commit in shallow and "boundary" in fields:
        return Line(state="boundary", commit=commit, orig=int(fields["orig"]),
                    path=unquote(fields["filename"]))
    zone = int(fields["author-tz"])
    offset = (abs(zone) // 100 * 60 + abs(zone) % 100) * (-1 if zone < 0 else 1)
    return Line(state="commit", commit=commit, orig=int(fields["orig"]),
                path=unquote(fields["filename"]), author=fields["author"],
                mail=fields["author-mail"][1:-1], time=int(fields["author-time"]), offset=offset)


def by_us(program, directory, sites):
    """The same for (path, line) pairs, and what else was said of each."""
    asked = "".join("%s:%d\n" % site for site in sites).encode()
    out = subprocess.run([program, directory], input=asked, stdout=subprocess.PIPE, check=True,
                         env=history.environment()).stdout
    lines, said = [], []
    for row in out.decode(errors="surrogateescape").rstrip("\n").split("\n"):
        f = row.split("\t")
        fields = {"state": f[0]}
        if f[0] in ("commit", "boundary"):
            fields.update(commit=f[1], orig=int(f[2]), path=f[4])
        if f[0] == "commit":
            fields.update(author=f[6], mail=f[7], time=int(f[8]), offset=int(f[9]))
        lines.append(Line(**fields))
        said.append(f[10])
    return lines, said


class Run:
    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch
        self.checked = self.failed = 0
        self.seen = set()

    def fail(self, text):
        self.failed += 1
        if self.failed <= 20:
            print("FAILED:", text)

    def expect(self, what, wanted, got):
        self.checked += 1
        if wanted != got:
            self.fail("%s\n  wanted %r\n  got    %r" % (what, wanted, got))

    def fresh(self, name):
        path = os.path.join(self.scratch, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def files(self, directory):
        """The regular files of the index that are in the work tree."""
        rows = git(directory, "ls-files", "-s", "-z").decode().split("\0")[:-1]
        paths = [row.split("\t", 1)[1] for row in rows if row.startswith("100")]
        return [p for p in dict.fromkeys(paths) if os.path.isfile(os.path.join(directory, p))]

    def compare(self, name, directory, paths=None, pick=None, prefix=""):
        """All lines of the files, or those whose numbers `pick` gives, in one question."""
        sites, wanted = [], []
        for path in paths if paths is not None else self.files(directory):
            lines = by_git(directory, path)
            for number, line in enumerate(lines, 1):
                if pick is None or (path, number) in pick:
                    sites.append((prefix + path, number))
                    wanted.append(line)
        outer = directory[: -len(prefix)] if prefix else directory
        got, said = by_us(self.program, outer, sites)
        for site, want, have in zip(sites, wanted, got):
            self.expect("%s: %s:%d" % (name, *site), want, have)
        self.expect(name + ": answers", len(sites), len(got))
        self.seen.update(line.state for line in got)
        return list(zip(sites, got, said))

    def repository(self, name, **options):
        directory = self.fresh(name)
        history.make(directory, **options)
        return directory


def summaries(run, directory):
    rows = git(directory, "log", "--all", "--format=%H%x00%s").decode().split("\n")[:-1]
    subject = dict(row.split("\0") for row in rows)
    for site, line, said in run.compare("summary", directory):
        run.expect("summary: %s:%d" % site, subject[line.commit], said)


def seeds(run, count):
    for seed in range(1, count + 1):
        directory = run.repository("seed", seed=seed, commits=60 + seed % 5 * 40)
        run.compare("seed %d" % seed, directory)


def big(run):
    directory = run.repository("big", seed=4711, commits=1500, files=40)
    dice = history.Dice(7)
    all_sites = [(path, n) for path in run.files(directory)
                 for n in range(1, 1 + len(open(os.path.join(directory, path), "rb").read()
                                           .splitlines(True)))]
    run.compare("big", directory, pick={dice.pick(all_sites) for _ in range(200)})
    summaries(run, directory)


def change(directory, path, dice):
    """Edits some lines of a file of the work tree."""
    name = os.path.join(directory, path)
    lines = open(name, "rb").read().splitlines(True)
    for _ in range(3):
        at = dice.below(len(lines) + 1)
        if dice.chance(50):
            lines[at:at] = [b"new line %d\n" % dice.below(1000)]
        else:
            del lines[at : at + 2]
    open(name, "wb").write(b"".join(lines))


def dirty(run):
    for seed in (101, 102, 103, 104):
        directory = run.repository("dirty", seed=seed)
        dice = history.Dice(seed)
        paths = run.files(directory)
        for path in paths[::2]:
            change(directory, path, dice)
        git(directory, "add", paths[0])
        change(directory, paths[0], dice)
        git(directory, "mv", paths[1], "moved.c")
        change(directory, "moved.c", dice)
        git(directory, "rm", "-q", "--cached", paths[3])
        open(os.path.join(directory, "added.c"), "w").write("one\ntwo\n")
        git(directory, "add", "added.c")
        run.compare("dirty %d" % seed, directory)
        open(os.path.join(directory, "untracked.c"), "w").write("one\ntwo\n")
        got, _ = by_us(run.program, directory, [("untracked.c", 1), ("untracked.c", 3)])
        run.expect("untracked", ["uncommitted", "unknown"], [line.state for line in got])


def merging(run):
    """A merge that stopped: its second parent's lines are not uncommitted."""
    directory = run.repository("merging", seed=7)
    git(directory, "checkout", "-q", "-b", "side", "main~3")
    dice = history.Dice(5)
    for path in run.files(directory):
        change(directory, path, dice)
    git(directory, "commit", "-q", "-a", "-m", "Side")
    git(directory, "checkout", "-q", "main")
    for path in run.files(directory)[::2]:
        change(directory, path, dice)
    git(directory, "commit", "-q", "-a", "-m", "Main")
    subprocess.run(["git", "-C", directory, "merge", "-q", "--no-commit", "side"],
                   env=history.environment(), stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    run.expect("merging", True, os.path.exists(os.path.join(directory, ".git/MERGE_HEAD")))
    run.compare("merging", directory)


def shallow(run):
    directory = run.repository("deep", seed=11)
    for depth in (1, 5, 20):
        clone = run.fresh("shallow")
        git(run.scratch, "clone", "-q", "--depth", str(depth), "file://" + directory, clone)
        for site, line, said in run.compare("depth %d" % depth, clone):
            if line.state == "boundary":
                run.expect("depth: %s:%d" % site, True, "git fetch --unshallow" in said)
        tree = run.fresh("shallow-tree")
        git(clone, "worktree", "add", "-q", "--detach", tree)
        run.compare("depth %d, linked" % depth, tree)


def line_ends(run):
    directory = run.repository("ends", seed=12)
    for config in ("core.autocrlf=true", "core.autocrlf=input", "core.eol=crlf"):
        clone = run.fresh("crlf")
        git(run.scratch, "clone", "-q", "-c", config, directory, clone)
        run.compare(config, clone)
        dice = history.Dice(3)
        for path in run.files(clone)[::2]:
            change(clone, path, dice)
        run.compare(config + ", dirty", clone)
    open(os.path.join(directory, ".gitattributes"), "w").write("*.c text eol=crlf\n*.h ident\n")
    git(directory, "add", ".gitattributes")
    git(directory, "commit", "-q", "-m", "Line ends")
    clone = run.fresh("crlf")
    git(run.scratch, "clone", "-q", directory, clone)
    run.compare("attributes", clone)


def mailmap(run):
    directory = run.repository("mailmap", seed=13)
    open(os.path.join(directory, ".mailmap"), "w").write(
        "Ada Lovelace <ada@example.org> <ADA@laptop.example>\n"
        "Chen <chen@new.example> Chen Wei <chen@example.org>\n")
    run.compare("mailmap", directory)


def submodule(run):
    inner = run.repository("inner", seed=14)
    outer = run.repository("outer", seed=15)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner,
        "deps/inner")
    git(outer, "commit", "-q", "-m", "Submodule")
    run.compare("outer", outer)
    run.compare("submodule", os.path.join(outer, "deps/inner"), prefix="deps/inner/")
    path = run.files(inner)[0]
    clone = run.fresh("outer-clone")
    git(run.scratch, "clone", "-q", outer, clone)
    got, said = by_us(run.program, clone, [("deps/inner/" + path, 1), ("deps/inner", 1)])
    run.expect("not checked out", ["unknown"] * 2, [line.state for line in got])
    run.expect("not checked out", True, "git submodule update --init" in said[0])


def worktree(run):
    directory = run.repository("main-tree", seed=16)
    tree = run.fresh("linked")
    git(directory, "worktree", "add", "-q", "--detach", tree, "main~10")
    run.compare("linked worktree", tree)


def partial(run):
    directory = run.repository("whole", seed=17)
    git(directory, "config", "uploadpack.allowFilter", "true")
    clone = run.fresh("partial")
    git(run.scratch, "clone", "-q", "--filter=blob:none", "file://" + directory, clone)
    paths = run.files(clone)
    sites = [(path, 1) for path in paths if os.path.getsize(os.path.join(clone, path))]
    got, said = by_us(run.program, clone, sites)
    whole, _ = by_us(run.program, directory, sites)
    for site, line, true, why in zip(sites, got, whole, said):
        if line.state == "unknown":
            run.expect("partial: %s:%d" % site, True, "is missing from this clone" in why)
        else:
            run.expect("partial: %s:%d" % site, true, line)
    run.expect("partial: some are unknown", True, any(l.state == "unknown" for l in got))
    git(clone, "fetch", "-q", "--refetch", "--no-filter")
    got, _ = by_us(run.program, clone, sites)
    run.expect("partial: after git fetch --refetch --no-filter", whole, got)


def existing(run, directory, count):
    dice = history.Dice(1)
    sites = set()
    paths = run.files(directory)
    while len(sites) < count:
        path = dice.pick(paths)
        length = len(open(os.path.join(directory, path), "rb").read().split(b"\n")) - 1
        if length > 0:
            sites.add((path, 1 + dice.below(length)))
    run.compare(directory, directory, paths=sorted({path for path, _ in sites}), pick=sites)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--repo")
    parser.add_argument("--lines", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="blame-") as scratch:
        run = Run(os.path.abspath(options.program), scratch)
        if options.repo:
            existing(run, options.repo, options.lines)
        else:
            seeds(run, options.seeds)
            for case in (big, dirty, merging, shallow, line_ends, mailmap, submodule, worktree,
                         partial):
                case(run)
            run.expect("states met", {"commit", "uncommitted", "boundary"}, run.seen)
        print("%d comparisons, %d failed" % (run.checked, run.failed))
        return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
