#!/usr/bin/env python3
"""What is said on standard error while something takes long, on a terminal and in a log.

    progress.py BUILD/grindgate [NAME...]       NAMEs as unittest has them

Nothing here measures time: what lasts goes on until the line it waits for was seen, or, where there
must be none, for longer than one would need.
"""

import contextlib
import fcntl
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

from screen import Screen

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


# All that may be written around a program's output: what makes room, what follows a change of the
# size, the status, and what takes it away.
MAKE_ROOM = "\x1bD\x1b[A"
STATUS = r"\x1b7\x1b\[1;(\d+)r\x1b\[(\d+);1H\x1b\[m\x1b\[2Kgrindgate: [^\x1b]*\x1b8"
RESIZED = r"\x1b7\x1b\[r\x1b8\x1bD\x1b\[A\x1b7\x1b\[m\x1b\[B\r\x1b\[J\x1b8"
LEAVE = r"\x1b7\x1b\[m\x1b\[r\x1b\[999;1H\x1b\[2K\x1b8"
AROUND = re.compile(f"{RESIZED}|{re.escape(MAKE_ROOM)}|{STATUS}|{LEAVE}")


def set_size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def terminal(columns=120, rows=24):
    try:
        outside, inside = os.openpty()
    except OSError as failure:
        raise unittest.SkipTest(f"no terminal can be made here: {failure}") from failure
    set_size(inside, rows, columns)
    return outside, inside


