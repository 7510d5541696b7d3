/*
 * Map: a hash table from bytes to a pointer.
 *
 * Keys are borrowed: they must stay where they are while the map lives (put them in an arena
 * first). The hash is seeded per process, so a crafted report cannot force long probes; nothing
 * may depend on the order of slots, which is why there is no iteration.
 */
#ifndef GG_BASE_MAP_H
#define GG_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gg_map_slot {
    uint64_t hash; /* 0: empty */
    const void *key;
    size_t len;
    void *value;
};

struct gg_map {
    struct gg_map_slot *slots;
    size_t count, cap;
};

uint64_t gg_hash(const void *key, size_t len);

/* The slot's value, to read or to set; NULL when the key is not there. */
void **gg_map_find(const struct gg_map *map, const void *key, size_t len);

/* The same with the hash at hand (gg_hash of the same bytes). */
void **gg_map_find_hashed(const struct gg_map *map, uint64_t hash, const void *key, size_t len);

/* The slot's value, inserting the key with a NULL value when it is not there. Never NULL. */
void **gg_map_put(struct gg_map *map, const void *key, size_t len);

void gg_map_free(struct gg_map *map);

#endif
