#!/usr/bin/env python3
"""That errors are seen is proved by a canary: with the real grindgate and valgrind, and with
programs in valgrind's place that do not do their work.

    selftest.py BUILD/grindgate BUILD/canary/canary [NAME...]     NAMEs as unittest has them
"""

import json
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(os.path.dirname(TESTS), "src", "canary", "canary.c")
KINDS = {"Leak_DefinitelyLost": "a leak", "InvalidRead": "an invalid read",
         "UninitCondition": "an uninitialised jump"}
WAIT = 60  # seconds, for what is to happen soon

# What stands in valgrind's place begins like this: only its version is the real one's.
FAKE = '#!/bin/sh\n[ "$1" = --version ] && exec valgrind --version\n'


def environment(**more):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND", "XDG_", "LD_"))}
    env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", LC_ALL="C.UTF-8")
    env.update(more)
    return env


def can_mount():
    """May this user mount something for itself alone?"""
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


class Selftest(unittest.TestCase):
    grindgate = canary = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = os.path.realpath(scratch.name)
        cls.repo = os.path.join(cls.scratch, "repo")
        os.mkdir(cls.repo)
        cls.write("repo/main.c", "int main(void)\n{\n    return 0;\n}\n")
        for command in (["git", "init", "-q", "."], ["git", "add", "main.c"],
                        ["cc", "-g", "-o", "clean", "main.c"]):
            subprocess.run(command, cwd=cls.repo, env=environment(), check=True)

    def setUp(self):
        self.cache = tempfile.mkdtemp(dir=self.scratch)

    @classmethod
    def write(cls, name, text, mode=0o644):
        path = os.path.join(cls.scratch, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def command(self, *arguments):
        return [*shlex.split(os.environ.get("GG_LAUNCHER", "")), self.grindgate, *arguments]

    def gate(self, *arguments, before=(), **env):
        done = subprocess.run([*before, *self.command(*arguments)], cwd=self.repo,
                              env=environment(**{"XDG_CACHE_HOME": self.cache, **env}),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              encoding="utf-8", check=False)
        return done

    def ends(self, status, *arguments, **how):
        """Runs grindgate, which must end so; returns what it says."""
        done = self.gate(*arguments, **how)
        self.assertEqual(done.returncode, status, done)
        return done.stdout

    def notes(self, status, *arguments, **how):
        """(kind, text) of the notes about the proof of a run that ends so, and its text."""
        report = os.path.join(tempfile.mkdtemp(dir=self.scratch), "report.json")
        text = self.ends(status, "run", "-o", "text", "-o", "json:" + report, *arguments, "--",
                         "./clean", **how)
        with open(report, encoding="utf-8") as told:
            notes = json.load(told)["notes"]
        return [(note["kind"], note["text"]) for note in notes if "proved" in note["kind"]], text

    @classmethod
    def fake(cls, name, script):
        """A program of valgrind's name, which the real one leaves alone when it is over us."""
        os.makedirs(os.path.join(cls.scratch, name), exist_ok=True)
        return cls.write(name + "/valgrind", FAKE + script, 0o755)

    def counting(self, name):
        """A valgrind that notes what it runs, and a way to ask how often that was a canary."""
        log = os.path.join(self.scratch, name + ".log")
        path = self.fake(name, f'echo "$@" >>{shlex.quote(log)}\nexec valgrind "$@"\n')

        def count():
            if not os.path.exists(log):
                return 0
            with open(log, encoding="utf-8") as lines:
                return sum(line.endswith("/canary\n") for line in lines)
        return path, count

    def marks(self):
        """(kind, line, function) as the source's own marks have them."""
        with open(SOURCE, encoding="utf-8") as text:
            lines = list(enumerate(text, 1))
        found = [(mark[2], str(number), mark[1]) for number, line in lines
                 if (mark := re.search(r"/\* (canary_\w+): (\w+) \*/", line))]
        self.assertEqual(sorted(kind for kind, _, _ in found), sorted(KINDS))
        return found

    # --- what is proved ---

    def test_what_is_proved_is_what_valgrind_alone_reports(self):
        report = os.path.join(self.scratch, "bare.xml")
        subprocess.run(["valgrind", "-q", "--leak-check=full", "--xml=yes",
                        "--xml-file=" + report, self.canary], env=environment(), check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        bare = []
        for error in ET.parse(report).getroot().iter("error"):
            own = [frame for frame in error.find("stack").iter("frame")
                   if frame.findtext("file") == "canary.c"][0]
            bare.append((error.findtext("kind"), own.findtext("line"), own.findtext("fn")))
        self.assertEqual(sorted(bare), sorted(self.marks()))
        said = self.ends(0, "selftest").splitlines()
        self.assertEqual(said[1:-1],
                         [f"  proved      {KINDS[kind]}: {kind} at canary.c:{line} in {function}"
                          for kind, line, function in self.marks()])
        version = subprocess.run(["valgrind", "--version"], env=environment(), check=True,
                                 capture_output=True, encoding="utf-8").stdout.strip()
        self.assertEqual(said[0], version.replace("-", " "))
        self.assertTrue(said[-1].startswith("PROVED (exit 0): "), said)

    def test_run_says_so(self):
        notes, text = self.notes(0)
        self.assertEqual([kind for kind, _ in notes], ["proved"])
        self.assertRegex(text.splitlines()[-1], r"^PASS \(exit 0\): .*\bproved to see errors; ")
        self.assertNotIn("note: proved", text)
        self.assertIn("note: proved", self.notes(0, "-v")[1])

    def test_nothing_is_said_or_run_when_it_is_not_asked_for(self):
        valgrind, count = self.counting("unasked")
        notes, text = self.notes(0, "--no-selftest", "--valgrind", valgrind)
        self.assertEqual((notes, count()), ([], 0))
        self.assertNotIn("proved", text)

    def test_nothing_is_left_behind(self):
        tmp = tempfile.mkdtemp(dir=self.scratch)
        self.ends(0, "selftest", TMPDIR=tmp)
        self.notes(0, TMPDIR=tmp, XDG_CACHE_HOME=self.cache + "/other")
        self.ends(3, "selftest", "--valgrind-arg=--undef-value-errors=no", TMPDIR=tmp)
        self.assertEqual(os.listdir(tmp), [])

    def test_mistakes_are_usage_errors(self):
        for arguments in (["--valgrind-arg=--xml=no"], ["./clean"], ["--base"],
                          ["--suppressions", "/nowhere.supp"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.ends(2, "selftest", *arguments), "")

    def test_outside_a_repository(self):
        done = subprocess.run(self.command("selftest"), cwd="/", stdin=subprocess.DEVNULL,
                              env=environment(XDG_CACHE_HOME=self.cache), check=False,
                              capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 0, done)

    # --- what hides errors ---

    HIDING = {"Leak_DefinitelyLost": "Memcheck:Leak\n   fun:malloc",
              "InvalidRead": "Memcheck:Addr1\n   ...\n   obj:*",
              "UninitCondition": "Memcheck:Cond\n   obj:*"}

    def hiding(self, kind):
        text = f"# which is too much\n{{\n   too much of {kind}\n   {self.HIDING[kind]}\n}}\n"
        return self.write(kind + ".supp", text)

    def test_a_suppression_that_hides_too_much_is_named(self):
        for kind, title in KINDS.items():
            with self.subTest(kind=kind):
                path = self.hiding(kind)
                said = self.ends(3, "selftest", "--suppressions", path)
                self.assertEqual(re.findall(r"^  (not proved|proved) +(.*?):", said, re.M),
                                 [("not proved" if other == kind else "proved", KINDS[other])
                                  for other, _, _ in self.marks()])
                self.assertIn(f'"too much of {kind}" ({path}:3)', said)
                [(word, text)], _ = self.notes(3, "--suppressions", path)
                self.assertEqual(word, "not-proved")
                self.assertIn(f"{title} was planted", text)
                self.assertIn(f"{path}:3", text)

    def test_one_that_valgrind_applies_is_named_too(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                argument = "--valgrind-arg=--suppressions=" + self.hiding(kind)
                said = self.ends(3, "selftest", argument)
                self.assertEqual(said.count("not proved"), 1, said)
                self.assertIn(f"too much of {kind}", said)

    def test_an_open_finding_still_fails(self):
        self.write("repo/leak.c", "#include <stdlib.h>\nint main(void)\n{\n"
                                  "    return !malloc(9);\n}\n")
        subprocess.run("git add leak.c && cc -g -o leak leak.c", shell=True, cwd=self.repo,
                       env=environment(), check=True)
        said = self.ends(1, "run", "--suppressions", self.hiding("InvalidRead"), "--", "./leak")
        self.assertIn("not proved", said)

    def test_uninitialised_values_that_are_not_looked_for(self):
        argument = "--valgrind-arg=--undef-value-errors=no"
        said = self.ends(3, "selftest", argument)
        self.assertEqual(said.count("not proved"), 1, said)
        self.assertIn("--undef-value-errors=no", said.split("not proved", 1)[1])
        [(kind, text)], _ = self.notes(3, argument)
        self.assertEqual(kind, "not-proved")
        self.assertIn("--undef-value-errors=no", text)
        notes, _ = self.notes(0, argument, "--allow-incomplete")
        self.assertEqual([kind for kind, _ in notes], ["not-proved"])

    def test_a_leak_that_is_laid_to_another_line(self):
        [(kind, text)], _ = self.notes(3, "--wrapper", "canary_leak")
        self.assertEqual(kind, "not-proved")
        self.assertRegex(text, r"a leak was planted, and it was found, but laid to "
                               r"canary\.c:\d+ in main")

    def test_other_tools_prove_nothing_and_doubt_nothing(self):
        for tool in ("helgrind", "drd"):
            with self.subTest(tool=tool):
                argument = "--valgrind-arg=--tool=" + tool
                self.assertIn(tool, self.ends(3, "selftest", argument))
                [(kind, text)], _ = self.notes(0, argument)
                self.assertEqual(kind, "not-proved")
                self.assertIn(tool, text)

    # --- what is not valgrind ---

    def unproved(self, words, *arguments, **how):
        said = self.ends(3, "selftest", *arguments, **how)
        self.assertRegex(said.splitlines()[-1], r"^NOT PROVED \(exit 3\): .*" + words)
        return said

    def test_programs_that_are_no_valgrind(self):
        after = 'while [ "$1" != -- ]; do\n    shift\ndone\nshift\n'
        empty = ('for word; do\n    case $word in\n    --xml-file=*)\n        file=${word#*=}\n'
                 '        : >"$(echo "$file" | sed "s/%p/$$/")"\n        ;;\n    esac\ndone\n')
        for name, text, words in (
                ("passes-on", after + 'exec "$@"\n', "left no report: what is run in its place"),
                ("writes-nothing-in-it", empty, "the file is empty"),
                ("gives-up", "exit 1\n", "left no report and ended with status 1"),
                ("dies", "kill -9 $$\n", "was killed and left no report")):
            with self.subTest(name=name):
                fake = self.fake(name, text)
                self.unproved(words, "--valgrind", fake)
                notes, _ = self.notes(3, "--valgrind", fake)
                self.assertEqual([kind for kind, _ in notes], ["not-proved"])
                self.assertRegex(notes[0][1], words)

    def test_a_canary_without_debug_information(self):
        fake = self.fake("strips", 'for word; do :; done\nstrip "$word"\nexec valgrind "$@"\n')
        said = self.ends(3, "selftest", "--valgrind", fake)
        self.assertEqual(said.count("not proved"), 3, said)
        self.assertEqual(said.count("debug information"), 3, said)

    def test_no_valgrind_at_all(self):
        self.unproved("not found", "--valgrind", "/nowhere/valgrind")
        notes, text = self.notes(3, "--valgrind", "/nowhere/valgrind")
        self.assertEqual(notes, [])
        self.assertEqual(text.count("incomplete: "), 1, text)

    def test_an_option_valgrind_does_not_know(self):
        self.unproved("ended with status 1", "--valgrind-arg=--no-such-option")

    # --- where it cannot be run ---

    def mounted(self, script):
        if not can_mount():
            self.skipTest("this user cannot mount anything")
        return ["unshare", "-m", "sh", "-c", script + ' && exec "$@"', "sh"]

    def test_a_temporary_directory_where_nothing_can_be_run(self):
        tmp = tempfile.mkdtemp(dir=self.scratch)
        self.unproved("TMPDIR", TMPDIR=tmp,
                      before=self.mounted(f"mount -t tmpfs -o noexec none {tmp}"))

    def test_a_temporary_directory_without_room(self):
        tmp = tempfile.mkdtemp(dir=self.scratch)
        self.unproved("No space left on device", TMPDIR=tmp,
                      before=self.mounted(f"mount -t tmpfs -o size=8k none {tmp}"))

    def test_no_temporary_directory(self):
        self.unproved("set TMPDIR", TMPDIR="/nowhere")

    def test_a_loader_without_symbols(self):
        loader = os.path.realpath(next(path for path in (
            "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld64.so.1",
            "/bin/sh") if os.path.exists(path)))
        sections = subprocess.run(["readelf", "-SW", loader], capture_output=True, check=False,
                                  encoding="utf-8").stdout
        if ".symtab" in sections or not os.path.isdir("/usr/lib/debug"):
            self.skipTest("the loader has its symbols in itself")
        hide = self.mounted("mount -t tmpfs none /usr/lib/debug")
        self.ends(0, "selftest")
        self.unproved("libc6-dbg", before=hide, DEBUGINFOD_URLS="")
        # A proof from before, while the package was there, is none.
        self.notes(0, DEBUGINFOD_URLS="")
        notes, _ = self.notes(3, before=hide, DEBUGINFOD_URLS="")
        self.assertEqual([kind for kind, _ in notes], ["not-proved"])

    # --- what is remembered ---

    def test_it_is_proved_once(self):
        valgrind, count = self.counting("once")
        for _ in range(2):
            notes, _ = self.notes(0, "--valgrind", valgrind)
            self.assertEqual([kind for kind, _ in notes], ["proved"])
            self.assertEqual(count(), 1)

    def test_selftest_always_tries_and_is_remembered(self):
        valgrind, count = self.counting("always")
        for tries in (1, 2):
            self.ends(0, "selftest", "--valgrind", valgrind)
            self.assertEqual(count(), tries)
        self.notes(0, "--valgrind", valgrind)
        self.assertEqual(count(), 2)

    def test_it_is_proved_anew_when_something_changes(self):
        valgrind, count = self.counting("changing")
        supp = self.write("growing.supp", "{\n   one\n   Memcheck:Cond\n   fun:one\n}\n")
        said = "--valgrind-arg=--suppressions=" + self.write("said.supp", "")
        arguments = ["--valgrind", valgrind, "--suppressions", supp, said]

        def another_valgrind():
            os.utime(valgrind, ns=(1, 1))

        def another_suppression():
            self.write("growing.supp", "{\n   two\n   Memcheck:Cond\n   fun:two\n}\n")

        def one_of_valgrinds():
            self.write("said.supp", "{\n   two\n   Memcheck:Cond\n   fun:two\n}\n")

        def another_option():
            arguments.append("--valgrind-arg=--num-callers=20")

        self.notes(0, *arguments)
        for number, change in enumerate((another_valgrind, another_suppression, one_of_valgrinds,
                                         another_option), 2):
            with self.subTest(change=change.__name__):
                change()
                self.notes(0, *arguments)
                self.notes(0, *arguments)
                self.assertEqual(count(), number)

    def test_a_failure_is_not_remembered(self):
        valgrind, count = self.counting("failing")
        arguments = ["--valgrind", valgrind, "--valgrind-arg=--undef-value-errors=no"]
        for tries in (1, 2):
            self.notes(3, *arguments)
            self.assertEqual(count(), tries)

    def proof(self):
        """The file that was written, in a directory of its own."""
        directory = os.path.join(self.cache, "grindgate")
        [name] = os.listdir(directory)
        return os.path.join(directory, name)

    def test_what_others_could_have_written_does_not_count(self):
        valgrind, count = self.counting("planted")
        self.notes(0, "--valgrind", valgrind)
        proof = self.proof()
        directory = os.path.dirname(proof)
        self.assertEqual((stat.S_IMODE(os.stat(directory).st_mode),
                          stat.S_IMODE(os.stat(proof).st_mode)), (0o700, 0o600))

        def link():
            os.rename(proof, self.cache + "/elsewhere")
            os.symlink(self.cache + "/elsewhere", proof)

        def less():
            with open(proof, "r+b") as file:
                file.truncate(20)

        tries = 1
        for change in (lambda: os.chmod(proof, 0o622), link, less,
                       lambda: os.chmod(directory, 0o777)):
            change()
            self.notes(0, "--valgrind", valgrind)
            tries += 1
            self.assertEqual(count(), tries)
            os.chmod(directory, 0o700)
            self.notes(0, "--valgrind", valgrind)
            self.assertEqual(count(), tries)
        if os.geteuid() == 0:
            os.chown(proof, 1, -1)
            self.notes(0, "--valgrind", valgrind)
            self.assertEqual(count(), tries + 1)

    def test_what_stands_in_a_proofs_place_is_replaced(self):
        valgrind, count = self.counting("replaced")
        self.notes(0, "--valgrind", valgrind)
        proof = self.proof()
        with open(proof, encoding="utf-8") as file:
            whole = file.read()
        target = os.path.join(self.cache, "target")

        def pipe():
            os.mkfifo(target, 0o644)

        def file():
            with open(target, "w", encoding="utf-8") as out:
                out.write(whole)
            os.chmod(target, 0o644)

        tries = 1
        for make, linked in ((pipe, False), (pipe, True), (file, True)):
            with self.subTest(make=make.__name__, linked=linked):
                make()
                before = os.stat(target)
                os.remove(proof)
                if linked:
                    os.symlink(target, proof)
                else:
                    os.rename(target, proof)
                self.notes(0, "--valgrind", valgrind)
                tries += 1
                self.assertEqual(count(), tries)
                now = os.lstat(self.proof())
                self.assertEqual(stat.filemode(now.st_mode), "-rw-------")
                with open(proof, encoding="utf-8") as written:
                    self.assertEqual(written.read(), whole)
                if linked:
                    after = os.stat(target)
                    self.assertEqual((after.st_mode, after.st_mtime_ns),
                                     (before.st_mode, before.st_mtime_ns))
                    os.remove(target)
                self.notes(0, "--valgrind", valgrind)
                self.assertEqual(count(), tries)

    def test_a_directory_in_a_proofs_place_is_no_error(self):
        valgrind, count = self.counting("occupied")
        self.notes(0, "--valgrind", valgrind)
        proof = self.proof()
        os.remove(proof)
        os.mkdir(proof)
        for tries in (2, 3):
            self.notes(0, "--valgrind", valgrind)
            self.assertEqual(count(), tries)
            self.assertEqual((self.proof(), os.path.isdir(proof)), (proof, True))

    def test_a_cache_in_the_repository_does_not_count(self):
        valgrind, count = self.counting("inside")
        inside = os.path.join(self.repo, ".cache")
        for tries in (1, 2):
            self.notes(0, "--valgrind", valgrind, XDG_CACHE_HOME=inside)
            self.assertEqual(count(), tries)
        shutil.rmtree(inside, ignore_errors=True)

    def test_a_cache_that_cannot_be_used_is_no_error(self):
        valgrind, count = self.counting("unusable")
        places = [{"XDG_CACHE_HOME": "/dev/null"}, {"XDG_CACHE_HOME": "/proc/cache"},
                  {"XDG_CACHE_HOME": "", "HOME": ""},
                  {"XDG_CACHE_HOME": "relative"}]
        for tries, places_env in enumerate(places, 1):
            with self.subTest(env=places_env):
                home = {"HOME": "/proc/none", **places_env}
                notes, _ = self.notes(0, "--valgrind", valgrind, **home)
                self.assertEqual(([kind for kind, _ in notes], count()), (["proved"], tries))
        self.assertFalse(os.path.exists(os.path.join(self.repo, "relative")))

    # --- what stops it ---

    def test_who_stops_the_canary_stops_all(self):
        begun = os.path.join(self.scratch, "begun")
        fake = self.fake("hangs", f"echo $$ >{shlex.quote(begun)}\nexec sleep 600\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                if os.path.exists(begun):
                    os.remove(begun)
                ran = os.path.join(self.scratch, "ran")
                command = self.command("run", "--valgrind", fake, "--", "touch", ran)
                with subprocess.Popen(command, cwd=self.repo, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      encoding="utf-8",
                                      env=environment(XDG_CACHE_HOME=self.cache)) as gate:
                    end = time.monotonic() + WAIT
                    while not os.path.exists(begun) and time.monotonic() < end:
                        time.sleep(0.02)
                    gate.send_signal(number)
                    said, _ = gate.communicate(timeout=WAIT)
                self.assertEqual(gate.returncode, 3, said)
                self.assertIn("told to stop", said)
                self.assertFalse(os.path.exists(ran))
                with open(begun, encoding="utf-8") as pid:
                    self.assertFalse(os.path.exists("/proc/" + pid.read().strip()))


if __name__ == "__main__":
    Selftest.grindgate, Selftest.canary = (os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
