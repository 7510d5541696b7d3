/*
 * Arena: memory that lives as long as a session.
 *
 * Everything a session learns is allocated here and freed in one call. Foreign objects
 * (parser contexts, compiled patterns, git handles) are tied to it with gg_arena_defer and
 * closed in reverse order. Out of memory is the one failure nobody can answer: the arena
 * then writes one line to standard error and aborts, so a run can never pass by accident.
 *
 * Configured with GG_ARENA_MALLOC, each allocation is a malloc of its own, so that ASan and
 * valgrind see the bounds and the lifetime of every object.
 */
#ifndef GG_BASE_ARENA_H
#define GG_BASE_ARENA_H

#include <stddef.h>

struct gg_arena_block;
struct gg_arena_closer;

struct gg_arena {
    struct gg_arena_block *blocks;
    struct gg_arena_closer *closers;
    size_t used; /* bytes handed out in the newest block */
};

void gg_arena_init(struct gg_arena *arena);

/* Runs the deferred closers, newest first, then frees all memory. The arena can be used again. */
void gg_arena_free(struct gg_arena *arena);

/* Zeroed memory of `size` bytes, aligned for any object. Never NULL. */
void *gg_arena_alloc(struct gg_arena *arena, size_t size);

/* A copy of `len` bytes followed by a NUL. */
char *gg_arena_strndup(struct gg_arena *arena, const char *ptr, size_t len);
char *gg_arena_strdup(struct gg_arena *arena, const char *text);
char *gg_arena_printf(struct gg_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Calls close(object) when the arena is freed. */
void gg_arena_defer(struct gg_arena *arena, void (*close)(void *), void *object);

/* malloc, realloc for memory with a life of its own; abort like the arena when there is none. */
void *gg_alloc(size_t size);
void *gg_realloc(void *old, size_t size);

#endif
