#!/usr/bin/env python3
"""The text report of the samples, byte for byte.

    golden.py WRITESAMPLE [--update]

Each directory of tests/golden/text with a file `args` is a case: what writesample prints for these
arguments is the file `expected`. --update writes what it prints now; read the diff before you keep
it. Sources lie in tests/golden/text/source.
"""
import difflib
import os
import subprocess
import sys

TEXT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "text")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    writesample, update = sys.argv[1], "--update" in sys.argv[2:]
    cases = sorted(name for name in os.listdir(TEXT)
                   if os.path.exists(os.path.join(TEXT, name, "args")))
    failed = 0
    for name in cases:
        args = read(os.path.join(TEXT, name, "args")).decode().split()
        expected = os.path.join(TEXT, name, "expected")
        got = subprocess.run([writesample, "text", *args, "--root", os.path.join(TEXT, "source")],
                             stdout=subprocess.PIPE, check=True).stdout
        if update:
            with open(expected, "wb") as file:
                file.write(got)
        elif not os.path.exists(expected) or read(expected) != got:
            failed += 1
            before = read(expected).decode().splitlines() if os.path.exists(expected) else []
            print("\n".join(difflib.unified_diff(before, got.decode().splitlines(), expected,
                                                 name + ", now", lineterm="")))
    print(f"{len(cases)} cases, {failed} differ")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
