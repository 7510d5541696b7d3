#include "gate/launcher.h"

#include "base/fs.h"
#include "base/str.h"

#include <string.h>

static const char *const launchers[] = {
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "busybox",
    "make",
    "gmake",
    "ctest",
    "cmake",
    "ninja",
    "meson",
    "samu",
    "bazel",
    "cargo",
    "libtool",
    "env",
    "timeout",
    "xargs",
    "nice",
    "nohup",
    "time",
    "stdbuf",
    "setsid",
    "sudo",
    "parallel",
    "run-parts",
    "xvfb-run",
    "dbus-run-session",
    "pytest",
    "py.test",
    "prove",
    "tox",
    "runtest",
    "grindgate",
    "grindgate-wrap",
};

static const char *const interpreters[] = {"python", "pypy", "perl",   "ruby",  "node",
                                           "php",    "lua",  "luajit", "tclsh", "guile"};

static bool is_among(struct gg_str name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (gg_str_is(name, list[i]))
            return true;
    }
    return false;
}

/* "python3.11" is python. */
static struct gg_str without_version(struct gg_str name)
{
    while (name.len > 1 && strchr("0123456789.-", name.ptr[name.len - 1]))
        name.len--;
    return name;
}

enum gg_launcher gg_launcher_of(const char *program)
{
    struct gg_str name = gg_str(gg_fs_basename(program)), plain = without_version(name);
    if (is_among(name, launchers, sizeof launchers / sizeof *launchers) ||
        is_among(plain, launchers, sizeof launchers / sizeof *launchers))
        return GG_LAUNCHER_ONLY;
    if (is_among(plain, interpreters, sizeof interpreters / sizeof *interpreters))
        return GG_LAUNCHER_INTERPRETER;
    return GG_LAUNCHER_NONE;
}

bool gg_launcher_is_system(const char *program)
{
    static const char *const places[] = {"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"};
    if (!strchr(program, '/'))
        return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (gg_str_starts(gg_str(program), places[i]))
            return true;
    }
    return false;
}
