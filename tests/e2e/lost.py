#!/usr/bin/env python3
"""Reports that are lost while the program runs: a full disk, a directory that is removed.

    lost.py BUILD/grindgate [NAME...]       NAMEs as unittest has them
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

FULL = "the disk of the reports is full, so they are cut off or lost: free some space, or name " \
       "another directory with --keep or TMPDIR"
GONE = "valgrind wrote this report, and it is gone"
ERRORS = 400


def source():
    """A program with an error each in functions of their own: about 600 KB of report."""
    parts = ["#include <stdlib.h>\n"]
    parts += [f"static void f{i}(char *p) {{ p[{i}] = 1; }}\n" for i in range(ERRORS)]
    parts += ["int main(void)\n{\n    char *p = malloc(1000);\n    free(p);\n"]
    parts += [f"    f{i}(p);\n" for i in range(ERRORS)]
    return "".join(parts) + "    return 0;\n}\n"


class Lost(unittest.TestCase):
    grindgate = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.repo, self.disk = (os.path.join(self.scratch, name) for name in ("repo", "disk"))
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        os.mkdir(self.disk)
        subprocess.run(["git", "init", "-q", self.repo], env=self.env, check=True)

    def run_program(self, *command, options=()):
        words = [*shlex.split(os.environ.get("GG_LAUNCHER", "")), self.grindgate, "run",
                 "--no-selftest", "--no-blame", "-q", *options, "--", *command]
        done = subprocess.run(words, cwd=self.repo, env=self.env, capture_output=True,
                              encoding="utf-8", timeout=300, check=False)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done.stdout

    # --- a full disk ---

    def build(self):
        """The program belongs to no repository, so that its errors fail nothing."""
        path = os.path.join(self.scratch, "program")
        subprocess.run(["cc", "-g", "-O0", "-w", "-x", "c", "-o", path, "-"], input=source(),
                       encoding="utf-8", check=True)
        with open(os.path.join(self.repo, "README"), "w", encoding="utf-8") as out:
            out.write("Nothing.\n")
        subprocess.run(["git", "add", "."], cwd=self.repo, env=self.env, check=True)
        return path

    def mount(self):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", self.disk],
                              capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            self.skipTest("no file system can be mounted: " + done.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.disk], check=True)

    def test_a_full_disk_is_named(self):
        self.mount()
        program = self.build()
        self.env["TMPDIR"] = self.disk
        said = self.run_program(program)
        self.assertRegex(said, r"\d+-1\.xml: the report stops before the program's end")
        self.assertIn(FULL, said)
        self.assertEqual(os.listdir(self.disk), [])

    def test_a_full_disk_of_kept_reports_is_named(self):
        self.mount()
        said = self.run_program(self.build(), options=["--keep", os.path.join(self.disk, "kept")])
        self.assertRegex(said, r"\d+-1\.xml: the report stops before the program's end")
        self.assertIn(FULL, said)

    def test_what_was_killed_is_not_laid_to_the_disk(self):
        self.build()
        self.assertNotIn(FULL, self.run_program("/bin/sh", "-c", "kill -9 $$"))

    # --- a directory that goes ---

    def expect_gone(self, said):
        """The shell's report, and those of the child that became rm, in one sentence."""
        names = re.search(rf"((?:\d+-\d\.xml(?:, )?)+): {GONE}", said)
        gone = re.findall(r"(\d+)-(\d)\.xml", names[1] if names else "")
        self.assertEqual(sorted(number for _, number in gone), ["1", "1", "2"], said)
        self.assertEqual(len({pid for pid, _ in gone}), 2, said)

    def test_reports_of_a_removed_directory_are_named(self):
        self.build()
        self.env["TMPDIR"] = self.disk
        self.expect_gone(self.run_program("/bin/sh", "-c", f"rm -rf {self.disk}/*; exit 0",
                                          options=["-o", "text"]))

    def test_kept_reports_of_a_removed_directory_are_named(self):
        self.build()
        kept = os.path.join(self.scratch, "kept")
        self.expect_gone(self.run_program("/bin/sh", "-c", f"rm -rf {kept}; exit 0",
                                          options=["--keep", kept]))
        self.assertFalse(os.path.exists(kept))


if __name__ == "__main__":
    Lost.grindgate = os.path.abspath(sys.argv.pop(1))
    unittest.main()
