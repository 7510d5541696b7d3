/*
 * Progress: what is going on, on standard error, while it takes long.
 *
 * On a terminal one line that changes, from the third second on, and gone before anything else is
 * printed or a signal ends grindgate; on a terminal that a program prints to as well it has the
 * last row (statusrow.h). Where a line cannot change (a log, a dumb terminal) one line a minute, or
 * every ten seconds with --progress=always.
 *
 *     grindgate: 3 min: 120 of 200 tests, 2 running, 14 errors so far, about 2 min left
 *
 * What is decided and what is said are functions of what is known, without a clock or a terminal.
 */
#ifndef GG_CLI_PROGRESS_H
#define GG_CLI_PROGRESS_H

#include "base/out.h"
#include "cli/opt.h"
#include "cli/statusrow.h"
#include "grindgate/grindgate.h"

/* The words of --progress, in their order. */
enum gg_progress_when { GG_PROGRESS_AUTO, GG_PROGRESS_ALWAYS, GG_PROGRESS_NEVER };

enum gg_progress_style {
    GG_PROGRESS_NONE,
    GG_PROGRESS_LINES,  /* now and then a line that stays */
    GG_PROGRESS_STATUS, /* a line that changes, where the cursor is */
    GG_PROGRESS_ROW     /* the same on the last row */
};

struct gg_progress_view {
    enum gg_progress_when when;
    bool quiet;
    bool terminal; /* standard error is one, and can erase a line */
    bool shared;   /* the program that is run writes to standard error, too */
    /* times by gg_proc_now */
    long long begun;
    long long next;    /* when the next line of those that stay is due */
    long long painted; /* when the line that changes was, last */
    struct gg_statusrow row;
};

/* How to say what goes on; `row`: the terminal has one to spare. */
enum gg_progress_style gg_progress_style(const struct gg_progress_view *view, bool row);

/* Milliseconds between the lines that stay. */
long long gg_progress_interval(const struct gg_progress_view *view);

/* "45 s", "3 min", "3 min 12 s", "1 h 5 min" */
void gg_progress_time(struct gg_out *out, long long ms);

/* The line without its end, after `elapsed` milliseconds. */
void gg_progress_line(struct gg_out *out, const struct gg_progress *progress, long long elapsed);

/* From now on time counts; `shared` as above. */
struct gg_progress_view gg_progress_begin(const struct gg_opts *opts, bool shared);

/* gg_options.progress; `self` is the view. */
void gg_progress_tell(void *self, const struct gg_progress *progress);

/* Takes the line that changes off the terminal. */
void gg_progress_end(struct gg_progress_view *view);

#endif
