#!/usr/bin/env python3
"""Reads every stored report and counts its errors a second way.

    corpus_read.py READDUMP [CORPUS]

A well-formed report: the errors that expat sees below the root are the errors that were read. A
damaged one: every <error> that is whole in itself was read, the damage is told, and the run counts
as finished only when the file holds one document with its end. CORPUS is the folder with
valgrind-xml and valgrind-runs; without it ../shared/corpus beside the repository is meant. Not
there: exit status 77.
"""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

FOLDERS = ("valgrind-xml", "valgrind-runs", "other-xml")
SECONDS = 60

LEAF = re.compile(r"\s*<(\w+)>.*</(\w+)>\s*$", re.S)
TAG = re.compile(r"\s*<(/?)(\w+)>\s*$")
OF_THE_ROOT = {"error", "status", "errorcounts", "suppcounts", "clientmsg", "fatal_signal"}


def reports(corpus):
    for folder in FOLDERS:
        for path in sorted((corpus / folder).rglob("*")):
            if path.is_file() and ".xml" in path.name or ".stderr.exp" in path.name:
                if path.suffix not in (".err", ".out"):
                    yield path


def is_whole(text):
    """An <error> whose lines open and close in pairs, without another report's in between."""
    text = re.sub(r"<rawtext>.*?</rawtext>", "", text, flags=re.S)
    # <what>... and its end tag on the next line, with <stack> behind it
    text = re.sub(r"\n</what>", "</what>", text).replace("</what>  <stack>", "</what>\n<stack>")
    # texts that hold line breaks
    text = re.sub(r"<(obj|dir|file|fn)>[^<>]*</\1>", r"<\1></\1>", text)
    text = re.sub(r"<xauxwhat><text>.*</xauxwhat>", "", text)
    text = re.sub(r"<sframe> <(fun|obj)>.*</\1> </sframe>", "", text)
    opened = []
    for line in text.split("\n"):
        leaf, tag = LEAF.match(line), TAG.match(line)
        if not line.strip():
            continue
        if leaf and leaf.group(1) == leaf.group(2):
            continue
        if not tag:
            return False
        if not tag.group(1):
            if opened and tag.group(2) in OF_THE_ROOT:
                return False
            opened.append(tag.group(2))
        elif not opened or opened.pop() != tag.group(2):
            return False
    return not opened


def whole_errors(data):
    text = data.decode("latin-1")
    found = re.findall(r"<error>\n(?:(?!<error>|<\?xml).)*?</error>", text, flags=re.S)
    return sum(1 for error in found if is_whole(error))


def read(readdump, path):
    result = subprocess.run([readdump, str(path)], capture_output=True, timeout=SECONDS, check=False)
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode}: {result.stderr[-500:]!r}")
    runs, notes = [], []
    for line in result.stdout.decode("utf-8", "surrogateescape").split("\n"):
        fields = line.split("\t")
        words = fields[0].split(" ")
        if words[0] == "run":
            runs.append({"end": words[1], "errors": int(words[2]), "detail": fields[1]})
        elif words[0] == "note":
            notes.append({"kind": words[1], "incomplete": words[2] == "1"})
    return runs, notes


def check_well_formed(root, runs):
    errors = sum(1 for child in root if child.tag == "error")
    if root.tag == "error":
        errors = 1
    if sum(run["errors"] for run in runs) != errors:
        yield f"{errors} errors by expat"
    states = [state.text for state in root.iterfind("status/state")]
    if root.tag == "valgrindoutput" and "FINISHED" in states:
        if [run["end"] for run in runs] != ["finished"]:
            yield "a whole report is not finished"
    elif any(run["end"] == "finished" for run in runs):
        yield "finished, but it does not say FINISHED"


def is_finished(document):
    return (document.count(b"</valgrindoutput>") == 1 and b">FINISHED<" in document
            and document.strip().endswith(b"</valgrindoutput>"))


def check_damaged(data, runs, notes):
    errors = whole_errors(data)
    if sum(run["errors"] for run in runs) != errors:
        yield f"{errors} whole errors by their lines"
    if not runs:
        yield "no run"
    if not notes and not any(run["detail"] for run in runs):
        yield "damaged, and nothing is said of it"
    whole = [document for document in data.split(b"<?xml") if is_finished(document)]
    if sum(run["end"] == "finished" for run in runs) > len(whole):
        yield "finished, but it is no whole document"


def check(readdump, path):
    data = path.read_bytes()
    runs, notes = read(readdump, path)
    try:
        problems = list(check_well_formed(ElementTree.fromstring(data), runs))
        damaged = False
    except ElementTree.ParseError:
        problems = list(check_damaged(data, runs, notes))
        damaged = True
    return [f"{path}: {problem}; read {runs} {notes}" for problem in problems], damaged


def main():
    readdump = sys.argv[1]
    default = pathlib.Path(__file__).resolve().parents[2] / "shared" / "corpus"
    corpus = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else default
    if not corpus.is_dir():
        print(f"skipped: {corpus} is not there")
        return 77
    failures, counts = [], [0, 0]
    for path in reports(corpus):
        try:
            problems, damaged = check(readdump, path)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            problems, damaged = [f"{path}: {error}"], True
        counts[damaged] += 1
        failures += problems
    print("\n".join(failures))
    print(f"{counts[0]} well-formed reports, {counts[1]} damaged ones, {len(failures)} failures")
    return 1 if failures or sum(counts) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
