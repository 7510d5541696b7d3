"""Children that end without a whole report, while the program itself ends well."""

import shutil

from world import Skip, way


@way("child-killed")
def child_killed(case):
    return case.run("./program", "kills-child")


@way("daemon-left-behind")
def daemon_left_behind(case):
    run = case.start_run("./program", "leaves-a-daemon")
    case.stop(case.hear_pid(run))
    return case.finish(run)


@way("child-without-a-report")
def child_without_a_report(case):
    return case.run("./program", "forks-where-no-file-can-be-made", options=["--keep", "kept"])


@way("child-in-a-root-of-its-own")
def child_in_a_root_of_its_own(case):
    case.as_root()
    return case.run("./program", "forks-in-a-root-of-its-own")


@way("child-of-another-machine")
def child_of_another_machine(case):
    """The script runs it and goes on, as scripts without set -e do."""
    shutil.copy(case.path("program"), case.path("foreign"))
    with open(case.path("foreign"), "r+b") as elf:
        elf.seek(18)
        elf.write(b"\x08\x00")
    return case.run("/bin/sh", "-c", "./foreign clean; ./program clean")


@way("static-child")
def static_child(case):
    case.build("int main(void) { return 0; }\n", "-static", name="static")
    return case.run("/bin/sh", "-c", "./static; ./program clean")


@way("child-skipped")
def child_skipped(case):
    return case.run("/bin/sh", "-c", "./program error; true",
                    options=["--valgrind-arg=--trace-children-skip=*/program"])


@way("setuid-child")
def setuid_child(case):
    case.as_root()
    shutil.copy(case.path("program"), case.path("setuid"))
    shutil.chown(case.path("setuid"), 65534, 65534)
    case.mode("setuid", 0o4755)
    return case.run("/bin/sh", "-c", "./setuid error; true")


@way("child-in-a-container")
def child_in_a_container(case):
    """A root in which there is no valgrind to go on with."""
    case.as_root()
    if not shutil.which("chroot"):
        raise Skip("there is no chroot")
    return case.run("chroot", ".", "./program", "clean")
