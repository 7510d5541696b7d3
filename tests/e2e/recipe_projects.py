"""The projects that recipes.py tries the recipes of docs/recipes.md on."""

GOOD = """
    free(malloc(3));
"""
LEAK = """
    void *volatile block = malloc(9); // expect: Leak_DefinitelyLost
    block = NULL;
"""
READ = """
    volatile char *block = (char *)malloc(9);
    int value = block[9]; // expect: InvalidRead
    free((void *)block);
"""
BODIES = {"good": GOOD, "leak": LEAK, "read": READ + "    (void)value;\n", "fail": "\n"}
NAMES = " ".join(BODIES)


def programs(**ends):
    """A C program for each body; the one that fails ends with 3."""
    return {f"{name}.c": "#include <stdlib.h>\n\nint main(void)\n{" + body +
            f"    return {ends.get(name, 0)};\n}}\n" for name, body in BODIES.items()}


MAINS = programs(fail=3)

MESON = {**MAINS, "meson.build": """project('tiny', 'c')
foreach name : ['good', 'leak', 'read', 'fail']
  test(name, executable(name, name + '.c'))
endforeach
"""}

AUTOMAKE = {
    **MAINS,
    "library.c": "int zero(void);\nint zero(void)\n{\n    return 0;\n}\n",
    "shared.c": """#include <stdlib.h>

int zero(void);

int main(void)
{
    volatile char *block = (char *)malloc(9);
    block[9] = 1; // expect: InvalidWrite
    free((void *)block);
    return zero();
}
""",
    "script.sh": "#!/bin/sh\n./good && ./read\n",
    "configure.ac": """AC_INIT([tiny], [1])
AM_INIT_AUTOMAKE([foreign])
AM_PROG_AR
AC_PROG_CC
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""",
    "Makefile.am": """lib_LTLIBRARIES = libtiny.la
libtiny_la_SOURCES = library.c
check_PROGRAMS = good leak read fail shared
shared_LDADD = libtiny.la
TESTS = $(check_PROGRAMS) script.sh
TEST_EXTENSIONS = .sh
"""}

# Without libtool, which takes its time to be configured.
AUTOMAKE_SERIAL = {
    **MAINS,
    "script.sh": AUTOMAKE["script.sh"],
    "configure.ac": """AC_INIT([tiny], [1])
AM_INIT_AUTOMAKE([foreign serial-tests])
AC_PROG_CC
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""",
    "Makefile.am": f"""check_PROGRAMS = {NAMES}
TESTS = $(check_PROGRAMS) script.sh
"""}

AUTOMAKE_BUILD = ["chmod +x script.sh", "autoreconf --install", "mkdir build",
                  "cd build && ../configure CFLAGS=-g", "make -C build",
                  "make -C build check TESTS="]

MAKE = {**MAINS, "Makefile": f"""CFLAGS = -g
TESTS = {NAMES}
all: $(TESTS)
"""}

GOOGLETEST = {"tests.cc": """#include <cstdlib>
#include <gtest/gtest.h>
""" + "".join(f"\nTEST(Tiny, {name})\n{{{body}}}\n" for name, body in BODIES.items()
              if name != "fail") + """
TEST(Tiny, fail)
{
    EXPECT_EQ(1, 2);
}

TEST(TinyDeathTest, dies)
{
    EXPECT_DEATH(abort(), "");
}

TEST(TinyDeathTest, ends)
{
    EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}
"""}

CRITERION = {"tests.c": """#include <criterion/criterion.h>
#include <stdlib.h>
""" + "".join(f"\nTest(tiny, {name})\n{{{body}}}\n" for name, body in BODIES.items()
              if name != "fail") + """
Test(tiny, fail)
{
    cr_assert(0);
}
"""}

CHECK = {"tests.c": """#include <check.h>
#include <stdlib.h>
""" + "".join(f"\nSTART_TEST(test_{name})\n{{{body}" +
              ("    ck_abort_msg(\"no\");\n" if name == "fail" else "") + "}\nEND_TEST\n"
              for name, body in BODIES.items()) + """
int main(void)
{
    Suite *suite = suite_create("tiny");
    TCase *tests = tcase_create("all");
""" + "".join(f"    tcase_add_test(tests, test_{name});\n" for name in BODIES) + """
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_VERBOSE);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
"""}

