#!/usr/bin/env python3
"""Runs the recipes of docs/recipes.md, as they stand there, on small projects with planted errors.

    recipes.py BUILD/grindgate RECIPE       exit status 77: the runner is not here
    recipes.py --list

A code block of the document that begins with ```sh recipe=NAME is the recipe; one with file=FILE is
what belongs at the end of that file. The last line of a recipe is its check. Held against a run
without wrap: the runner's exit status and each of its results; against comments `// expect: KIND`
in the sources: what is found, and where; against the reports themselves: how many are whole.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from recipe_projects import RECIPES

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENT = os.path.join(os.path.dirname(TESTS), "docs", "recipes.md")
SKIPPED = 77

# What the environment of this test says is not meant for the runners.
FOREIGN = ("GIT_", "GRINDGATE_", "VALGRIND", "GTEST_", "MAKE", "MFLAGS", "CARGO_TARGET", "PYTEST",
           "CTEST_", "CK_", "CRITERION_", "MESON_")

def read_document():
    """{recipe: its commands}, {(recipe, file): what belongs in it}"""
    commands, files = {}, {}
    with open(DOCUMENT, encoding="utf-8") as text:
        blocks = re.findall(r"^```\w+ recipe=(\S+)(?: file=(\S+))?\n(.*?)^```$", text.read(),
                            re.MULTILINE | re.DOTALL)
    for name, file, block in blocks:
        if file:
            files[name, file] = block
        else:
            commands[name] = block
    return commands, files


def path_for(name):
    """PATH: for pytest Debian's Python before others, if it is the one that has pytest."""
    debian = os.path.exists("/usr/bin/python3") and subprocess.run(
        ["/usr/bin/python3", "-c", "import pytest"], capture_output=True, check=False)
    first = "/usr/bin:" if name == "pytest" and debian and debian.returncode == 0 else ""
    return first + os.environ["PATH"]


class Project:
    """A recipe's project in a repository of its own, built."""

    def __init__(self, root, name, grindgate):
        self.root, self.recipe = root, RECIPES[name]
        commands, added = read_document()
        self.launch, self.check = commands[name].rstrip("\n").rsplit("\n", 1)
        self.reports = os.path.join(root, re.match(r"grindgate check (\S+)", self.check)[1])
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith(FOREIGN)}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        LC_ALL="C.UTF-8", PATH=os.path.dirname(grindgate) + ":" + path_for(name))
        self.expected = set()
        for path, text in self.recipe.files.items():
            text += added.get((name, path), "")
            self.write(path, text)
            for number, line in enumerate(text.splitlines(), 1):
                self.expected |= {(kind, path, number)
                                  for kind in re.findall(r"// expect: (\w+)", line)}
        for command in ("git init --quiet --template= .", "git add .",
                        "git -c user.name=A -c user.email=a@example.org commit --quiet -m Add"):
            self.work(command)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def run(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.root, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=500, encoding="utf-8",
                              errors="replace", check=False)

    def work(self, command):
        done = self.run(command)
        if done.returncode != 0:
            sys.exit(f"{command} failed:\n{done.stdout}")

    def results(self, said):
        if not self.recipe.results:
            return []
        return sorted(set(re.findall(self.recipe.results, said, re.MULTILINE)))


def absent(project):
    for command in project.recipe.needs:
        done = project.run(command)
        if done.returncode != 0:
            return f"{command}: {done.stdout.strip().splitlines()[:1]}"
    return None


def whole_reports(directory):
    """How many reports valgrind wrote to their end, by their text; and how many programs it ran."""
    whole = 0
    for path in glob.glob(os.path.join(directory, "*", "*.xml")):
        with open(path, encoding="utf-8", errors="replace") as text:
            report = text.read()
        whole += "<state>FINISHED</state>" in report and report.endswith("</valgrindoutput>\n\n")
    return whole, len(glob.glob(os.path.join(directory, "*", "run.json")))


def same(what, got, wanted, problems):
    if got != wanted:
        problems.append(f"{what}: {got}, not {wanted}")


def compare(project, plain, wrapped, checked, told):
    problems = []
    same("exit status of the runner", wrapped.returncode, plain.returncode, problems)
    same("results", project.results(wrapped.stdout), project.results(plain.stdout), problems)
    if project.recipe.results and not project.results(plain.stdout):
        problems.append("the runner says nothing of its tests")
    same("exit status of check", checked.returncode, 1, problems)
    found = {}
    for finding in told["findings"]:
        if finding["fate"] == "open" and finding["severity"] == "error":
            site = finding["site"]
            found[finding["kind"], site["path"], site["line"]] = finding["tests"]
    same("findings", sorted(found), sorted(project.expected), problems)
    if project.recipe.tests:
        same("tests", {kind: tests for (kind, _, _), tests in found.items()}, project.recipe.tests,
             problems)
    whole, ran = whole_reports(project.reports)
    same("runs that are finished", sum(run["end"] == "finished" for run in told["runs"]), whole,
         problems)
    expected = re.search(r"--expect (\d+)", project.check)[1]
    same("programs that were run", ran, int(expected), problems)
    incomplete = [note for note in told["notes"] if note["incomplete"]]
    if incomplete:
        problems.append(f"incomplete: {incomplete}")
    return problems


def try_recipe(root, name, grindgate):
    project = Project(root, name, grindgate)
    why = absent(project)
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    for command in project.recipe.build:
        project.work(command)
    plain = project.run(project.recipe.plain)
    project.write(os.path.join(project.reports, "of-an-earlier-run.xml"), "<valgrindoutput>")
    wrapped = project.run(project.launch)
    checked = project.run(project.check + " -o json:report.json -o text")
    told = {"findings": [], "runs": [], "notes": []}
    if os.path.exists(os.path.join(root, "report.json")):
        with open(os.path.join(root, "report.json"), encoding="utf-8") as text:
            told = json.load(text)
    problems = compare(project, plain, wrapped, checked, told)
    # One program more than there was is never there.
    more = re.sub(r"--expect (\d+)", lambda match: f"--expect {int(match[1]) + 1}", project.check)
    same("verdict with one program more expected", "expected" in project.run(more).stdout, True,
         problems)
    if problems:
        print("\n".join(["plain:", plain.stdout, "wrapped:", wrapped.stdout, "check:",
                         checked.stdout, *problems]))
        return 1
    print(f"{name}: {len(project.results(plain.stdout))} results, {len(told['runs'])} runs, "
          f"{len(project.expected)} findings, as without wrap")
    return 0


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(RECIPES))
        return 0
    if len(sys.argv) != 3 or sys.argv[2] not in RECIPES:
        sys.exit(__doc__)
    if set(read_document()[0]) != set(RECIPES):
        sys.exit(f"{DOCUMENT} has other recipes than this test: "
                 f"{sorted(set(read_document()[0]) ^ set(RECIPES))}")
    if os.environ.get("GG_LAUNCHER"):
        print("skipped: the runners call grindgate themselves, without a launcher before it")
        return SKIPPED
    grindgate = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as root:
        return try_recipe(os.path.realpath(root), sys.argv[2], grindgate)


if __name__ == "__main__":
    sys.exit(main())
