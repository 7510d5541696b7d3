/*
 * Snippet: the source lines around the sites of findings.
 *
 * All files are read once, before the first finding is written, and only the lines wanted are
 * kept. Only regular files below the repository's root are read; a path that passes a symbolic
 * link, which may lead out of it, is not. The lines are bytes of the file and untrusted.
 */
#ifndef GG_WRITE_SNIPPET_H
#define GG_WRITE_SNIPPET_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/model.h"

enum { GG_SNIPPET_AROUND = 2, GG_SNIPPET_LINES = 2 * GG_SNIPPET_AROUND + 1 };

struct gg_snippet {
    const char *path;
    uint32_t line;                         /* the site's */
    uint32_t first;                        /* number of lines[0] */
    unsigned line_count;                   /* 0: the file could not be read or is shorter */
    struct gg_str lines[GG_SNIPPET_LINES]; /* without line ends, cut when very long */
};

struct gg_snippets {
    struct gg_snippet *at; /* by path and line */
    size_t len;
};

/* Reads what the sites of open findings need, or of all when `all`. */
void gg_snippets_load(struct gg_snippets *snippets, struct gg_arena *arena,
                      const struct gg_report *report, bool all);

/* NULL when there is nothing to show. */
const struct gg_snippet *gg_snippets_find(const struct gg_snippets *snippets,
                                          const struct gg_site *site);

#endif
