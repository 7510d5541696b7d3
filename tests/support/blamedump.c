/*
 * Blamedump: the attribution engine by itself, for the tests that compare it with git.
 *
 *     blamedump [DIR] < SITES
 *
 * Reads one PATH:LINE a line and writes one line each, in their order, fields separated by tabs:
 * state, commit, original line, line, original path, path, author, email, time, minutes east of
 * UTC, summary (of what is no commit: why).
 */
#include "base/str.h"
#include "base/vec.h"
#include "vcs/repo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const char *value)
{
    return value ? value : "";
}

static void print(const struct gg_blame_query *query)
{
    static const char *const states[] = {"none", "commit", "uncommitted", "boundary", "unknown"};
    const struct gg_blame *blame = &query->answer;
    printf("%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\t%s\t%s\t%" PRId64 "\t%d\t%s\n",
           states[blame->state], blame->commit, blame->orig_line, query->line,
           text(blame->orig_path), query->path, text(blame->author_name), text(blame->author_email),
           blame->time, blame->offset, blame->why ? blame->why : text(blame->summary));
}

int main(int argc, char **argv)
{
    struct gg_arena arena;
    struct gg_error err = {0};
    GG_VEC(struct gg_blame_query) queries = {0};
    char *line = NULL;
    size_t cap = 0;
    gg_arena_init(&arena);
    for (ssize_t len; (len = getline(&line, &cap, stdin)) > 0;) {
        uint64_t number = 0;
        char *colon = strrchr(line, ':');
        if (!colon || !gg_str_u64(gg_str_trim(gg_str(colon + 1)), false, &number))
            continue;
        struct gg_blame_query *query = gg_vec_push(&arena, &queries);
        query->path = gg_arena_strndup(&arena, line, (size_t)(colon - line));
        query->line = (uint32_t)number;
    }
    free(line);
    struct gg_repo *repo = gg_repo_open(&arena, argc > 1 ? argv[1] : NULL, &err);
    struct gg_attributor attributor = {0};
    if (repo)
        attributor = gg_repo_attributor(repo);
    bool ok = repo && attributor.attribute(attributor.self, queries.at, queries.len, &err);
    if (!ok)
        fprintf(stderr, "blamedump: %s\n", err.text);
    for (size_t i = 0; i < queries.len && ok; i++)
        print(&queries.at[i]);
    if (repo)
        attributor.close(attributor.self);
    gg_arena_free(&arena);
    return ok ? 0 : 1;
}
