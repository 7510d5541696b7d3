#!/usr/bin/env python3
"""Fails on an #include that goes against the arrows of docs/ARCHITECTURE.md, and on a source file
that has outgrown one noun.

    layers.py [ROOT]        the project's root (default: the one this file is in)
"""

import os
import re
import sys

PUBLIC = "include/grindgate"
STAGES = ("capture", "read", "locate", "match", "vcs", "gate", "write")
SPINE = "src"  # the files right in src/

# What the files of a folder may include, besides the compiler's and other projects' headers.
MAY = {stage: {stage, "model", "base", PUBLIC} for stage in STAGES}
MAY["model"] = {"model", "base", PUBLIC}
MAY["base"] = {"base", PUBLIC + "/error.h"}
MAY["cli"] = {"cli", "base", PUBLIC}
MAY[SPINE] = {SPINE, "model", "base", PUBLIC, *STAGES}
MAY[PUBLIC] = {PUBLIC}
MAY["canary"] = set()  # a program of its own

LINES = 500  # a table (.def) may be longer

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]*)"|<(grindgate/[^>]*)>)')


def sources(root):
    for top in ("src", PUBLIC):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def area(path):
    """The folder whose rules hold for a file: "base" for src/base/str.c."""
    parts = path.split("/")
    if path.startswith(PUBLIC + "/"):
        return PUBLIC
    return parts[1] if len(parts) > 2 else SPINE


def target(root, path, name):
    """The file an #include of `path` means, as the compiler would look for it; None: nowhere."""
    for folder in (os.path.dirname(path), "src", "include"):
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(os.path.join(root, found)):
            return found
    return None


def problems(root):
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            lines = text.read().splitlines()
        if len(lines) >= LINES and not path.endswith(".def"):
            yield f"{path}:{len(lines)}: {len(lines)} lines; a file stays under {LINES}: split it"
        allowed = MAY.get(area(path))
        if allowed is None:
            yield f"{path}:1: {area(path)}/ is no stage known to tests/layers.py"
            continue
        for number, line in enumerate(lines, 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            name = include[1] or include[2]
            found = target(root, path, name)
            if found is None:
                yield f"{path}:{number}: no such file: {name}"
            elif found not in allowed and area(found) not in allowed:
                yield f"{path}:{number}: {area(path)} may not include {name}"


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = list(problems(sys.argv[1] if len(sys.argv) > 1 else here))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
