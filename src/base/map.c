#include "base/map.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t seed(void)
{
    static uint64_t value;
    if (value == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t where = (uint64_t)(uintptr_t)&value;
        value = mix((uint64_t)now.tv_nsec ^ 0x9e3779b97f4a7c15u, where ^ (uint64_t)getpid()) | 1;
    }
    return value;
}

uint64_t gg_hash(const void *key, size_t len)
{
    const unsigned char *bytes = key;
    uint64_t hash = seed() ^ len;
    for (; len >= 8; bytes += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = mix(hash ^ word, 0xa0761d6478bd642fu);
    }
    uint64_t tail = 0;
    if (len)
        memcpy(&tail, bytes, len);
    hash = mix(hash ^ tail, 0xe7037ed1a0b428dbu);
    return hash ? hash : 1;
}

/* The slot that holds the key, or the empty one where it belongs. */
static struct gg_map_slot *probe(const struct gg_map *map, uint64_t hash, const void *key,
                                 size_t len)
{
    size_t mask = map->cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct gg_map_slot *slot = &map->slots[i];
        if (slot->hash == 0)
            return slot;
        if (slot->hash == hash && slot->len == len &&
            (len == 0 || memcmp(slot->key, key, len) == 0))
            return slot;
    }
}

void **gg_map_find_hashed(const struct gg_map *map, uint64_t hash, const void *key, size_t len)
{
    if (map->cap == 0)
        return NULL;
    struct gg_map_slot *slot = probe(map, hash, key, len);
    return slot->hash ? &slot->value : NULL;
}

void **gg_map_find(const struct gg_map *map, const void *key, size_t len)
{
    return map->cap ? gg_map_find_hashed(map, gg_hash(key, len), key, len) : NULL;
}

static void grow(struct gg_map *map)
{
    struct gg_map bigger = {.cap = map->cap ? map->cap * 2 : 64, .count = map->count};
    bigger.slots = gg_alloc(bigger.cap * sizeof *bigger.slots);
    for (size_t i = 0; i < map->cap; i++) {
        const struct gg_map_slot *slot = &map->slots[i];
        if (slot->hash)
            *probe(&bigger, slot->hash, slot->key, slot->len) = *slot;
    }
    free(map->slots);
    *map = bigger;
}

void **gg_map_put(struct gg_map *map, const void *key, size_t len)
{
    if ((map->count + 1) * 3 > map->cap * 2)
        grow(map);
    uint64_t hash = gg_hash(key, len);
    struct gg_map_slot *slot = probe(map, hash, key, len);
    if (slot->hash == 0) {
        *slot = (struct gg_map_slot){.hash = hash, .key = key, .len = len};
        map->count++;
    }
    return &slot->value;
}

void gg_map_free(struct gg_map *map)
{
    free(map->slots);
    *map = (struct gg_map){0};
}
