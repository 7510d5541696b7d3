/*
 * Seams: where grindgate is meant to be extended. Each implementation is one `const struct` at the
 * end of its file and one line in a table: readers in read/readers.c, writers in write/writers.c.
 */
#ifndef GRINDGATE_SEAMS_H
#define GRINDGATE_SEAMS_H

#include "grindgate/error.h"
#include "grindgate/model.h"

struct gg_collate;
struct gg_input;
struct gg_out;

/* Understands one kind of report. */
struct gg_reader {
    const char *name;
    /* How sure it is from the first bytes (up to 4096) of the input: 0 not mine, 100 certain.
     * The highest bid reads. */
    int (*bid)(const char *bytes, size_t len);
    /* Reads to the end. What is damaged becomes a run's `end` and notes, with everything that was
     * whole kept; false only when the input itself could not be read (I/O). */
    bool (*read)(struct gg_input *input, struct gg_collate *collate, struct gg_error *err);
};

struct gg_write_options {
    bool color;     /* terminal colours; text only */
    unsigned width; /* columns; 0: do not fold */
    bool quiet;     /* text: the verdict only */
    bool verbose;   /* text: also findings that are not open, with their stacks */
};

/* Writes one format. The report is finished and not to be changed; content never fails. */
struct gg_writer {
    const char *name;    /* as in -o NAME */
    const char *suffix;  /* usual end of a file's name, ".json" */
    const char *summary; /* for --help, without a full stop */
    void (*write)(const struct gg_report *report, const struct gg_verdict *verdict,
                  const struct gg_write_options *options, struct gg_out *out);
};

/* One line asked about and its answer. */
struct gg_blame_query {
    const char *path; /* repository-relative, bytes as git has them */
    uint32_t line;    /* 1-based, in the work tree */
    struct gg_blame answer;
};

/* Says who wrote lines. All lines are asked at once, so that one walk can answer them. */
struct gg_attributor {
    void *self;
    /* Fills every answer; what cannot be told is GG_BLAME_UNKNOWN with a reason. false only when
     * no answer could be given at all. */
    bool (*attribute)(void *self, struct gg_blame_query *queries, size_t count,
                      struct gg_error *err);
    void (*close)(void *self);
};

#endif
