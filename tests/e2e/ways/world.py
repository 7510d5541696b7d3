"""What the cases of completeness.py stand on: a repository with a program, and grindgate."""

import contextlib
import glob
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 120  # seconds; a case that takes them has failed
WAYS = {}  # id: function, in the order of the files


class Skip(Exception):
    """Why a case cannot be had on this machine."""


def way(name):
    """Enters a function as the case of the row of this id."""
    def enter(function):
        assert name not in WAYS, name
        WAYS[name] = function
        return function
    return enter


def environment(root):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GIT_", "GITHUB_", "GITLAB_", "CI_", "GRINDGATE_", "VALGRIND"))}
    env.update(HOME=root, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
               GIT_CEILING_DIRECTORIES=root, LC_ALL="C.UTF-8",
               XDG_CACHE_HOME=os.path.join(root, "cache"))
    return env


class Said:
    """What grindgate printed, on both streams, and its exit status."""

    def __init__(self, status, text):
        self.status, self.text = status, text


class World:
    """A repository that every case gets a copy of, and the grindgate that is tested."""

    def __init__(self, grindgate, scratch):
        self.grindgate = grindgate
        self.root = os.path.realpath(scratch)
        self.env = environment(self.root)
        self.launcher = shlex.split(os.environ.get("GG_LAUNCHER", ""))
        self.origin = os.path.join(self.root, "origin")
        os.mkdir(self.origin)
        shutil.copy(os.path.join(HERE, "program.c"), self.origin)
        self.put("script", "#!/bin/sh\nexec ./program \"$@\"\n")
        for command in ("git init --quiet --template= .", "git add .",
                        "git -c user.name=Ann -c user.email=ann@example.org commit --quiet -m Add",
                        "cc -g -pthread -ffile-prefix-map=.=. -o program program.c"):
            subprocess.run(shlex.split(command), cwd=self.origin, env=self.env, check=True)

    def put(self, name, text):
        path = os.path.join(self.origin, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755)

    def case(self):
        return Case(self)


class Case:
    """One run in a copy of the repository."""

    def __init__(self, world):
        self.world = world
        self.env = dict(world.env)
        self.base = tempfile.mkdtemp(dir=world.root)
        os.chmod(self.base, 0o755)
        self.root = os.path.join(self.base, "repo")
        shutil.copytree(world.origin, self.root)
        self.stack = contextlib.ExitStack()

    def close(self):
        self.stack.close()
        shutil.rmtree(self.base, ignore_errors=True)

    # --- files ---

    def path(self, *names):
        return os.path.join(self.root, *names)

    def write(self, name, text="", mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(self.path(name), mode)
        return name

    def script(self, name, *lines):
        return "./" + self.write(name, "\n".join(("#!/bin/sh", *lines, "")), 0o755)

    def build(self, source, *options, name="built"):
        self.write("built.c", source)
        done = subprocess.run(["cc", "-g", *options, "-o", name, "built.c"], cwd=self.root,
                              env=self.env, capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise Skip("the compiler cannot build this: " + done.stderr.strip().splitlines()[-1])
        return "./" + name

    def mode(self, name, mode):
        os.chmod(self.path(name), mode)

    def read(self, name):
        with open(self.path(name), "rb") as content:
            return content.read()

    @staticmethod
    def until(condition):
        """What becomes true, maybe after a while."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            result = condition()
            if result:
                return result
            time.sleep(0.01)
        raise AssertionError("it does not happen")

    def find(self, pattern):
        """The only file of this name."""
        return self.until(lambda: glob.glob(self.path(pattern)))[0]

    # --- commands ---

    def git(self, *words):
        return self.do("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *words,
                       expect=0)

    def commit(self, *files):
        self.git("add", *files)
        self.git("commit", "--quiet", "-m", "More")

    def command(self, *words):
        return [*self.world.launcher, self.world.grindgate, *words]

    def run_words(self, options, program):
        return ["run", "--no-selftest", *options, "--", *program]

    def do(self, *command, expect=None, cwd=None, stdin=""):
        """Runs a command to its end."""
        done = subprocess.run(command, cwd=cwd or self.root, env=self.env, input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                              encoding="utf-8", errors="replace", check=False)
        assert expect is None or done.returncode == expect, f"{command}: {done.stdout}"
        return Said(done.returncode, done.stdout)

    def run(self, *program, options=(), **kwargs):
        return self.do(*self.command(*self.run_words(options, program)), **kwargs)

    def run_in(self, prefix, *program, options=()):
        """Runs grindgate in a shell, after some commands of it."""
        command = shlex.join(self.command(*self.run_words(options, program)))
        return self.do("sh", "-c", f"{prefix}; exec {command}")

    def wrap(self, *program, options=(), directory="reports"):
        return self.do(*self.command("wrap", *options, "--dir", directory, "--", *program))

    def check(self, *reports, options=(), **kwargs):
        return self.do(*self.command("check", *options, *reports), **kwargs)

    def valgrind(self, *words, cwd=None):
        return self.do("valgrind", "-q", *words, cwd=cwd)

    # --- commands that something happens to ---

    def start(self, *command, session=False):
        process = self.stack.enter_context(subprocess.Popen(
            command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
            start_new_session=session))
        self.stack.callback(self.end, process)
        return process

    def start_run(self, *program, options=(), session=False):
        return self.start(*self.command(*self.run_words(options, program)), session=session)

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()

    def stop(self, pid):
        """Ends a process of the case when it is over."""
        def kill():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.stack.callback(kill)

    @staticmethod
    def kill_ancestor(pid, name):
        """Kills the process of this name that this one descends from."""
        while pid > 1:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                left, _, right = stat.read().rpartition(")")
            if left.partition("(")[2] == name:
                os.kill(pid, signal.SIGKILL)
                return
            pid = int(right.split()[1])
        raise AssertionError(f"there is no {name}")

    @staticmethod
    def hear_pid(process):
        """A program's first line, which is its number."""
        return int(process.stdout.readline())

    @staticmethod
    def finish(process):
        text = process.communicate(timeout=PATIENCE)[0]
        return Said(process.returncode, text)

    def without_launcher(self):
        if self.world.launcher:
            raise Skip("what happens would happen to the launcher of grindgate")

    def as_root(self):
        if os.geteuid() != 0:
            raise Skip("only root can do this")
