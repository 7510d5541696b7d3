#include "write/snippet.h"

#include "write/view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 32 * 1024, LINE_MOST = 400, FILE_MOST = 64 * 1024 * 1024 };

static int by_place(const void *a, const void *b)
{
    const struct gg_snippet *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* The places wanted, sorted, each once. */
static void collect(struct gg_snippets *snippets, struct gg_arena *arena,
                    const struct gg_report *report, bool all)
{
    struct gg_snippet *at = gg_arena_alloc(arena, (report->finding_count + 1) * sizeof *at);
    size_t len = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        if (finding->has_site && (all || finding->fate == GG_OPEN))
            at[len++] = (struct gg_snippet){.path = finding->site.path, .line = finding->site.line};
    }
    qsort(at, len, sizeof *at, by_place);
    *snippets = (struct gg_snippets){.at = at};
    for (size_t i = 0; i < len; i++) {
        if (snippets->len == 0 || by_place(&at[snippets->len - 1], &at[i]) != 0)
            at[snippets->len++] = at[i];
    }
}

/* Opens a part of a path below a directory, closing the directory. */
static int step(int dir, const char *name, int flags)
{
    int fd = openat(dir, name, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    close(dir);
    return fd;
}

/* git never tracks what lies behind a symbolic link, so no part of the path may be one. */
static int open_source(struct gg_arena *arena, const char *root, const char *path)
{
    if (!gg_view_is_inside(path))
        return -1;
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct gg_str part, rest = gg_str(path);
    while (fd >= 0 && gg_str_cut(rest, '/', &part, &rest))
        fd = step(fd, gg_arena_strndup(arena, part.ptr, part.len), O_DIRECTORY);
    if (fd >= 0)
        fd = step(fd, gg_arena_strndup(arena, part.ptr, part.len), 0);
    struct stat st;
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A file being read line by line. */
struct source {
    int fd;
    size_t at, len, total;
    uint32_t number; /* of the line in `line` */
    size_t line_len;
    char line[LINE_MOST];
    char chunk[CHUNK];
};

static bool refill(struct source *source)
{
    ssize_t n;
    do {
        n = source->total < FILE_MOST ? read(source->fd, source->chunk, CHUNK) : 0;
    } while (n < 0 && errno == EINTR);
    source->at = 0;
    source->len = n > 0 ? (size_t)n : 0;
    source->total += source->len;
    return source->len > 0;
}

/* Takes the next line, keeping its first LINE_MOST bytes; false at the end. */
static bool next_line(struct source *source)
{
    bool any = false;
    source->line_len = 0;
    while (source->at < source->len || refill(source)) {
        any = true;
        const char *from = source->chunk + source->at;
        size_t rest = source->len - source->at;
        const char *end = memchr(from, '\n', rest);
        size_t len = end ? (size_t)(end - from) : rest;
        size_t room = LINE_MOST - source->line_len;
        memcpy(source->line + source->line_len, from, len < room ? len : room);
        source->line_len += len < room ? len : room;
        source->at += len + (end != NULL);
        if (end)
            break;
    }
    source->number += any;
    if (source->line_len && source->line[source->line_len - 1] == '\r')
        source->line_len--;
    return any;
}

/* Hands the current line to all snippets of at[from..to) around it. */
static void keep(struct gg_snippet *at, size_t from, size_t to, struct gg_arena *arena,
                 const struct source *source)
{
    struct gg_str copy = {NULL, source->line_len};
    for (size_t i = from; i < to && at[i].line <= source->number + GG_SNIPPET_AROUND; i++) {
        if (!copy.ptr)
            copy.ptr = gg_arena_strndup(arena, source->line, source->line_len);
        if (at[i].line_count == 0)
            at[i].first = source->number;
        at[i].lines[at[i].line_count++] = copy;
    }
}

/* Reads one file for the snippets at[from..to), which are sorted by line. */
static void read_file(struct gg_snippet *at, size_t from, size_t to, struct gg_arena *arena, int fd)
{
    struct source *source = gg_alloc(sizeof *source);
    source->fd = fd;
    while (from < to && next_line(source)) {
        while (from < to && (uint64_t)at[from].line + GG_SNIPPET_AROUND < source->number)
            from++;
        keep(at, from, to, arena, source);
    }
    free(source);
}

void gg_snippets_load(struct gg_snippets *snippets, struct gg_arena *arena,
                      const struct gg_report *report, bool all)
{
    *snippets = (struct gg_snippets){0};
    const char *root = report->repository.root;
    if (!root)
        return;
    collect(snippets, arena, report, all);
    for (size_t from = 0, to; from < snippets->len; from = to) {
        const char *path = snippets->at[from].path;
        for (to = from; to < snippets->len && strcmp(snippets->at[to].path, path) == 0;)
            to++;
        int fd = open_source(arena, root, path);
        if (fd < 0)
            continue;
        read_file(snippets->at, from, to, arena, fd);
        close(fd);
    }
}

const struct gg_snippet *gg_snippets_find(const struct gg_snippets *snippets,
                                          const struct gg_site *site)
{
    struct gg_snippet key = {.path = site->path, .line = site->line};
    if (snippets->len == 0)
        return NULL;
    const struct gg_snippet *found =
        bsearch(&key, snippets->at, snippets->len, sizeof key, by_place);
    bool holds = found && found->line_count && found->line >= found->first &&
                 found->line - found->first < found->line_count;
    return holds ? found : NULL;
}
