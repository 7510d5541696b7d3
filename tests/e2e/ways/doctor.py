"""Reports that are whole, but of what nobody asked for, or with options that hide errors."""

from world import way


@way("only-a-launcher")
def only_a_launcher(case):
    return case.run("/bin/sh", "-c", "true")


@way("only-a-launcher-of-its-own")
def only_a_launcher_of_its_own(case):
    """The script looks for tests, and finds none."""
    case.write("run-tests", "#!/bin/sh\nfor test in ./no-tests/*; do\n"
               "    test -x \"$test\" || continue\n    \"$test\"\ndone\n", 0o755)
    return case.run("./run-tests")


@way("expected-more-runs")
def expected_more_runs(case):
    return case.run("./program", "clean", options=["--expect", "2"])


@way("canary-not-found")
def canary_not_found(case):
    return case.run("./program", "clean", options=["--require-kind", "InvalidRead"])


def given(case, *options, program=("clean",)):
    case.valgrind("--xml=yes", "--xml-file=%p.xml", *options, "./program", *program)
    return case.check(".")


@way("given-leak-kinds-hidden")
def given_leak_kinds_hidden(case):
    return given(case, "--show-leak-kinds=none")


@way("given-xtree-leak")
def given_xtree_leak(case):
    return given(case, "--leak-check=full", "--xtree-leak=yes",
                 "--xtree-leak-file=leaks.kcg", program=("leaks",))


def blind(case):
    """A valgrind that is configured not to tell of invalid reads."""
    case.write("all.supp", "".join(f"{{\n   size {size}\n   Memcheck:Addr{size}\n   ...\n"
                                   "   fun:main\n}\n" for size in (1, 2, 4, 8)))
    return case.script("blind", f'exec valgrind --suppressions={case.path("all.supp")} "$@"')


@way("selftest-not-proved")
def selftest_not_proved(case):
    return case.do(*case.command("selftest", "--valgrind", blind(case)))


@way("run-not-proved")
def run_not_proved(case):
    return case.do(*case.command("run", "--valgrind", blind(case), "--", "./program", "clean"))
