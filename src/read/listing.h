/*
 * Listing: which inputs a name on the command line stands for.
 */
#ifndef GG_READ_LISTING_H
#define GG_READ_LISTING_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

struct gg_listed {
    const char *path;    /* to open; "-" is standard input */
    const char *name;    /* how reports call it */
    const char *failure; /* why it cannot be read; NULL: it can */
    bool recorded;       /* a directory with a record: one kept run */
};

struct gg_listing {
    struct gg_listed *at;
    size_t len, cap;
    struct gg_map files; /* (device, inode) of what is listed */
    const char *record;  /* the name of the file that makes a directory a kept run; NULL: none */
    bool (*is_run)(const char *name); /* is this how a kept run's directory is called? or NULL */
};

/* Adds a file, standard input, or every kept run and every *.xml below a directory, in the order of
 * names; what is in a kept run's directory belongs to it. What is not there, or a directory without
 * a report, is added with its failure; so is a directory that is called like a kept run's and has
 * no record, before the reports in it. A file that is in the list already is not added again; links
 * are followed. gg_map_free(&listing->files) when done. */
void gg_listing_add(struct gg_arena *arena, struct gg_listing *listing, const char *path);

#endif
