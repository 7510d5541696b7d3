#include "vcs/tree.h"
#include "base/arena.h"

#include <stdlib.h>

bool gg_tree_next(struct gg_str *rest, struct gg_tree_entry *entry)
{
    const char *at = rest->ptr, *end = rest->ptr + rest->len;
    uint32_t mode = 0;
    for (; at < end && *at >= '0' && *at <= '7' && mode < 01000000; at++)
        mode = mode << 3 | (uint32_t)(*at - '0');
    if (at == rest->ptr || at >= end || *at != ' ')
        return false;
    const char *name = ++at;
    at = memchr(name, '\0', (size_t)(end - name));
    if (!at || at == name || (size_t)(end - at) < 1 + GG_ID_SIZE)
        return false;
    *entry = (struct gg_tree_entry){.name = name, .len = (size_t)(at - name), .mode = mode};
    memcpy(entry->id.id, at + 1, GG_ID_SIZE);
    at += 1 + GG_ID_SIZE;
    *rest = gg_str_n(at, (size_t)(end - at));
    return true;
}

static bool damaged(const git_oid *tree, struct gg_error *err)
{
    char hex[48];
    git_oid_tostr(hex, sizeof hex, tree);
    gg_error_set(err, "tree %s is damaged; run git fsck", hex);
    return false;
}

/* The order of git's trees. */
static int order(const char *a, size_t a_len, bool a_dir, const char *b, size_t b_len, bool b_dir)
{
    size_t len = a_len < b_len ? a_len : b_len;
    int result = memcmp(a, b, len);
    if (result)
        return result;
    int a_next = a_len > len ? (unsigned char)a[len] : a_dir ? '/' : 0;
    int b_next = b_len > len ? (unsigned char)b[len] : b_dir ? '/' : 0;
    return a_next - b_next;
}

bool gg_tree_find(struct gg_objects *objects, const git_oid *tree, struct gg_str name, bool dir,
                  struct gg_tree_entry *entry, struct gg_error *err)
{
    struct gg_object object;
    if (!gg_objects_read(objects, tree, GIT_OBJECT_TREE, &object, err))
        return false;
    struct gg_str rest = object.text;
    bool found = false;
    while (!found && gg_tree_next(&rest, entry))
        found = gg_tree_is_dir(entry->mode) == dir && entry->len == name.len &&
                memcmp(entry->name, name.ptr, name.len) == 0;
    bool whole = found || rest.len == 0;
    if (found)
        entry->name = name.ptr; /* outlives the object */
    else
        *entry = (struct gg_tree_entry){0};
    gg_object_release(&object);
    return whole || damaged(tree, err);
}

bool gg_tree_lookup(struct gg_objects *objects, const git_oid *tree, const char *path,
                    struct gg_tree_entry *entry, struct gg_error *err)
{
    struct gg_str rest = gg_str(path), name;
    git_oid at = *tree;
    while (gg_str_cut(rest, '/', &name, &rest)) {
        if (!gg_tree_find(objects, &at, name, true, entry, err))
            return false;
        if (!entry->name)
            return true;
        at = entry->id;
    }
    return gg_tree_find(objects, &at, name, false, entry, err) &&
           (entry->name || gg_tree_find(objects, &at, name, true, entry, err));
}

static struct gg_tree_change *push(struct gg_tree_delta *delta)
{
    if (delta->count == delta->cap) {
        delta->cap = delta->cap ? delta->cap * 2 : 16;
        delta->changes = gg_realloc(delta->changes, delta->cap * sizeof *delta->changes);
    }
    struct gg_tree_change *change = &delta->changes[delta->count++];
    *change = (struct gg_tree_change){0};
    return change;
}

/* Skips what both texts have in common at their start: entries equal to the last byte. */
static void skip_common(struct gg_str *a, struct gg_str *b)
{
    struct gg_str rest = *a;
    struct gg_tree_entry entry;
    while (gg_tree_next(&rest, &entry)) {
        size_t len = a->len - rest.len;
        if (b->len < len || memcmp(a->ptr, b->ptr, len) != 0)
            return;
        *a = rest;
        *b = gg_str_n(b->ptr + len, b->len - len);
    }
}

static bool compare(struct gg_tree_delta *delta, struct gg_error *err)
{
    struct gg_str child = delta->child_object.text, parent = delta->parent_object.text;
    for (;;) {
        skip_common(&child, &parent);
        struct gg_str child_rest = child, parent_rest = parent;
        struct gg_tree_entry ours = {0}, theirs = {0};
        if (!gg_tree_next(&child_rest, &ours) && child.len)
            return damaged(&delta->child, err);
        if (!gg_tree_next(&parent_rest, &theirs) && parent.len)
            return damaged(&delta->parent, err);
        if (!ours.name && !theirs.name)
            return true;
        int which = !ours.name     ? 1
                    : !theirs.name ? -1
                                   : order(ours.name, ours.len, gg_tree_is_dir(ours.mode),
                                           theirs.name, theirs.len, gg_tree_is_dir(theirs.mode));
        struct gg_tree_change *change = push(delta);
        if (which <= 0) {
            change->child = ours;
            child = child_rest;
        }
        if (which >= 0) {
            change->parent = theirs;
            parent = parent_rest;
        }
    }
}

static void release(struct gg_tree_delta *delta)
{
    gg_object_release(&delta->child_object);
    gg_object_release(&delta->parent_object);
    delta->count = 0;
}

bool gg_tree_delta_make(struct gg_tree_delta *delta, struct gg_objects *objects,
                        const git_oid *child, const git_oid *parent, struct gg_error *err)
{
    if (delta->parent_object.text.ptr && gg_id_eq(&delta->child, child) &&
        gg_id_eq(&delta->parent, parent))
        return true;
    release(delta);
    delta->child = *child;
    delta->parent = *parent;
    if (gg_objects_read(objects, child, GIT_OBJECT_TREE, &delta->child_object, err) &&
        gg_objects_read(objects, parent, GIT_OBJECT_TREE, &delta->parent_object, err) &&
        compare(delta, err))
        return true;
    release(delta);
    return false;
}

const struct gg_tree_change *gg_tree_delta_find(const struct gg_tree_delta *delta,
                                                struct gg_str name, bool dir)
{
    size_t low = 0, high = delta->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct gg_tree_change *change = &delta->changes[middle];
        const struct gg_tree_entry *key = change->child.name ? &change->child : &change->parent;
        int which = order(name.ptr, name.len, dir, key->name, key->len, gg_tree_is_dir(key->mode));
        if (which == 0)
            return change;
        if (which < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void gg_tree_delta_free(struct gg_tree_delta *delta)
{
    release(delta);
    free(delta->changes);
    *delta = (struct gg_tree_delta){0};
}
