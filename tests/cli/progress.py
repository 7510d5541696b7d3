#!/usr/bin/env python3
"""What is said on standard error while something takes long, on a terminal and in a log.

    progress.py BUILD/grindgate [NAME...]       NAMEs as unittest has them

Nothing here measures time: what lasts goes on until the line it waits for was seen, or, where there
must be none, for longer than one would need.
"""

import fcntl
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

HEAD = """<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>4</protocolversion>
<protocoltool>memcheck</protocoltool>
<preamble><line>Using Valgrind-3.19.0 and LibVEX</line></preamble>
<pid>1</pid><ppid>0</ppid><tool>memcheck</tool>
<args><vargv><exe>valgrind</exe></vargv><argv><exe>./p</exe></argv></args>
<status><state>RUNNING</state><time>00:00:00:00.1 </time></status>
"""
ERROR = """<error><unique>0x%x</unique><tid>1</tid><kind>InvalidRead</kind>
<what>Invalid read of size 4</what>
<stack><frame><ip>0x1</ip><obj>/x/p</obj><fn>f%d</fn><file>main.c</file><line>2</line></frame></stack>
</error>
"""
TAIL = """<status><state>FINISHED</state><time>00:00:00:00.2 </time></status>
<errorcounts></errorcounts><suppcounts></suppcounts>
</valgrindoutput>
"""
CHUNK = 70000       # more than grindgate reads at a time
PATIENCE = 120      # seconds until a test gives up
UNSEEN = 4          # seconds without a line that would come after two
ERASE = "\r\x1b[K"


def terminal(columns=120):
    try:
        outside, inside = os.openpty()
    except OSError as failure:
        raise unittest.SkipTest(f"no terminal can be made here: {failure}") from failure
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return outside, inside


def screen(text):
    """The lines that are left when all was printed."""
    lines = [""]
    for part in re.split(r"(\r\x1b\[K|\r?\n)", text):
        if part == ERASE:
            lines[-1] = ""
        elif part.endswith("\n"):
            lines.append("")
        else:
            lines[-1] += part
    return lines


class Listener:
    """Collects what comes from a descriptor, to its end."""

    def __init__(self, fd):
        self.fd, self.text = fd, ""
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        data = b""
        while True:
            try:
                part = os.read(self.fd, 65536)
            except OSError:  # a terminal nobody has open any more
                part = b""
            if not part:
                return
            data += part
            self.text = data.decode("utf-8", "replace")

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"never said {pattern!r}, but {self.text!r}")

    def rest(self):
        self.thread.join(PATIENCE)
        os.close(self.fd)
        return self.text


