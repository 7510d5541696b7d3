#include "base/jsonio.h"
#include "base/esc.h"

#include <inttypes.h>

void gg_json_init(struct gg_json *json, struct gg_out *out)
{
    *json = (struct gg_json){.out = out};
}

static void line_break(struct gg_json *json)
{
    if (json->inline_from[json->depth])
        return;
    gg_out_char(json->out, '\n');
    gg_out_repeat(json->out, ' ', 2u * json->depth);
}

/* What stands before a key or an array's element. */
static void separate(struct gg_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    if (json->filled[json->depth])
        gg_out_text(json->out, json->inline_from[json->depth] ? ", " : ",");
    json->filled[json->depth] = true;
    line_break(json);
}

void gg_json_key(struct gg_json *json, const char *key)
{
    separate(json);
    gg_out_printf(json->out, "\"%s\": ", key);
    json->after_key = true;
}

static void open_level(struct gg_json *json, char bracket, bool on_one_line)
{
    separate(json);
    gg_out_char(json->out, bracket);
    bool parent = json->inline_from[json->depth];
    json->depth++;
    json->filled[json->depth] = false;
    json->inline_from[json->depth] = on_one_line || parent;
}

static void close_level(struct gg_json *json, char bracket)
{
    bool filled = json->filled[json->depth];
    bool on_one_line = json->inline_from[json->depth];
    json->depth--;
    if (filled && !on_one_line) {
        gg_out_char(json->out, '\n');
        gg_out_repeat(json->out, ' ', 2u * json->depth);
    }
    gg_out_char(json->out, bracket);
    if (json->depth == 0)
        gg_out_char(json->out, '\n');
}

void gg_json_object(struct gg_json *json)
{
    open_level(json, '{', false);
}

void gg_json_array(struct gg_json *json)
{
    open_level(json, '[', false);
}

void gg_json_object_inline(struct gg_json *json)
{
    open_level(json, '{', true);
}

void gg_json_array_inline(struct gg_json *json)
{
    open_level(json, '[', true);
}

void gg_json_end_object(struct gg_json *json)
{
    close_level(json, '}');
}

void gg_json_end_array(struct gg_json *json)
{
    close_level(json, ']');
}

void gg_json_string_n(struct gg_json *json, struct gg_str text)
{
    separate(json);
    gg_out_char(json->out, '"');
    gg_esc_json(json->out, text);
    gg_out_char(json->out, '"');
}

void gg_json_string(struct gg_json *json, const char *text)
{
    if (text)
        gg_json_string_n(json, gg_str(text));
    else
        gg_json_null(json);
}

void gg_json_uri_path(struct gg_json *json, struct gg_str path)
{
    separate(json);
    gg_out_char(json->out, '"');
    gg_esc_uri_path(json->out, path);
    gg_out_char(json->out, '"');
}

void gg_json_int(struct gg_json *json, int64_t value)
{
    separate(json);
    gg_out_printf(json->out, "%" PRId64, value);
}

void gg_json_uint(struct gg_json *json, uint64_t value)
{
    separate(json);
    gg_out_printf(json->out, "%" PRIu64, value);
}

void gg_json_bool(struct gg_json *json, bool value)
{
    separate(json);
    gg_out_text(json->out, value ? "true" : "false");
}

void gg_json_null(struct gg_json *json)
{
    separate(json);
    gg_out_text(json->out, "null");
}

void gg_json_put_string(struct gg_json *json, const char *key, const char *text)
{
    gg_json_key(json, key);
    gg_json_string(json, text);
}

void gg_json_put_uint(struct gg_json *json, const char *key, uint64_t value)
{
    gg_json_key(json, key);
    gg_json_uint(json, value);
}

void gg_json_put_int(struct gg_json *json, const char *key, int64_t value)
{
    gg_json_key(json, key);
    gg_json_int(json, value);
}

void gg_json_put_bool(struct gg_json *json, const char *key, bool value)
{
    gg_json_key(json, key);
    gg_json_bool(json, value);
}

void gg_json_put_null(struct gg_json *json, const char *key)
{
    gg_json_key(json, key);
    gg_json_null(json);
}

void gg_json_put_list(struct gg_json *json, const char *key, const char *const *list)
{
    gg_json_key(json, key);
    gg_json_array_inline(json);
    for (; list && *list; list++)
        gg_json_string(json, *list);
    gg_json_end_array(json);
}
