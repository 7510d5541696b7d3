"""What looks dangerous and is judged as it should be: the run is whole."""

import os
import shutil
import signal
import subprocess
import time

from world import Skip, way


@way("exec-of-itself")
def exec_of_itself(case):
    return case.run("./program", "execs-itself")


@way("exec-by-a-script")
def exec_by_a_script(case):
    return case.run("./script", "error")


@way("exec-of-a-script")
def exec_of_a_script(case):
    return case.run("./program", "execs-a-script")


@way("exec-that-fails")
def exec_that_fails(case):
    return case.run("./program", "execs-nothing")


@way("fork-without-exec")
def fork_without_exec(case):
    return case.run("./program", "forks")


@way("vfork-and-exec")
def vfork_and_exec(case):
    return case.run("./program", "vforks")


@way("vfork-without-exec")
def vfork_without_exec(case):
    return case.run("./program", "vforks-without-exec")


@way("posix-spawn")
def posix_spawn(case):
    return case.run("./program", "spawns")


@way("system")
def system(case):
    return case.run("./program", "calls-system")


@way("child-left-alone")
def child_left_alone(case):
    return case.run("./program", "calls-system",
                    options=["--valgrind-arg=--trace-children-skip=/bin/sh"])


@way("popen")
def popen(case):
    return case.run("./program", "calls-popen")


@way("session-of-its-own")
def session_of_its_own(case):
    return case.run("./program", "begins-a-session")


@way("child-outlives-briefly")
def child_outlives_briefly(case):
    return case.run("./program", "outlived-briefly")


@way("daemon-ends-quickly")
def daemon_ends_quickly(case):
    return case.run("./program", "leaves-a-daemon-briefly")


@way("all-descriptors-closed")
def all_descriptors_closed(case):
    return case.run("./program", "closes-all")


@way("exits-at-once")
def exits_at_once(case):
    return case.run("./program", "exits-at-once")


@way("threads-at-exit")
def threads_at_exit(case):
    return case.run("./program", "leaves-threads")


@way("signal-handled")
def signal_handled(case):
    run = case.start_run("./program", "handles-term")
    os.kill(case.hear_pid(run), signal.SIGTERM)
    return case.finish(run)


@way("crash")
def crash(case):
    return case.run("./program", "executes-code")


@way("clean")
def clean(case):
    return case.run("./program", "clean")


@way("environment-cleared")
def environment_cleared(case):
    return case.run("/bin/sh", "-c", "env -i ./program error")


@way("moved-to-a-directory")
def moved_to_a_directory(case):
    """valgrind's options in the directory a program changes to would hide its children."""
    os.mkdir(case.path("there"))
    case.write("there/.valgrindrc", "--trace-children=no\n")
    return case.run("/bin/sh", "-c", "cd there && ../program error")


@way("two-processes-of-one-number")
def two_processes_of_one_number(case):
    spaces = ["unshare", "--pid", "--fork"]
    if not shutil.which("unshare") or case.do(*spaces, "true").status != 0:
        raise Skip("namespaces of pids cannot be made here")
    both = "; ".join(f"{' '.join(spaces)} ./program {mode}" for mode in ("error", "clean"))
    return case.run("/bin/sh", "-c", both)


@way("history-is-shallow")
def history_is_shallow(case):
    case.git("commit", "--quiet", "--allow-empty", "-m", "Second")
    subprocess.run(["git", "clone", "--quiet", "--depth=1", "file://" + case.root,
                    case.path("..", "shallow")], env=case.env, check=True)
    return case.run("./program", "error", options=["--repo", case.path("..", "shallow")])


@way("text-behind-the-report")
def text_behind_the_report(case):
    """The report is whole before it."""
    case.valgrind("--xml=yes", "--xml-file=out.xml", "./program", "error")
    with open(case.path("out.xml"), "a", encoding="utf-8") as out:
        out.write("and more\n")
    return case.check("out.xml")


@way("program-touched")
def program_touched(case):
    """As a CI artifact is when it is unpacked: the same build all the same."""
    built = case.build("int main(void) { return 0; }\n", "-Wl,--build-id=sha1")
    case.wrap(built)
    later = time.time() + 5
    os.utime(case.path("built"), (later, later))
    return case.check("reports")


@way("message-amended")
def message_amended(case):
    """Another commit with the same files."""
    case.wrap("./program", "clean")
    case.git("commit", "--quiet", "--amend", "-m", "Add the program")
    return case.check("reports", options=["--expect", "1"])
