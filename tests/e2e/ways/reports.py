"""Reports that are lost, spoilt, or not of this run."""

import glob
import os
import shutil
import signal
import subprocess
import time

from world import Skip, way

KEEP = ("--keep", "kept")


@way("report-directory-removed")
def report_directory_removed(case):
    return case.run("/bin/sh", "-c", "rm -rf kept; ./program clean", options=KEEP)


@way("report-removed")
def report_removed(case):
    return case.run("./program", "removes-its-report", options=KEEP)


@way("report-truncated")
def report_truncated(case):
    return case.run("./program", "truncates-its-report", options=KEEP)


@way("directory-for-a-report")
def directory_for_a_report(case):
    return case.run("./program", "replaces-its-report", options=KEEP)


@way("pipe-for-a-report")
def pipe_for_a_report(case):
    return case.run("./program", "leaves-a-pipe", options=KEEP)


def disk(case, size):
    """A small file system of its own, mounted where reports will go."""
    os.mkdir(case.path("disk"))
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none",
                           case.path("disk")], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Skip("no file system can be mounted: " + done.stderr.strip())
    case.stack.callback(subprocess.run, ["umount", "--lazy", case.path("disk")], check=True)


@way("disk-full")
def disk_full(case):
    disk(case, "64k")
    case.env["TMPDIR"] = case.path("disk")
    return case.run("./program", "leaks")


@way("disk-full-at-once")
def disk_full_at_once(case):
    case.without_launcher()
    disk(case, "8k")
    with open(case.path("disk", "full"), "wb", buffering=0) as full:
        try:
            full.write(b"x" * 65536)
        except OSError:
            pass
    case.env["TMPDIR"] = case.path("disk")
    return case.run("./program", "clean")


@way("file-size-limited")
def file_size_limited(case):
    return case.run("/bin/sh", "-c", "ulimit -f 2; exec ./program leaks")


@way("report-of-another-run")
def report_of_another_run(case):
    """A report of yesterday lies among those of today."""
    case.valgrind("--xml=yes", "--xml-file=old.xml", "./program", "clean")
    return case.run("/bin/sh", "-c", "cd kept/2* && cp ../../old.xml 4-1.xml", options=KEEP)


@way("report-of-another-process")
def report_of_another_process(case):
    return case.run("/bin/sh", "-c", "cd kept/2* && cp $$-1.xml 4-1.xml", options=KEEP)


@way("program-built-anew")
def program_built_anew(case):
    case.wrap("./program", "error")
    case.do("cc", "-g", "-O1", "-pthread", "-o", "program", "program.c", expect=0)
    return case.check("reports")


@way("program-without-a-build-id-built-anew")
def program_without_a_build_id_built_anew(case):
    """Nothing but its time tells."""
    built = case.build("int main(void) { return 0; }\n", "-Wl,--build-id=none")
    case.wrap(built)
    later = time.time() + 5
    os.utime(case.path("built"), (later, later))
    return case.check("reports")


@way("run-at-another-commit")
def run_at_another_commit(case):
    """The program was not built anew, and does not change with the commit."""
    case.wrap("./program", "error", options=["--test", "yesterday"])
    case.write("other.c", "int other;\n")
    case.commit("other.c")
    return case.check("reports")


@way("expected-runs-at-another-commit")
def expected_runs_at_another_commit(case):
    """As many as are expected, and today nothing was run."""
    for name in ("one", "two"):
        case.wrap("./program", "clean", options=["--test", name])
    case.write("other.c", "int other;\n")
    case.commit("other.c")
    return case.check("reports", options=["--expect", "2"])


@way("kept-directory-emptied")
def kept_directory_emptied(case):
    case.run("./program", "clean", options=KEEP)
    for report in glob.glob(case.path("kept/2*/*.xml")):
        os.remove(report)
    return case.check("kept")


@way("kept-record-spoilt")
def kept_record_spoilt(case):
    case.wrap("./program", "clean")
    with open(case.find("reports/2*/run.json"), "w", encoding="utf-8") as record:
        record.write("{")
    return case.check("reports")


@way("kept-record-gone")
def kept_record_gone(case):
    case.wrap("./program", "clean")
    os.remove(case.find("reports/2*/run.json"))
    return case.check("reports")


@way("wrap-of-what-is-not-there")
def wrap_of_what_is_not_there(case):
    case.wrap("./missing")
    return case.check("reports")


@way("wrap-without-valgrind")
def wrap_without_valgrind(case):
    case.wrap("./program", "clean", options=["--valgrind", "/opt/valgrind/bin/valgrind"])
    return case.check("reports")


@way("wrapped-program-killed")
def wrapped_program_killed(case):
    wrap = case.start(*case.command("wrap", "--dir", "reports", "--", "./program", "waits"))
    os.kill(case.hear_pid(wrap), signal.SIGKILL)
    case.finish(wrap)
    return case.check("reports")


@way("wrapped-program-timed-out")
def wrapped_program_timed_out(case):
    case.wrap("./program", "waits", options=["--timeout", "1"])
    return case.check("reports")


@way("manifest-not-written")
def manifest_not_written(case):
    os.makedirs(case.path("kept", "manifest.json"))
    return case.run("./program", "clean", options=KEEP)


@way("reports-moved")
def reports_moved(case):
    """Half of what wrap left did not reach the machine that judges."""
    case.wrap("./program", "forks")
    shutil.copytree(case.path("reports"), case.path("copied"))
    reports = sorted(glob.glob(case.path("copied/2*/*-1.xml")))
    os.remove(reports[-1])
    return case.check("copied")
