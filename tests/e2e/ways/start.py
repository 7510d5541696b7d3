"""valgrind does not start, or cannot check the program."""

import os

from world import way


@way("no-valgrind")
def no_valgrind(case):
    os.mkdir(case.path("bin"))
    os.symlink("/bin/sh", case.path("bin", "sh"))
    case.env["PATH"] = case.path("bin")
    return case.run("./program", "clean")


@way("valgrind-is-missing")
def valgrind_is_missing(case):
    return case.run("./program", "clean", options=["--valgrind", "/opt/valgrind/bin/valgrind"])


@way("valgrind-is-another-program")
def valgrind_is_another_program(case):
    other = case.script("other", "echo GNU Valiant 1.0")
    return case.run("./program", "clean", options=["--valgrind", other])


@way("valgrind-only-says-its-version")
def valgrind_only_says_its_version(case):
    """A wrapper that hands on the question, and then runs the program alone."""
    other = case.script("other", 'test "$1" = --version && exec valgrind --version',
                        'while test "$1" != --; do shift; done', "shift", 'exec "$@"')
    return case.run("./program", "clean", options=["--valgrind", other])


@way("valgrind-is-not-whole")
def valgrind_is_not_whole(case):
    broken = case.script("broken", "VALGRIND_LIB=/nowhere exec valgrind \"$@\"")
    return case.run("./program", "clean", options=["--valgrind", broken])


@way("no-suppression-file")
def no_suppression_file(case):
    return case.run("./program", "clean",
                    options=["--valgrind-arg=--suppressions=missing.supp"])


@way("bad-suppression-file")
def bad_suppression_file(case):
    case.write("bad.supp", "{\n   a name and nothing else\n}\n")
    return case.run("./program", "clean", options=["--valgrind-arg=--suppressions=bad.supp"])


@way("unknown-option")
def unknown_option(case):
    return case.run("./program", "clean", options=["--valgrind-arg=--no-such-option"])


@way("refused-option")
def refused_option(case):
    return case.run("./program", "clean", options=["--valgrind-arg=--leak-check=no"])


@way("nothing-to-run")
def nothing_to_run(case):
    return case.run()


@way("program-not-found")
def program_not_found(case):
    return case.run("./missing")


@way("program-not-in-path")
def program_not_in_path(case):
    return case.run("program", "clean")


@way("program-not-executable")
def program_not_executable(case):
    os.chmod(case.path("program"), 0o644)
    return case.run("./program", "clean")


@way("program-is-a-directory")
def program_is_a_directory(case):
    os.mkdir(case.path("tests"))
    return case.run("./tests")


@way("program-is-empty")
def program_is_empty(case):
    case.write("nothing", "", 0o755)
    return case.run("./nothing")


@way("script-without-interpreter")
def script_without_interpreter(case):
    case.write("test", "#!/nowhere/sh\nexit 0\n", 0o755)
    return case.run("./test")


@way("program-of-another-machine")
def program_of_another_machine(case):
    """The program, as if it were for a 64-bit MIPS."""
    with open(case.path("program"), "r+b") as elf:
        elf.seek(18)
        elf.write(b"\x08\x00")
    return case.run("./program", "clean")


@way("static-program")
def static_program(case):
    return case.run(case.build("int main(void) { return 0; }\n", "-static"))


@way("no-debug-information")
def no_debug_information(case):
    return case.run(case.build("#include <stdlib.h>\nvoid *volatile p;\n"
                               "int main(void) { p = malloc(9); p = 0; return 0; }\n", "-g0"))


@way("setuid-program")
def setuid_program(case):
    case.as_root()
    os.chown(case.path("program"), 65534, 65534)
    os.chmod(case.path("program"), 0o4755)
    return case.run("./program", "clean")


@way("no-memory-for-valgrind")
def no_memory_for_valgrind(case):
    case.without_launcher()
    return case.run_in("ulimit -v 120000", "./program", "clean")


@way("out-of-memory")
def out_of_memory(case):
    case.without_launcher()
    return case.run_in("ulimit -v 1000000", "./program", "wants-too-much")


@way("no-directory-for-reports")
def no_directory_for_reports(case):
    case.without_launcher()
    case.env["TMPDIR"] = case.path("missing")
    return case.run("./program", "clean")


@way("directory-not-writable")
def directory_not_writable(case):
    case.without_launcher()
    if os.geteuid() == 0:
        case.env["TMPDIR"] = "/proc"
    else:
        os.mkdir(case.path("closed"), 0o500)
        case.env["TMPDIR"] = case.path("closed")
    return case.run("./program", "clean")


@way("directory-name-too-long")
def directory_name_too_long(case):
    deep = case.path(*["d" * 200] * 5)
    os.makedirs(deep)
    case.env["TMPDIR"] = deep
    return case.run("./program", "clean")
