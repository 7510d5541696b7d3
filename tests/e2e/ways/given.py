"""What grindgate check is given is no whole report, or not the one that was meant."""

import os
import signal

from world import way


@way("check-nothing")
def check_nothing(case):
    return case.check()


@way("check-a-missing-file")
def check_a_missing_file(case):
    return case.check("missing.xml")


@way("check-an-empty-file")
def check_an_empty_file(case):
    return case.check(case.write("empty.xml"))


@way("check-a-directory-without-reports")
def check_a_directory_without_reports(case):
    os.mkdir(case.path("reports"))
    return case.check("reports")


@way("check-an-unreadable-directory")
def check_an_unreadable_directory(case):
    """A link that leads nowhere, where a report should be."""
    os.mkdir(case.path("reports"))
    os.symlink("gone.xml", case.path("reports", "1.xml"))
    return case.check("reports")


@way("check-a-cut-report")
def check_a_cut_report(case):
    valgrind = case.start("valgrind", "-q", "--xml=yes", "--xml-file=cut.xml", "./program", "waits")
    pid = case.hear_pid(valgrind)
    os.kill(pid, signal.SIGKILL)
    case.finish(valgrind)
    return case.check("cut.xml")


@way("check-a-report-being-written")
def check_a_report_being_written(case):
    valgrind = case.start("valgrind", "-q", "--xml=yes", "--xml-file=now.xml", "./program", "waits")
    case.hear_pid(valgrind)
    return case.check("now.xml")


@way("check-a-report-of-two-processes")
def check_a_report_of_two_processes(case):
    case.valgrind("--xml=yes", "--xml-file=both.xml", "./program", "forks")
    return case.check("both.xml")


@way("check-a-report-written-over")
def check_a_report_written_over(case):
    """Parent and child, one after the other, in one file."""
    case.valgrind("--xml=yes", "--xml-file=both.xml", "--trace-children=yes", "./program",
                  "calls-system")
    return case.check("both.xml")


@way("check-untraced-children")
def check_untraced_children(case):
    """The program starts another one, which valgrind was not told to follow."""
    case.valgrind("--xml=yes", "--xml-file=%p.xml", "./program", "calls-system")
    return case.check(".")


@way("check-a-log")
def check_a_log(case):
    case.do("valgrind", "--log-file=valgrind.xml", "./program", "error")
    return case.check("valgrind.xml")


@way("check-xml-of-another-tool")
def check_xml_of_another_tool(case):
    case.write("CTestTestfile.cmake", "add_test(one ./program clean)\n")
    case.do("ctest", "--output-junit", "junit.xml", expect=0)
    return case.check("junit.xml")


def other_tool(case, tool):
    case.valgrind(f"--tool={tool}", "--xml=yes", f"--xml-file={tool}.xml", f"--{tool}-out-file=out",
                  "./program", "clean")
    return case.check(f"{tool}.xml")


@way("check-massif")
def check_massif(case):
    return other_tool(case, "massif")


@way("check-stopped-at-the-first-error")
def check_stopped_at_the_first_error(case):
    case.valgrind("--xml=yes", "--xml-file=first.xml", "--exit-on-first-error=yes",
                  "--error-exitcode=9", "./program", "error")
    return case.check("first.xml", options=["--fail-on", "never"])


@way("check-start-up-failed")
def check_start_up_failed(case):
    case.valgrind("--xml=yes", "--xml-file=start.xml", "--suppressions=missing.supp", "./program",
                  "clean")
    return case.check("start.xml")


@way("check-fewer-than-expected")
def check_fewer_than_expected(case):
    case.valgrind("--xml=yes", "--xml-file=one.xml", "./program", "clean")
    return case.check("one.xml", options=["--expect", "2"])


@way("check-two-of-three")
def check_two_of_three(case):
    """One of the names a shell was to replace was not there."""
    case.valgrind("--xml=yes", "--xml-file=one.xml", "./program", "clean")
    return case.check("one.xml", "two.*.xml")


@way("check-a-report-older-than-its-program")
def check_a_report_older_than_its_program(case):
    case.valgrind("--xml=yes", "--xml-file=old.xml", "./program", "error")
    case.do("cc", "-g", "-O1", "-pthread", "-o", "program", "program.c", expect=0)
    return case.check("old.xml")
