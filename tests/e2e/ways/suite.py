"""A CTest suite whose tests did not run, or not under valgrind."""

import os
import signal

from world import way


def suite(case, *lines):
    """A build directory whose tests are as a project that calls enable_testing() has them."""
    os.makedirs(case.path("build"), exist_ok=True)
    with open(case.path("build", "CTestTestfile.cmake"), "w", encoding="utf-8") as out:
        out.write("\n".join((*lines, "")))


def test(case, name, *command, **properties):
    words = " ".join(f'"{word}"' for word in command)
    listed = " ".join(f'{key} "{value}"' for key, value in properties.items())
    line = f"add_test({name} {words})"
    if listed:
        line += f"\nset_tests_properties({name} PROPERTIES {listed})"
    return line.replace("./", case.root + "/")


def run(case, *ctest, options=()):
    return case.do(*case.command("run", "--no-selftest", *options, "--ctest", "build",
                                 *(["--", *ctest] if ctest else [])))


@way("ctest-no-build-directory")
def ctest_no_build_directory(case):
    return run(case)


@way("ctest-no-tests")
def ctest_no_tests(case):
    os.mkdir(case.path("build"))
    return run(case)


@way("ctest-no-test-declared")
def ctest_no_test_declared(case):
    suite(case, "# no test")
    return run(case)


@way("ctest-no-test-selected")
def ctest_no_test_selected(case):
    suite(case, test(case, "one", "./program", "clean"))
    return run(case, "-R", "no-such-test")


@way("ctest-not-built")
def ctest_not_built(case):
    suite(case, test(case, "one", "./program", "clean"), test(case, "two", "./missing"))
    return run(case)


@way("ctest-all-disabled")
def ctest_all_disabled(case):
    suite(case, test(case, "one", "./program", "clean", DISABLED="TRUE"))
    return run(case)


@way("ctest-skipped")
def ctest_skipped(case):
    suite(case, test(case, "one", "./program", "clean"),
          test(case, "two", "./program", "fails", SKIP_RETURN_CODE="7"))
    return run(case)


@way("ctest-all-skipped")
def ctest_all_skipped(case):
    suite(case, test(case, "one", "./program", "fails", SKIP_RETURN_CODE="7"))
    return run(case)


@way("ctest-fixture-fails")
def ctest_fixture_fails(case):
    suite(case, test(case, "setup", "./program", "fails", FIXTURES_SETUP="f"),
          test(case, "one", "./program", "clean", FIXTURES_REQUIRED="f"))
    return run(case)


@way("ctest-test-fails")
def ctest_test_fails(case):
    suite(case, test(case, "one", "./program", "clean"), test(case, "two", "./program", "fails"))
    return run(case)


@way("ctest-test-timed-out")
def ctest_test_timed_out(case):
    suite(case, test(case, "one", "./program", "waits", TIMEOUT="1"))
    return run(case, options=["--timeout-factor", "1"])


@way("ctest-program-is-empty")
def ctest_program_is_empty(case):
    case.write("nothing", "", 0o755)
    suite(case, test(case, "one", "./program", "clean"), test(case, "two", "./nothing"))
    return run(case)


@way("ctest-only-listed")
def ctest_only_listed(case):
    suite(case, test(case, "one", "./program", "clean"))
    return run(case, "-N")


@way("ctest-suite-timed-out")
def ctest_suite_timed_out(case):
    suite(case, test(case, "one", "./program", "waits"))
    return run(case, options=["--timeout", "2"])


@way("ctest-only-a-launcher")
def ctest_only_a_launcher(case):
    suite(case, test(case, "one", "/bin/sh", "-c", ":"), test(case, "two", "/bin/sh", "-c", "true"))
    return run(case)


@way("ctest-not-under-valgrind")
def ctest_not_under_valgrind(case):
    return run_without_valgrind(case, "--valgrind", "/opt/valgrind/bin/valgrind")


def run_without_valgrind(case, *options):
    suite(case, test(case, "one", "./program", "clean"))
    return run(case, options=options)


@way("ctest-test-killed")
def ctest_test_killed(case):
    suite(case, test(case, "one", "/bin/sh", "-c", "./program waits > pid"))
    process = case.start(*case.command("run", "--no-selftest", "--ctest", "build"))
    pid = case.until(lambda: case.read("build/pid") if os.path.exists(case.path("build/pid"))
                     else b"")
    os.kill(int(pid), signal.SIGKILL)
    return case.finish(process)


@way("ctest-killed")
def ctest_killed(case):
    """CTest itself, while a test runs."""
    suite(case, test(case, "one", "/bin/sh", "-c", "./program waits > pid"))
    process = case.start(*case.command("run", "--no-selftest", "--ctest", "build"))
    pid = int(case.until(lambda: case.read("build/pid") if os.path.exists(case.path("build/pid"))
                         else b""))
    case.stop(pid)
    case.kill_ancestor(pid, "ctest")
    return case.finish(process)


@way("ctest-stopped")
def ctest_stopped(case):
    suite(case, test(case, "one", "/bin/sh", "-c", "./program waits > pid"))
    case.without_launcher()
    process = case.start(*case.command("run", "--no-selftest", "--ctest", "build"))
    case.until(lambda: os.path.exists(case.path("build/pid")) and case.read("build/pid"))
    process.send_signal(signal.SIGTERM)
    return case.finish(process)
