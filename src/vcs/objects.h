/*
 * Objects: raw git objects by id, read through libgit2's object database.
 *
 * A walk reads the same few trees and blobs again and again (a parent's are the next child's), so
 * those read last are kept, within a fixed number of bytes: two generations, the older of which is
 * dropped whole when the younger is full. An object that is not there, is damaged or is too large
 * is an error that says what to do, never an empty answer.
 */
#ifndef GG_VCS_OBJECTS_H
#define GG_VCS_OBJECTS_H

#include <git2.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "grindgate/error.h"

#define GG_ID_SIZE sizeof(git_oid)

/* Larger objects are not read: no source file is, and a small pack can hold a huge one. */
#define GG_OBJECT_LIMIT ((size_t)64 * 1024 * 1024)

struct gg_generation {
    struct gg_map by_id;
    git_odb_object **objects;
    size_t count, cap, bytes;
};

struct gg_objects {
    git_odb *odb;
    struct gg_generation young, old;
    /* A file of the work tree that stands for a blob nobody has written; borrowed. */
    git_oid pretended;
    struct gg_str pretended_text;
};

/* An object at hand; give it back with gg_object_release. Zeroed: none. */
struct gg_object {
    struct gg_str text;
    git_odb_object *handle;
};

static inline bool gg_id_eq(const git_oid *a, const git_oid *b)
{
    return memcmp(a->id, b->id, GG_ID_SIZE) == 0;
}

void gg_objects_init(struct gg_objects *objects, git_odb *odb);
void gg_objects_free(struct gg_objects *objects);

bool gg_objects_read(struct gg_objects *objects, const git_oid *id, git_object_t type,
                     struct gg_object *object, struct gg_error *err);
void gg_object_release(struct gg_object *object);

/* The length of a blob. */
bool gg_objects_size(struct gg_objects *objects, const git_oid *id, size_t *size,
                     struct gg_error *err);

#endif
