"""The program, or grindgate itself, is stopped before its time."""

import os
import signal

from world import way


@way("killed-from-outside")
def killed_from_outside(case):
    run = case.start_run("./program", "waits")
    os.kill(case.hear_pid(run), signal.SIGKILL)
    return case.finish(run)


@way("killed-by-itself")
def killed_by_itself(case):
    return case.run("./program", "kills-itself")


@way("terminated-from-outside")
def terminated_from_outside(case):
    run = case.start_run("./program", "waits")
    os.kill(case.hear_pid(run), signal.SIGTERM)
    return case.finish(run)


@way("program-aborts")
def program_aborts(case):
    return case.run("./program", "aborts")


@way("timeout")
def timeout(case):
    return case.run("./program", "waits", options=["--timeout", "1"])


@way("timeout-of-the-deaf")
def timeout_of_the_deaf(case):
    return case.run("./program", "hangs", options=["--timeout", "1"])


@way("reports-too-large")
def reports_too_large(case):
    return case.run("./program", "storms", options=["--max-report-size", "20k"])


@way("interrupted")
def interrupted(case):
    """A ^C, which the terminal sends to all of its processes."""
    case.without_launcher()
    run = case.start_run("./program", "waits", session=True)
    case.hear_pid(run)
    os.killpg(run.pid, signal.SIGINT)
    return case.finish(run)


@way("told-to-stop")
def told_to_stop(case):
    case.without_launcher()
    run = case.start_run("./program", "waits")
    case.hear_pid(run)
    run.send_signal(signal.SIGTERM)
    return case.finish(run)


@way("told-to-stop-ignored")
def told_to_stop_ignored(case):
    """The program handles the signal that grindgate passes on, and ends well."""
    case.without_launcher()
    run = case.start_run("./program", "handles-term")
    case.hear_pid(run)
    run.send_signal(signal.SIGTERM)
    return case.finish(run)


def killed_wrap(case, group):
    """A wrap that is killed while the program waits; what it left is checked."""
    wrap = case.start(*case.command("wrap", "--dir", "reports", "--", "./program", "waits"),
                      session=True)
    pid = case.hear_pid(wrap)
    case.stop(pid)
    if group:
        os.killpg(wrap.pid, signal.SIGKILL)
    else:
        wrap.send_signal(signal.SIGKILL)
    case.finish(wrap)
    return case.check("reports")


@way("wrap-killed")
def wrap_killed(case):
    case.without_launcher()
    return killed_wrap(case, group=False)


@way("group-killed")
def group_killed(case):
    return killed_wrap(case, group=True)


@way("killed-in-the-leak-check")
def killed_in_the_leak_check(case):
    """The program says its number when it ends; walking through its heap takes a while."""
    run = case.start_run("./program", "hoards", options=["--keep", "kept"])
    pid = case.hear_pid(run)
    report = case.find("kept/2*-*/*-1.xml")
    case.until(lambda: b"<state>FINISHED" in case.read(report))
    os.kill(pid, signal.SIGKILL)
    return case.finish(run)


@way("program-fails")
def program_fails(case):
    return case.run("./program", "fails")
