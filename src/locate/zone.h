/*
 * Zone: what an object file or a source path says of whose code it is.
 */
#ifndef GG_LOCATE_ZONE_H
#define GG_LOCATE_ZONE_H

#include "base/str.h"

enum gg_object {
    GG_OBJECT_NONE,      /* the address belongs to no file */
    GG_OBJECT_TOOL,      /* valgrind and what it preloads */
    GG_OBJECT_RUNTIME,   /* libc, the loader, the compiler's runtime */
    GG_OBJECT_INSTALLED, /* below a directory of installed software */
    GG_OBJECT_OWN,       /* below the work tree */
    GG_OBJECT_OTHER
};

/* `root` is the work tree's, or empty. */
enum gg_object gg_zone_object(const char *object, struct gg_str root);

/* Is the absolute path below a directory of installed software? Nothing there is this
 * repository's, however its name ends. */
bool gg_zone_installed(struct gg_str path);

/* Is the normalised path a source of the C library or of the compiler's runtime? */
bool gg_zone_runtime_source(const char *path);

/* Is the function one that runs before main? */
bool gg_zone_start(const char *function);

/* Is the path the directory or below it? *rest, when not NULL, gets what follows. An empty
 * directory holds nothing. */
bool gg_zone_below(struct gg_str dir, struct gg_str path, struct gg_str *rest);

#endif
