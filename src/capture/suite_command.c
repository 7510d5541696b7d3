#include "capture/suite_command.h"

#include "base/fs.h"
#include "capture/suite_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct words {
    struct gg_arena *arena;
    GG_VEC(const char *) list;
};

static void add(struct words *words, const char *word)
{
    *gg_vec_push(words->arena, &words->list) = word;
}

/* --- what was asked for ----------------------------------------------------------------- */

static bool check_build(struct gg_arena *arena, struct gg_suite *suite, struct gg_error *err)
{
    const char *name = suite->options->ctest;
    struct stat st;
    suite->build = gg_fs_real(arena, name);
    if (!suite->build || stat(suite->build, &st) != 0 || !S_ISDIR(st.st_mode)) {
        gg_error_set(err,
                     "--ctest %s: is no directory: build the project first (cmake -S . -B %s && "
                     "cmake --build %s)",
                     name, name, name);
        return false;
    }
    if (access(gg_fs_join(arena, suite->build, "CTestTestfile.cmake"), R_OK) != 0) {
        gg_error_set(err,
                     "--ctest %s: holds no CTestTestfile.cmake: name the build directory of a "
                     "project that calls enable_testing(), and configure it with cmake",
                     name);
        return false;
    }
    return true;
}

/* What would lead CTest elsewhere, or its results. */
static bool check_arguments(const struct gg_suite *suite, struct gg_error *err)
{
    static const char *const own[] = {"--test-dir", "--output-junit"};
    for (const char *const *arg = suite->options->command; arg && *arg; arg++) {
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            size_t len = strlen(own[i]);
            if (strncmp(*arg, own[i], len) == 0 && ((*arg)[len] == '\0' || (*arg)[len] == '=')) {
                gg_error_set(err, "%s: grindgate gives ctest that itself: %s", own[i],
                             i ? "for a JUnit file say -o junit:FILE"
                               : "the directory is that of --ctest");
                return false;
            }
        }
    }
    return true;
}

bool gg_suite_check(struct gg_arena *arena, struct gg_suite *suite, struct gg_error *err)
{
    return check_build(arena, suite, err) && check_arguments(suite, err);
}

/* --- the launcher ----------------------------------------------------------------------- */

static const char *absolute(struct gg_arena *arena, const char *path)
{
    const char *real = gg_fs_real(arena, path);
    return real ? real : path;
}

/* A test may have a PATH of its own, without valgrind in it. */
static const char *valgrind_program(struct gg_arena *arena, const char *name)
{
    const char *path = strchr(name, '/') ? name : gg_fs_in_path(arena, name);
    if (!path)
        return name;
    return path[0] == '/' ? path : absolute(arena, path);
}

/* Each test has a working directory of its own. */
static const char *valgrind_arg(struct gg_arena *arena, const char *arg)
{
    static const char name[] = "--suppressions=";
    if (strncmp(arg, name, strlen(name)) != 0)
        return arg;
    return gg_arena_printf(arena, "%s%s", name, absolute(arena, arg + strlen(name)));
}

const char *const *gg_suite_launcher(struct gg_arena *arena, const struct gg_suite *suite,
                                     const char *runs)
{
    const struct gg_options *options = suite->options;
    struct words words = {.arena = arena};
    add(&words, options->launcher);
    add(&words, "wrap");
    add(&words, "--no-config");
    add(&words, "--dir");
    add(&words, runs);
    if (suite->root) { /* a test may be run outside of it */
        add(&words, "--repo");
        add(&words, suite->root);
    }
    add(&words, "--valgrind");
    add(&words, valgrind_program(arena, options->valgrind));
    add(&words, "--max-report-size");
    add(&words, gg_arena_printf(arena, "%" PRIu64, options->max_report_size));
    for (const char *const *arg = options->valgrind_args; arg && *arg; arg++) {
        add(&words, "--valgrind-arg");
        add(&words, valgrind_arg(arena, *arg));
    }
    add(&words, NULL);
    return words.list.at;
}

/* --- ctest ------------------------------------------------------------------------------ */

/* The user's own arguments, but that a timeout is for the tests as they are. */
static void add_arguments(struct words *words, const struct gg_options *options)
{
    static const char name[] = "--timeout";
    for (const char *const *arg = options->command; arg && *arg; arg++) {
        bool timeout = strncmp(*arg, name, strlen(name)) == 0;
        const char *behind = timeout ? *arg + strlen(name) : "";
        if (timeout && behind[0] == '=') {
            add(words,
                gg_arena_printf(words->arena, "%s=%s", name,
                                gg_suite_scale(words->arena, behind + 1, options->timeout_factor)));
            continue;
        }
        add(words, *arg);
        if (timeout && !behind[0] && arg[1])
            add(words, gg_suite_scale(words->arena, *++arg, options->timeout_factor));
    }
}

const char *const *gg_suite_command(struct gg_arena *arena, const struct gg_suite *suite)
{
    struct words words = {.arena = arena};
    add(&words, "ctest");
    add(&words, "--test-dir");
    add(&words, suite->shadow);
    add(&words, "--output-junit");
    add(&words, suite->results);
    if (suite->options->jobs) {
        add(&words, "-j");
        add(&words, gg_arena_printf(arena, "%u", suite->options->jobs));
    }
    add_arguments(&words, suite->options);
    add(&words, NULL);
    return words.list.at;
}