CMOCKA = {"tests.c": """#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
""" + "".join(f"\nstatic void test_{name}(void **state)\n{{\n    (void)state;{body}" +
              ("    assert_true(0);\n" if name == "fail" else "") + "}\n"
              for name, body in BODIES.items()) + """
int main(void)
{
    const struct CMUnitTest tests[] = {
""" + "".join(f"        cmocka_unit_test(test_{name}),\n" for name in BODIES) + """    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""}

PYTEST = {
    "tiny.c": """#include <Python.h>
#include <stdlib.h>

static PyObject *good(PyObject *self, PyObject *none)
{
    (void)self, (void)none;""" + GOOD + """    Py_RETURN_NONE;
}

static PyObject *leak(PyObject *self, PyObject *none)
{
    (void)self, (void)none;""" + LEAK + """    Py_RETURN_NONE;
}

/* Past the end of a small object of Python's. */
static PyObject *peek(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    PyObject *bytes = PyBytes_FromStringAndSize("abc", 3);
    volatile char *text = PyBytes_AsString(bytes);
    int value = text[4]; // expect: InvalidRead
    Py_DECREF(bytes);
    return PyLong_FromLong(value & 0);
}

static PyMethodDef methods[] = {{"good", good, METH_NOARGS, NULL},
                                {"leak", leak, METH_NOARGS, NULL},
                                {"peek", peek, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "tiny", NULL, -1, methods,
                                    NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_tiny(void)
{
    return PyModule_Create(&module);
}
""",
    "test_tiny.py": """import tiny


def test_good():
    tiny.good()


def test_leak():
    tiny.leak()


def test_peek():
    assert tiny.peek() == 0


def test_fail():
    assert tiny is None
""",
    "pytest.ini": "[pytest]\naddopts = -rA -p no:cacheprovider\n"}

CARGO = {
    "Cargo.toml": "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2018\"\n",
    "src/lib.rs": """/// ```
/// assert_eq!(tiny::one(), 1);
/// ```
pub fn one() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    #[test]
    fn good() {
        drop(vec![1, 2, 3]);
    }

    #[test]
    fn leak() {
        let mut block = Box::into_raw(Box::new([7u8; 9])); // expect: Leak_DefinitelyLost
        unsafe { std::ptr::write_volatile(&mut block, std::ptr::null_mut()) };
    }

    #[test]
    fn fail() {
        assert_eq!(1, 2);
    }
}
""",
    "tests/whole.rs": """#[test]
fn read() {
    let block = vec![7u8; 9];
    let value = unsafe { std::ptr::read_volatile(block.as_ptr().add(9)) }; // expect: InvalidRead
    assert!(value != 200 || block.len() == 9);
    assert_eq!(tiny::one(), 1);
}
"""}

SHELL = {**MAINS, "tests.sh": f"""#!/bin/bash
status=0
for test in {NAMES}; do
    if ./$test; then
        echo "ok $test"
    else
        echo "not ok $test"
        status=1
    fi
done
exit $status
"""}

CMAKE = {**MAINS, "CMakeLists.txt": f"""cmake_minimum_required(VERSION 3.22)
project(tiny C)
set(CMAKE_C_FLAGS -g)
enable_testing()
foreach(name {NAMES})
  add_executable(${{name}} ${{name}}.c)
  add_test(NAME ${{name}} COMMAND ${{name}})
endforeach()
"""}


def compile_tests(source, flags):
    compiler = "c++ -std=c++17" if source.endswith("cc") else "cc"
    return ["mkdir build", f"{compiler} -g -o build/my_tests {source} {flags}"]


class Recipe:
    """How to try a recipe.

    needs    commands that fail where the runner is not there, and what to say then
    files    of the project
    build    commands
    plain    the runner's command without wrap
    results  a pattern: what the runner says of a test; None: nothing
    tests    names that findings carry, by kind; None: none
    """

    def __init__(self, needs, files, build, plain, results, tests=None):
        self.needs, self.files, self.build = needs, files, build
        self.plain, self.results, self.tests = plain, results, tests


def link(header, library):
    """Can a program be built with a library?"""
    compiler = "c++ -x c++" if header.startswith("gtest") else "cc -x c"
    return f"printf '#include <{header}>\\nint main(void) {{ return 0; }}\\n' | " \
        f"{compiler} -o /dev/null - {library}"


CK = "$(pkg-config --cflags --libs check)"
CMOCKA_INCLUDES = "setjmp.h>\\n#include <stdarg.h>\\n#include <stddef.h>\\n#include <stdint.h>\\n" \
    "#include <cmocka.h"
BUILT = "for name in " + NAMES + "; do cc -g -o $name $name.c || exit; done"
GTEST_LINE = r"^\[ +(OK|FAILED) +\] (\w+\.\w+) \("
BOTH = {"Leak_DefinitelyLost": ["my_tests"], "InvalidRead": ["my_tests"]}

RECIPES = {
    "meson": Recipe(["meson --version", "ninja --version"], MESON, ["meson setup build"],
                    "meson test -C build", r"^ *\d+/\d+ (\w+) +(OK|FAIL)"),
    "meson-setup": Recipe(["meson --version", "ninja --version"], MESON, ["meson setup build"],
                          "meson test -C build", r"^ *\d+/\d+ (\w+) +(OK|FAIL)"),
    "automake": Recipe(["automake --version", "libtoolize --version"], AUTOMAKE, AUTOMAKE_BUILD,
                       "make -C build check -j2", r"^(PASS|FAIL): (\S+)"),
    "automake-serial": Recipe(["automake --version"], AUTOMAKE_SERIAL, AUTOMAKE_BUILD,
                              "make -C build check",
                              r"^(PASS|FAIL): (\S+)"),
    "make": Recipe(["make --version"], MAKE, ["make"], "make -k -j2 check",
                   r"\[.*: check-(\w+)\] Error (\d+)"),
    "googletest": Recipe([link("gtest/gtest.h", "-lgtest -lpthread")], GOOGLETEST,
                         compile_tests("tests.cc", "-lgtest -lgtest_main -lpthread"),
                         "./build/my_tests", GTEST_LINE, BOTH),
    "googletest-shards": Recipe([link("gtest/gtest.h", "-lgtest -lpthread")], GOOGLETEST,
                                compile_tests("tests.cc", "-lgtest -lgtest_main -lpthread"),
                                "seq 0 3 | xargs -I '{}' env GTEST_TOTAL_SHARDS=4 "
                                "GTEST_SHARD_INDEX='{}' ./build/my_tests", GTEST_LINE,
                                # dealt out in turn, the two death tests first
                                {"Leak_DefinitelyLost": ["shard 3"], "InvalidRead": ["shard 0"]}),
    "criterion": Recipe([link("criterion/criterion.h", "-lcriterion")], CRITERION,
                        compile_tests("tests.c", "-lcriterion"), "./build/my_tests",
                        r"(\[FAIL\] tiny::\w+|Tested: .*)", BOTH),
    "check": Recipe([link("check.h", CK)], CHECK, compile_tests("tests.c", CK), "./build/my_tests",
                    r"^\S+:([PFE]):all:(\w+):", BOTH),
    "cmocka": Recipe([link(CMOCKA_INCLUDES, "-lcmocka")], CMOCKA,
                     compile_tests("tests.c", "-lcmocka"), "./build/my_tests",
                     r"^\[ +(OK|FAILED) +\] (\w+)$", BOTH),
    "pytest": Recipe(["python3 -m pytest --version", "python3-config --includes"], PYTEST,
                     ["cc -g -shared -fPIC $(python3-config --includes) "
                      "-o tiny$(python3-config --extension-suffix) tiny.c"],
                     "python3 -m pytest", r"^(PASSED|FAILED) (\S+)",
                     {"Leak_DefinitelyLost": ["pytest"], "InvalidRead": ["pytest"]}),
    "cargo": Recipe(["cargo --version", "rustc --version"], CARGO, ["cargo test --tests --no-run"],
                    "cargo test --tests --no-fail-fast", r"^test (\S+) \.\.\. (ok|FAILED)"),
    "shell": Recipe([], SHELL, [BUILT, "chmod +x tests.sh"], "./tests.sh", r"^(ok|not ok) (\w+)",
                    {"Leak_DefinitelyLost": ["tests.sh"], "InvalidRead": ["tests.sh"]}),
    "xargs": Recipe([], {f"test_{name}": text for name, text in MAINS.items()},
                    [BUILT.replace("$name", "test_$name"), "rm test_*.c"],
                    "printf '%s\\0' ./test_* | xargs -0 -P 4 -I '{}' env '{}'", None,
                    {"Leak_DefinitelyLost": ["./test_leak"], "InvalidRead": ["./test_read"]}),
    "cmake": Recipe(["cmake --version"], CMAKE, ["cmake -S . -B build", "cmake --build build"],
                    "ctest --test-dir build -j2", r"Test +#\d+: (\w+) \.+ *\**(Passed|Failed)"),
}
