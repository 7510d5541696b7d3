/*
 * Gitrepo: real repositories for unit tests, made by real git in a directory of their own.
 *
 *     TestSuite(repo, .init = scratch_begin, .fini = scratch_end);
 *     run("git init -q .; echo 1 > f; git add f; git commit -qm 1");
 *     struct gg_blame blame = ask(open_repo("."), "f", 1);
 *
 * The shell runs in the scratch directory with none of the user's configuration and with fixed
 * names and dates.
 */
#ifndef GG_TESTS_GITREPO_H
#define GG_TESTS_GITREPO_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "vcs/repo.h"

static struct gg_arena arena;
static struct gg_error err;
static char *scratch;

static void scratch_begin(void)
{
    static const char *const unset[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
                                        "GIT_CEILING_DIRECTORIES", "GIT_OBJECT_DIRECTORY"};
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        unsetenv(unset[i]);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_AUTHOR_NAME", "Ada Example", 1);
    setenv("GIT_AUTHOR_EMAIL", "ada@example.org", 1);
    setenv("GIT_AUTHOR_DATE", "1700000000 +0130", 1);
    setenv("GIT_COMMITTER_NAME", "Com Mitter", 1);
    setenv("GIT_COMMITTER_EMAIL", "com@example.org", 1);
    setenv("GIT_COMMITTER_DATE", "1700000001 +0000", 1);
    gg_arena_init(&arena);
    err = (struct gg_error){0};
    scratch = gg_fs_real(&arena, gg_fs_temp_dir(&arena, &err));
    cr_assert(scratch && chdir(scratch) == 0, "%s", err.text);
}

static void scratch_end(void)
{
    char *dir = strdup(scratch);
    gg_arena_free(&arena);
    cr_assert(chdir("/") == 0);
    gg_fs_remove_tree(dir);
    free(dir);
}

static inline void run(const char *format, ...)
{
    char script[8192];
    va_list args;
    va_start(args, format);
    int len = snprintf(script, sizeof script, "set -e; ");
    len += vsnprintf(script + len, sizeof script - (size_t)len, format, args);
    va_end(args);
    cr_assert((size_t)len < sizeof script);
    cr_assert(system(script) == 0, "failed: %s", script);
}

/* What a command prints, without the last line feed. */
static inline char *output_of(const char *command)
{
    char *text = gg_arena_alloc(&arena, 65536);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    size_t len = fread(text, 1, 65535, pipe);
    cr_assert(pclose(pipe) == 0, "failed: %s", command);
    if (len && text[len - 1] == '\n')
        text[len - 1] = '\0';
    return text;
}

static inline struct gg_repo *open_repo(const char *dir)
{
    struct gg_repo *repo = gg_repo_open(&arena, dir, &err);
    cr_assert(repo, "%s", err.text);
    return repo;
}

/* The answer for one line. */
static inline struct gg_blame ask(struct gg_repo *repo, const char *path, uint32_t line)
{
    struct gg_attributor attributor = gg_repo_attributor(repo);
    struct gg_blame_query query = {.path = path, .line = line};
    cr_assert(attributor.attribute(attributor.self, &query, 1, &err), "%s", err.text);
    attributor.close(attributor.self);
    return query.answer;
}

#endif