class Progress(unittest.TestCase):
    grindgate = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.repo = os.path.realpath(scratch.name)
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", TERM="xterm")
        subprocess.run(["git", "init", "-q", self.repo], env=self.env, check=True)
        with open(os.path.join(self.repo, "main.c"), "w", encoding="utf-8") as out:
            out.write("int main(void)\n{\n}\n")
        subprocess.run(["git", "add", "."], cwd=self.repo, env=self.env, check=True)

    def start(self, *words, stderr, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        child = subprocess.Popen([*launcher, self.grindgate, *words], cwd=self.repo, env=self.env,
                                 stdin=stdin, stdout=stdout, stderr=stderr)
        self.addCleanup(child.wait, PATIENCE)
        self.addCleanup(lambda: child.poll() is None and child.kill())
        return child

    def start_on_terminal(self, *words, columns=120, **streams):
        """The child and who listens to its terminal: standard error, and output if not given."""
        outside, inside = terminal(columns)
        if "stdout" not in streams:
            streams["stdout"] = inside
        child = self.start(*words, stderr=inside, **streams)
        os.close(inside)
        return child, Listener(outside)

    # --- a report that comes slowly ---

    def feed(self, child, enough):
        """Writes a report to its standard input until there is enough of it."""
        child.stdin.write(HEAD.encode())
        number, end = 0, time.monotonic() + PATIENCE
        while not enough() and time.monotonic() < end:
            for _ in range(CHUNK // len(ERROR)):
                number += 1
                child.stdin.write((ERROR % (number, number)).encode())
            child.stdin.flush()
            time.sleep(0.2)
        child.stdin.write(TAIL.encode())
        child.stdin.close()
        return child.wait(PATIENCE), number

    def feed_until(self, child, listener, pattern):
        return self.feed(child, lambda: re.search(pattern, listener.text))

    def feed_long(self, child):
        end = time.monotonic() + UNSEEN
        return self.feed(child, lambda: time.monotonic() > end)

    def test_a_line_changes_on_a_terminal_and_goes(self):
        child, listener = self.start_on_terminal("check", "--no-blame", "-", stdin=subprocess.PIPE)
        status, errors = self.feed_until(
            child, listener, r"(?s)reading, 1 report, \d+ errors so far.*reading, 1 report, ")
        text = listener.rest()
        self.assertEqual(status, 1, text)
        shown = re.findall(r"\r\x1b\[Kgrindgate: (\d+) s: reading, 1 report, (\d+) errors so far",
                           text)
        self.assertGreaterEqual(len(shown), 2, text)
        self.assertGreaterEqual(int(shown[0][0]), 2)
        counts = [int(count) for _, count in shown]
        self.assertEqual(counts, sorted(counts))
        self.assertLess(counts[0], counts[-1])
        self.assertLessEqual(counts[-1], errors)
        left = screen(text)
        self.assertFalse([line for line in left if "reading" in line], left)
        self.assertTrue([line for line in left if "FAIL" in line], left)

    def test_it_never_reaches_standard_output(self):
        path = os.path.join(self.repo, "report.json")
        with open(path, "wb") as out:
            child, listener = self.start_on_terminal("check", "-o", "json", "--no-blame", "-",
                                                     stdin=subprocess.PIPE, stdout=out)
            _, errors = self.feed_until(child, listener, r"reading, ")
        self.assertEqual(screen(listener.rest()), [""])
        with open(path, encoding="utf-8") as text:
            self.assertEqual(len(json.load(text)["findings"]), errors)

    def test_it_fits_into_the_terminal(self):
        child, listener = self.start_on_terminal("check", "--no-blame", "-", columns=20,
                                                 stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.feed_until(child, listener, r"grindgate: \d+ s: ")
        lines = [line for line in listener.rest().split(ERASE) if line]
        self.assertTrue(lines)
        self.assertEqual({len(line) for line in lines}, {19}, lines)

    def silent(self, *words, on_terminal=True):
        if on_terminal:
            child, listener = self.start_on_terminal("check", "--no-blame", *words, "-",
                                                     stdin=subprocess.PIPE,
                                                     stdout=subprocess.DEVNULL)
        else:
            child = self.start("check", "--no-blame", *words, "-", stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE)
            listener = Listener(os.dup(child.stderr.fileno()))
            child.stderr.close()
        self.feed_long(child)
        self.assertEqual(listener.rest(), "")

    def test_quiet_is_quiet(self):
        self.silent("-q", "--progress=always")

    def test_never_is_never(self):
        self.silent("--progress=never")

    def test_a_dumb_terminal_is_a_log(self):
        self.env["TERM"] = "dumb"
        self.silent()

    def test_a_log_hears_nothing_before_a_minute(self):
        self.silent(on_terminal=False)

    # --- a program that lasts ---

    def wait_in(self, *words, **streams):
        """Runs a program that ends when the test writes to a pipe."""
        gate = os.path.join(self.repo, "gate")
        os.mkfifo(gate)
        child = self.start("run", "--no-selftest", "--no-blame", *words, "--", "/bin/sh", "-c",
                           "echo begun; read line <gate; echo $line >&2", **streams)
        return child, lambda: self.open_gate(gate)

    @staticmethod
    def open_gate(gate):
        with open(gate, "w", encoding="utf-8") as out:
            out.write("ended\n")

    def test_a_program_keeps_its_terminal(self):
        outside, inside = terminal()
        child, go = self.wait_in(stderr=inside, stdout=inside)
        os.close(inside)
        listener = Listener(outside)
        listener.wait_for("begun")
        time.sleep(UNSEEN)
        self.assertEqual(listener.text, "begun\r\n")
        go()
        child.wait(PATIENCE)
        text = listener.rest()
        self.assertTrue(text.startswith("begun\r\nended\r\n"), text)
        self.assertNotIn("grindgate: ", text)
        self.assertNotIn(ERASE, text)

    def test_always_says_a_line_every_ten_seconds(self):
        child, go = self.wait_in("--progress=always", "-o", "json", stderr=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        said, out = (Listener(os.dup(stream.fileno())) for stream in (child.stderr, child.stdout))
        child.stderr.close()
        child.stdout.close()
        said.wait_for("20 s")
        go()
        child.wait(PATIENCE)
        self.assertEqual(said.rest(), "grindgate: 10 s: running, 1 report\n"
                                      "grindgate: 20 s: running, 1 report\nended\n")
        begun, report = out.rest().split("\n", 1)
        self.assertEqual(begun, "begun")
        self.assertEqual(len(json.loads(report)["runs"]), 1)


if __name__ == "__main__":
    Progress.grindgate = os.path.abspath(sys.argv.pop(1))
    unittest.main()