def screen(text):
    """The lines that are left when all was printed."""
    return Screen(24, 120, text).lines()


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

    def wait_for(self, pattern, start=0):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.compile(pattern).search(self.text, start)
            if found:
                return found.end()
            time.sleep(0.05)
        raise AssertionError(f"never said {pattern!r}, but {self.text[-1000:]!r}")

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

    def start(self, *words, stderr, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **more):
        launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        child = subprocess.Popen([*launcher, self.grindgate, *words], cwd=self.repo, env=self.env,
                                 stdin=stdin, stdout=stdout, stderr=stderr, **more)
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

    def wait_in(self, *words, before="echo begun", after="echo $line >&2", **streams):
        """Runs a program that ends when the test writes to a pipe."""
        gate = os.path.join(self.repo, f"gate{time.monotonic_ns()}")
        os.mkfifo(gate)
        child = self.start("run", "--no-selftest", "--no-blame", *words, "--", "/bin/sh", "-c",
                           f"{before}; read line <{gate}; {after}", **streams)
        return child, lambda: self.open_gate(gate)

    @staticmethod
    def open_gate(gate):
        with open(gate, "w", encoding="utf-8") as out:
            out.write("ended\n")

    def wait_on_terminal(self, *words, said="begun\r\n", **how):
        """The same, with a status below what the program has said."""
        outside, inside = terminal()
        child, go = self.wait_in(*words, stderr=inside, stdout=inside, **how)
        os.close(inside)
        listener = Listener(outside)
        listener.wait_for(STATUS, listener.wait_for(said))
        return child, go, listener

    # Where the prompt was when grindgate was called: high on an empty screen, and on the last row.
    PROMPTS = ("$ run\r\n", "\r\n" * 30 + "$ run\r\n")

    def left_by(self, text):
        """What stands above the shell's next prompt, from its last one on; the whole screen is its
        own again."""
        results = []
        for prompt in self.PROMPTS:
            left = Screen(24, 120, prompt + text)
            self.assertTrue(left.is_whole(), text)
            left.feed("$ ")
            lines = left.lines()
            results.append(lines[lines.index("$ run") + 1:])
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0].pop(), "$", results)
        return results[0]

    def shown(self, text):
        """The screen at the last status, for both prompts."""
        text = text[:text.rindex("\x1b8") + 2]
        return [Screen(24, 120, prompt + text) for prompt in self.PROMPTS]

    def test_a_program_keeps_its_terminal(self):
        many = ("i=0; while [ $i -lt 30 ]; do echo out $i; echo err $i >&2; "
                "i=$((i + 1)); done; ")
        child, go, listener = self.wait_on_terminal(
            before=many + "test -t 1 && test -t 2 && echo both; printf 'name: '",
            after="echo $line; " + many + "printf last", said="name: ")
        listener.wait_for(STATUS, listener.wait_for(STATUS))
        lines = [f"{stream} {i}" for i in range(30) for stream in ("out", "err")]
        for at_once in self.shown(listener.text):
            self.assertRegex(at_once.row(23), "^grindgate: .* s: running, 1 report$")
            self.assertEqual(at_once.lines()[-1 - len(lines) - 2:-1], [*lines, "both", "name:"])
            self.assertEqual((at_once.y, at_once.x), (22, len("name: ")))
        go()
        child.wait(PATIENCE)
        text = listener.rest()
        expected = [*lines, "both", "name: ended", *lines, "last"]
        # to the byte, where only whole pieces of ours are left out; then comes the report
        self.assertTrue(AROUND.sub("", text).startswith("\r\n".join(expected)), text)
        left = self.left_by(text)
        self.assertEqual(left[:len(expected) - 1], expected[:-1])
        self.assertTrue(left[len(expected) - 1].startswith("last"), left)
        self.assertFalse([line for line in left if "running" in line], left)

    def test_a_short_screen_is_not_scrolled(self):
        child, go, listener = self.wait_on_terminal()
        high, low = self.shown(listener.text)
        self.assertEqual([high.row(i) for i in range(4)], ["$ run", "begun", "", ""])
        self.assertRegex(high.row(23), "^grindgate: ")
        self.assertEqual((high.scrolled, high.y, high.x), ([], 2, 0))
        self.assertEqual([low.row(i) for i in range(20, 23)], ["$ run", "begun", ""])
        self.assertEqual((low.y, low.x), (22, 0))
        go()
        child.wait(PATIENCE)
        self.assertEqual(self.left_by(listener.rest())[:2], ["begun", "ended"])

    def test_the_status_follows_the_size(self):
        outside, inside = terminal()
        child, go = self.wait_in(before="for i in 1 2 3 4 5 6 7 8; do echo $i; done; printf abc",
                                 after="echo $line; echo $line", stderr=inside, stdout=inside)
        listener = Listener(outside)
        listener.wait_for(STATUS, listener.wait_for("abc"))
        sizes = (5, 40, 24)
        for rows in sizes:
            start = len(listener.text)
            set_size(inside, rows, 120)
            listener.wait_for(rf"\x1b\[1;{rows - 1}r.*\x1b8", start)
        os.close(inside)
        go()
        child.wait(PATIENCE)
        first, *pieces = re.split(r"(?=\x1b7\x1b\[r\x1b8)", listener.rest())
        self.assertEqual(len(pieces), len(sizes))
        for prompt in self.PROMPTS:
            for keeps_bottom in (False, True):
                model = Screen(24, 120, prompt + first)
                for rows, piece in zip(sizes, pieces):
                    model.resize(rows, keeps_bottom)
                    status = re.match(RESIZED + STATUS, piece).end()
                    model.feed(piece[:status])
                    self.assertRegex(model.row(rows - 1), "^grindgate: ")
                    model.feed(piece[status:])
                self.assertTrue(model.is_whole())
                lines = [line for line in model.lines() if line]
                lines = lines[lines.index("$ run") + 1:]
                self.assertEqual(lines[:10], [*"12345678", "abcended", "ended"])
                self.assertFalse([line for line in lines if line.startswith("grindgate: ")], lines)

    def test_the_screen_is_whole_after_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                child, _, listener = self.wait_on_terminal()
                child.send_signal(number)
                self.assertEqual(child.wait(PATIENCE), 3)
                left = self.left_by(listener.rest())
                self.assertEqual(left[0], "begun")
                self.assertFalse([line for line in left if "running" in line], left)

    def test_the_screen_is_whole_after_a_signal_that_kills(self):
        child, _, listener = self.wait_on_terminal()
        child.send_signal(signal.SIGQUIT)
        self.assertEqual(child.wait(PATIENCE), -signal.SIGQUIT)
        self.assertEqual(self.left_by(listener.rest()), ["begun"])

    def test_the_screen_is_whole_after_a_timeout(self):
        child, _, listener = self.wait_on_terminal("--timeout=15")
        self.assertEqual(child.wait(PATIENCE), 3)
        left = self.left_by(listener.rest())
        self.assertEqual(left[0], "begun")
        self.assertFalse([line for line in left if "running" in line], left)

    @unittest.skipIf(os.environ.get("GG_LAUNCHER"), "SIGTSTP stops nothing under valgrind")
    def test_the_screen_is_whole_while_stopped(self):
        child, go, listener = self.wait_on_terminal(preexec_fn=os.setpgrp)
        child.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(child.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status), status)
        listener.wait_for(r"\x1b\[999;1H\x1b\[2K\x1b8$")
        at_stop = len(listener.text)
        self.assertEqual(self.left_by(listener.text), ["begun"])
        child.send_signal(signal.SIGCONT)
        listener.wait_for(re.escape(MAKE_ROOM) + STATUS, at_stop)
        go()
        child.wait(PATIENCE)
        self.assertEqual(self.left_by(listener.rest())[:2], ["begun", "ended"])

    def test_a_line_is_gone_after_a_signal(self):
        child, listener = self.start_on_terminal("check", "--no-blame", "-", stdin=subprocess.PIPE)

        def kill_in_time():
            listener.wait_for("reading")
            child.send_signal(signal.SIGINT)
            child.wait(PATIENCE)

        killer = threading.Thread(target=kill_in_time)
        killer.start()
        with self.assertRaises(BrokenPipeError):
            self.feed(child, lambda: False)
        killer.join()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        self.assertEqual(child.returncode, -signal.SIGINT)
        self.assertEqual(screen(listener.rest()), [""])

    def test_no_row_where_there_can_be_none(self):
        """All at once, for each takes as long as nothing is said."""
        def start(*words, rows=24, columns=120, raw=False, term="xterm"):
            outside, inside = terminal(columns, rows)
            if raw:
                mode = termios.tcgetattr(inside)
                mode[3] &= ~termios.ICANON
                termios.tcsetattr(inside, termios.TCSANOW, mode)
            self.env.pop("TERM", None)
            if term:
                self.env["TERM"] = term
            child, go = self.wait_in(*words, stderr=inside, stdout=inside)
            os.close(inside)
            return child, go, Listener(outside)

        going = {"low": start(rows=3), "unknown size": start(rows=0, columns=0),
                 "dumb": start(term="dumb"), "unknown terminal": start(term=None),
                 "raw": start(raw=True), "never": start("--progress=never"), "quiet": start("-q")}
        for _, _, listener in going.values():
            listener.wait_for("begun")
        time.sleep(UNSEEN)
        for name, (child, go, listener) in going.items():
            with self.subTest(name):
                self.assertEqual(listener.text, "begun\r\n")
                go()
                child.wait(PATIENCE)
                self.assertTrue(listener.rest().startswith("begun\r\nended\r\n"))

    def test_a_terminal_that_waits_is_not_waited_for(self):
        """^S stops what is printed, but not --timeout."""
        outside, inside = terminal()
        termios.tcflow(inside, termios.TCOOFF)
        child, _ = self.wait_in("--timeout=4", before=":", stderr=inside)
        self.assertEqual(child.wait(PATIENCE), 3)
        os.close(inside)
        os.close(outside)

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
