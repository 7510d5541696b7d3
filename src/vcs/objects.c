#include "vcs/objects.h"
#include "base/arena.h"

#include <stdlib.h>

#define GENERATION_BYTES ((size_t)16 * 1024 * 1024)

void gg_objects_init(struct gg_objects *objects, git_odb *odb)
{
    *objects = (struct gg_objects){.odb = odb};
}

static void drop(struct gg_generation *generation)
{
    for (size_t i = 0; i < generation->count; i++)
        git_odb_object_free(generation->objects[i]);
    free(generation->objects);
    gg_map_free(&generation->by_id);
    *generation = (struct gg_generation){0};
}

void gg_objects_free(struct gg_objects *objects)
{
    drop(&objects->young);
    drop(&objects->old);
}

static void keep(struct gg_objects *objects, git_odb_object *object)
{
    size_t size = git_odb_object_size(object);
    if (size > GENERATION_BYTES / 2)
        return;
    struct gg_generation *young = &objects->young;
    if (young->bytes + size > GENERATION_BYTES) {
        drop(&objects->old);
        objects->old = *young;
        *young = (struct gg_generation){0};
    }
    if (young->count == young->cap) {
        young->cap = young->cap ? young->cap * 2 : 64;
        young->objects = gg_realloc(young->objects, young->cap * sizeof(git_odb_object *));
    }
    git_odb_object *own = NULL;
    git_odb_object_dup(&own, object);
    young->objects[young->count++] = own;
    young->bytes += size;
    *gg_map_put(&young->by_id, git_odb_object_id(own), GG_ID_SIZE) = own;
}

static git_odb_object *recall(struct gg_objects *objects, const git_oid *id)
{
    void **kept = gg_map_find(&objects->young.by_id, id, GG_ID_SIZE);
    bool aged = !kept;
    if (aged)
        kept = gg_map_find(&objects->old.by_id, id, GG_ID_SIZE);
    if (!kept)
        return NULL;
    git_odb_object *object = NULL;
    git_odb_object_dup(&object, *kept);
    if (aged)
        keep(objects, object);
    return object;
}

static bool unreadable(const git_oid *id, int code, struct gg_error *err)
{
    char hex[48];
    git_oid_tostr(hex, sizeof hex, id);
    const git_error *cause = git_error_last();
    if (code == GIT_ENOTFOUND)
        gg_error_set(err,
                     "object %s is missing from this clone; a full clone has it: "
                     "run git fetch --refetch --no-filter, or clone again without --filter",
                     hex);
    else
        gg_error_set(err, "object %s cannot be read: %s; run git fsck", hex,
                     cause && cause->message ? cause->message : "unknown reason");
    return false;
}

static bool expect(const git_oid *id, git_object_t type, git_object_t expected, size_t size,
                   struct gg_error *err)
{
    char hex[48];
    git_oid_tostr(hex, sizeof hex, id);
    if (type != expected)
        gg_error_set(err,
                     "object %s is a %s where a %s belongs: the history is damaged; "
                     "run git fsck",
                     hex, git_object_type2string(type), git_object_type2string(expected));
    else if (size > GG_OBJECT_LIMIT)
        gg_error_set(err, "%s %s has %zu bytes, more than is read of one object",
                     git_object_type2string(type), hex, size);
    else
        return true;
    return false;
}

static bool is_pretended(const struct gg_objects *objects, const git_oid *id)
{
    return objects->pretended_text.ptr && gg_id_eq(id, &objects->pretended);
}

/* The size is asked first: a few bytes of a pack can unfold to gigabytes. */
static bool load(struct gg_objects *objects, const git_oid *id, git_object_t expected,
                 git_odb_object **object, struct gg_error *err)
{
    size_t size = 0;
    git_object_t type = GIT_OBJECT_ANY;
    int code = git_odb_read_header(&size, &type, objects->odb, id);
    if (code == 0 && !expect(id, type, expected, size, err))
        return false;
    if (code == 0)
        code = git_odb_read(object, objects->odb, id);
    if (code != 0)
        return unreadable(id, code, err);
    /* A commit is read once; keeping it would only push out what is read again. */
    if (type != GIT_OBJECT_COMMIT)
        keep(objects, *object);
    return true;
}

bool gg_objects_read(struct gg_objects *objects, const git_oid *id, git_object_t type,
                     struct gg_object *object, struct gg_error *err)
{
    *object = (struct gg_object){0};
    if (is_pretended(objects, id)) {
        object->text = objects->pretended_text;
        return expect(id, GIT_OBJECT_BLOB, type, object->text.len, err);
    }
    object->handle = recall(objects, id);
    if (!object->handle && !load(objects, id, type, &object->handle, err))
        return false;
    size_t size = git_odb_object_size(object->handle);
    object->text = gg_str_n(git_odb_object_data(object->handle), size);
    if (expect(id, git_odb_object_type(object->handle), type, size, err))
        return true;
    gg_object_release(object);
    return false;
}

void gg_object_release(struct gg_object *object)
{
    if (object->handle)
        git_odb_object_free(object->handle);
    *object = (struct gg_object){0};
}

bool gg_objects_size(struct gg_objects *objects, const git_oid *id, size_t *size,
                     struct gg_error *err)
{
    git_object_t type = GIT_OBJECT_ANY;
    int code = git_odb_read_header(size, &type, objects->odb, id);
    return code == 0 ? expect(id, type, GIT_OBJECT_BLOB, 0, err) : unreadable(id, code, err);
}
