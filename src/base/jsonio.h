/*
 * Jsonio: a streaming JSON writer on an out sink. Reading JSON is jansson's work.
 *
 * The caller opens and closes in order; commas, line breaks and indentation are the writer's.
 * Strings go through gg_esc_json. A NULL string is written as null.
 */
#ifndef GG_BASE_JSONIO_H
#define GG_BASE_JSONIO_H

#include "base/out.h"

#define GG_JSON_DEPTH 64

struct gg_json {
    struct gg_out *out;
    unsigned depth;
    bool filled[GG_JSON_DEPTH]; /* has this level a member already */
    bool inline_from[GG_JSON_DEPTH];
    bool after_key;
};

void gg_json_init(struct gg_json *json, struct gg_out *out);

/* Name of the next member. Keys are our own constants. */
void gg_json_key(struct gg_json *json, const char *key);

void gg_json_object(struct gg_json *json);
void gg_json_array(struct gg_json *json);

/* An object or array (and all within) on one line: a frame, a pair. */
void gg_json_object_inline(struct gg_json *json);
void gg_json_array_inline(struct gg_json *json);
void gg_json_end_object(struct gg_json *json);
void gg_json_end_array(struct gg_json *json);

void gg_json_string(struct gg_json *json, const char *text);
void gg_json_string_n(struct gg_json *json, struct gg_str text);

/* A string that is a relative URI reference: see gg_esc_uri_path. */
void gg_json_uri_path(struct gg_json *json, struct gg_str path);

void gg_json_int(struct gg_json *json, int64_t value);
void gg_json_uint(struct gg_json *json, uint64_t value);
void gg_json_bool(struct gg_json *json, bool value);
void gg_json_null(struct gg_json *json);

/* key and value in one call. */
void gg_json_put_string(struct gg_json *json, const char *key, const char *text);
void gg_json_put_uint(struct gg_json *json, const char *key, uint64_t value);
void gg_json_put_int(struct gg_json *json, const char *key, int64_t value);
void gg_json_put_bool(struct gg_json *json, const char *key, bool value);
void gg_json_put_null(struct gg_json *json, const char *key);

/* An array of strings on one line; NULL is an empty list. */
void gg_json_put_list(struct gg_json *json, const char *key, const char *const *list);

#endif
