#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE (64u * 1024u)
#define ALIGNMENT _Alignof(max_align_t)

struct gg_arena_block {
    struct gg_arena_block *next;
    size_t size;
    max_align_t data[];
};

struct gg_arena_closer {
    struct gg_arena_closer *next;
    void (*close)(void *);
    void *object;
};

static void out_of_memory(void)
{
    static const char text[] = "grindgate: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    abort();
}

void *gg_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *gg_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void gg_arena_init(struct gg_arena *arena)
{
    *arena = (struct gg_arena){0};
}

static void *new_block(struct gg_arena *arena, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct gg_arena_block))
        out_of_memory();
    struct gg_arena_block *block = calloc(1, sizeof *block + size);
    if (!block)
        out_of_memory();
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->data;
}

/* A large object gets a block of its own, put behind the current one so that its room stays. */
static void *large_object(struct gg_arena *arena, size_t size)
{
    struct gg_arena_block *current = arena->blocks;
    void *memory = new_block(arena, size);
    if (current) {
        struct gg_arena_block *block = arena->blocks;
        block->next = current->next;
        current->next = block;
        arena->blocks = current;
    } else {
        arena->used = size;
    }
    return memory;
}

void *gg_arena_alloc(struct gg_arena *arena, size_t size)
{
#ifdef GG_ARENA_MALLOC
    return large_object(arena, size ? size : 1);
#else
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > BLOCK_SIZE / 4)
        return large_object(arena, size);
    if (!arena->blocks || arena->blocks->size - arena->used < size) {
        new_block(arena, BLOCK_SIZE);
        arena->used = 0;
    }
    void *memory = (char *)arena->blocks->data + arena->used;
    arena->used += size;
    return memory;
#endif
}

char *gg_arena_strndup(struct gg_arena *arena, const char *ptr, size_t len)
{
    char *copy = gg_arena_alloc(arena, len + 1);
    if (len)
        memcpy(copy, ptr, len);
    return copy;
}

char *gg_arena_strdup(struct gg_arena *arena, const char *text)
{
    return gg_arena_strndup(arena, text, strlen(text));
}

char *gg_arena_printf(struct gg_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = gg_arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
    if (len > 0)
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

void gg_arena_defer(struct gg_arena *arena, void (*close)(void *), void *object)
{
    struct gg_arena_closer *closer = gg_arena_alloc(arena, sizeof *closer);
    *closer = (struct gg_arena_closer){.next = arena->closers, .close = close, .object = object};
    arena->closers = closer;
}

void gg_arena_free(struct gg_arena *arena)
{
    for (struct gg_arena_closer *closer = arena->closers; closer; closer = closer->next)
        closer->close(closer->object);
    for (struct gg_arena_block *block = arena->blocks; block;) {
        struct gg_arena_block *next = block->next;
        free(block);
        block = next;
    }
    gg_arena_init(arena);
}
