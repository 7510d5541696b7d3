#include "base/esc.h"
#include "read/own.h"

static void wrong(struct gg_own *own, const char *key)
{
    if (!own->wrong)
        own->wrong = key;
}

/* The value, unless it is null or of another kind. */
static const json_t *field(struct gg_own *own, const json_t *object, const char *key,
                           json_type type)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value))
        return NULL;
    if (json_typeof(value) == type)
        return value;
    wrong(own, key);
    return NULL;
}

const char *gg_own_text(struct gg_own *own, const json_t *object, const char *key)
{
    const json_t *value = field(own, object, key, JSON_STRING);
    return value ? gg_esc_json_undo(&own->scratch, json_string_value(value)) : NULL;
}

const char *gg_own_need_text(struct gg_own *own, const json_t *object, const char *key)
{
    const char *text = gg_own_text(own, object, key);
    if (text)
        return text;
    wrong(own, key);
    return "";
}

int64_t gg_own_int(struct gg_own *own, const json_t *object, const char *key, int64_t least,
                   int64_t most, int64_t otherwise)
{
    const json_t *value = field(own, object, key, JSON_INTEGER);
    if (!value)
        return otherwise;
    json_int_t number = json_integer_value(value);
    if (number >= least && number <= most)
        return number;
    wrong(own, key);
    return otherwise;
}

uint64_t gg_own_count(struct gg_own *own, const json_t *object, const char *key)
{
    return (uint64_t)gg_own_int(own, object, key, 0, INT64_MAX, 0);
}

bool gg_own_bool(struct gg_own *own, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value) && !json_is_null(value))
        wrong(own, key);
    return json_is_true(value);
}

const json_t *gg_own_list(struct gg_own *own, const json_t *object, const char *key)
{
    return field(own, object, key, JSON_ARRAY);
}

const json_t *gg_own_object(struct gg_own *own, const json_t *object, const char *key)
{
    return field(own, object, key, JSON_OBJECT);
}

const char *gg_own_item(struct gg_own *own, const json_t *list, size_t index, const char *key)
{
    const json_t *value = json_array_get(list, index);
    if (json_is_string(value))
        return gg_esc_json_undo(&own->scratch, json_string_value(value));
    wrong(own, key);
    return "";
}
