/*
 * Inbox: the directory in which valgrind's files appear, each given a name of its own at once.
 *
 * valgrind names a report after the process alone and empties a file that is already there. So a
 * program that becomes another one (exec), a pid that is used again and one that recurs in another
 * namespace of pids would each wipe out a report. Every new PID.xml is renamed to PID-N.xml, N
 * counting from 1 for each pid: its writer goes on writing to it, and the next one makes a file of
 * its own. The log, of one name for all, is renamed in the same way.
 *
 * What can be proved: inotify tells everything in order, so that a report which a second writer
 * opened before it was renamed is known by its second opening, or by the second closing. Two
 * openings with nothing between them count as one; between those of exec valgrind opens its log,
 * and two processes of one pid that start in the same moment close at different ones.
 */
#ifndef GG_CAPTURE_INBOX_H
#define GG_CAPTURE_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/* "4711-2.xml": the second image of process 4711; "4711.xml": number 0, not renamed yet. */
struct gg_image {
    uint64_t pid, number;
};

/* false: it is no report's name. */
bool gg_image_parse(const char *name, struct gg_image *image);

/* Is it a log's: "valgrind.log" or "valgrind-2.log"? */
bool gg_image_is_log(const char *name);

struct gg_inbox {
    struct gg_arena *arena;
    int directory, events;     /* descriptors; poll `events`; -1: none */
    int watch;                 /* of inotify; -1: none */
    struct gg_map files;       /* by name */
    size_t reports;            /* renamed so far */
    GG_VEC(const char *) made; /* new names of all reports that came, in the order they came */
    const char *unsure;        /* why a report may be lost, or is; NULL: none is */
};

/* Before valgrind starts. Where the directory cannot be watched, `unsure` says why. */
void gg_inbox_open(struct gg_inbox *inbox, struct gg_arena *arena, const char *path);

/* Renames what has come. Never waits. */
void gg_inbox_sort(struct gg_inbox *inbox);

/* Sorts, looks through the directory once more, removes empty logs and closes. */
void gg_inbox_close(struct gg_inbox *inbox);

#endif
