/*
 * Scene: a work tree of real files, frames as a reader hands them over, and the stage run on them.
 */
#ifndef TESTS_LOCATE_SCENE_H
#define TESTS_LOCATE_SCENE_H

#include "locate/locate.h"
#include "tree.h"

struct scene {
    struct gg_arena arena;
    struct gg_atoms atoms;
    struct gg_frames frames;
    char *dir;  /* the test's own */
    char *root; /* dir/checkout */
    struct gg_worktree worktree;
    struct gg_locate_options options;
    struct gg_error err;
};

/* `tracked`, sorted, ends with NULL; a file of ten lines is written for each name without "!" in
 * front, which stands for a tracked file that is not there. */
void scene_open(struct scene *scene, const char *const *tracked);
void scene_close(struct scene *scene);

/* A frame; NULL leaves an element out. A dir that begins with "@" is the root, "@/src" below it. */
struct gg_frame *scene_frame(struct scene *scene, const char *object, const char *function,
                             const char *dir, const char *file, unsigned line);

/* A frame of function f, line 1, of the program /tmp/prog. */
struct gg_frame *scene_source(struct scene *scene, const char *dir, const char *file);

/* Runs the stage without findings; fails the test when it refuses. */
void scene_locate(struct scene *scene);

/* The frame has this path and is own, or, for NULL, has none and is not. */
#define expect_path(frame, expected)                                            \
    do {                                                                        \
        const char *wanted = (expected);                                        \
        if (wanted)                                                             \
            cr_expect_str_eq((frame)->path ? (frame)->path : "(none)", wanted); \
        else                                                                    \
            cr_expect_null((frame)->path, "path is %s", (frame)->path);         \
        cr_expect_eq((frame)->zone == GG_ZONE_OWN, wanted != NULL);             \
    } while (0)

#define TRACKED(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
