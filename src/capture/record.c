#include "capture/record.h"

#include "base/binary.h"
#include "base/esc.h"
#include "base/fs.h"
#include "base/jsonio.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { RECORD_LIMIT = 16 << 20 };

static const char *const stops[] = {[GG_STOP_NONE] = "none",
                                    [GG_STOP_TIMEOUT] = "timeout",
                                    [GG_STOP_REPORT_SIZE] = "report-size",
                                    [GG_STOP_SIGNAL] = "signal"};

/* --- writing ---------------------------------------------------------------------------- */

static void put_identity(struct gg_json *json, const struct gg_identity *identity)
{
    if (!identity->path) {
        gg_json_put_null(json, "program");
        return;
    }
    gg_json_key(json, "program");
    gg_json_object_inline(json);
    gg_json_put_string(json, "path", identity->path);
    gg_json_put_int(json, "size", identity->size);
    gg_json_put_int(json, "mtime", identity->mtime);
    gg_json_put_string(json, "build_id", identity->build_id);
    gg_json_end_object(json);
}

static void put_checkout(struct gg_json *json, const struct gg_checkout *checkout)
{
    if (!checkout->head) {
        gg_json_put_null(json, "repository");
        return;
    }
    gg_json_key(json, "repository");
    gg_json_object_inline(json);
    gg_json_put_string(json, "root", checkout->root);
    gg_json_put_string(json, "head", checkout->head);
    gg_json_end_object(json);
}

static void put_end(struct gg_json *json, const struct gg_capture *capture)
{
    if (!capture->ended) {
        gg_json_put_null(json, "end");
        return;
    }
    gg_json_key(json, "end");
    gg_json_object_inline(json);
    gg_json_put_int(json, "pid", capture->pid);
    gg_json_put_int(json, "exit", capture->exit_code);
    gg_json_put_int(json, "signal", capture->signal);
    gg_json_put_string(json, "stop", stops[capture->stop]);
    gg_json_put_int(json, "stop_signal", capture->stop_signal);
    gg_json_put_string(json, "unsure", capture->unsure);
    gg_json_put_list(json, "reports", capture->made);
    gg_json_end_object(json);
}

bool gg_record_write(struct gg_arena *arena, const struct gg_capture *capture, time_t begun,
                     struct gg_error *err)
{
    char stamp[32];
    struct tm utc;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&begun, &utc));
    struct gg_out *out = gg_out_file(gg_fs_join(arena, capture->directory, GG_RECORD), err);
    if (!out)
        return false;
    struct gg_json json;
    gg_json_init(&json, out);
    gg_json_object(&json);
    gg_json_put_uint(&json, "version", 1);
    gg_json_put_string(&json, "time", stamp);
    gg_json_put_string(&json, "test", capture->test);
    gg_json_put_list(&json, "command", capture->program);
    put_identity(&json, &capture->identity);
    put_checkout(&json, &capture->checkout);
    gg_json_put_string(&json, "valgrind", capture->version);
    gg_json_put_list(&json, "argv", capture->argv);
    gg_json_put_uint(&json, "timeout", capture->timeout);
    gg_json_put_string(&json, "failure", capture->failure);
    put_end(&json, capture);
    gg_json_end_object(&json);
    return gg_out_close(out, err);
}

/* --- reading ---------------------------------------------------------------------------- */

/* What is not there says nothing. */
static bool is_within(const json_t *object, const char *key, int64_t least, int64_t most)
{
    const json_t *value = json_object_get(object, key);
    return !json_is_integer(value) ||
           (json_integer_value(value) >= least && json_integer_value(value) <= most);
}

static bool is_all_text(const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!json_is_string(json_array_get(list, i)))
            return false;
    }
    return true;
}

/* Could a run have written this? */
static bool is_record(const json_t *root)
{
    const json_t *version = json_object_get(root, "version"), *end = json_object_get(root, "end");
    return json_is_integer(version) && json_integer_value(version) == 1 &&
           json_array_size(json_object_get(root, "command")) > 0 && is_all_text(root, "command") &&
           is_all_text(root, "argv") && is_within(root, "timeout", 0, UINT_MAX) &&
           is_within(end, "exit", -1, INT_MAX) && is_within(end, "signal", 0, INT_MAX) &&
           is_within(end, "stop_signal", 0, INT_MAX) && is_all_text(end, "reports");
}

/* A path of bytes that are not UTF-8 comes back as it was. */
static const char *bytes_of(struct gg_arena *arena, const json_t *text)
{
    return gg_esc_undo(arena, gg_arena_strdup(arena, json_string_value(text)));
}

static const char *text_of(struct gg_arena *arena, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? bytes_of(arena, value) : NULL;
}

static int64_t number_of(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static const char *const *list_of(struct gg_arena *arena, const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list), len = 0;
    const char **texts = gg_arena_alloc(arena, (count + 1) * sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        const json_t *text = json_array_get(list, i);
        if (json_is_string(text))
            texts[len++] = bytes_of(arena, text);
    }
    texts[len] = NULL;
    return texts;
}

static enum gg_capture_stop stop_of(const json_t *end)
{
    const char *word = json_string_value(json_object_get(end, "stop"));
    for (size_t i = 0; word && i < sizeof stops / sizeof *stops; i++) {
        if (strcmp(stops[i], word) == 0)
            return (enum gg_capture_stop)i;
    }
    return GG_STOP_NONE;
}

static void take_end(struct gg_arena *arena, const json_t *end, struct gg_capture *capture)
{
    capture->ended = json_is_object(end);
    capture->pid = number_of(end, "pid", -1);
    capture->exit_code = (int)number_of(end, "exit", -1);
    capture->signal = (int)number_of(end, "signal", 0);
    capture->stop = stop_of(end);
    capture->stop_signal = (int)number_of(end, "stop_signal", 0);
    capture->unsure = text_of(arena, end, "unsure");
    capture->made = list_of(arena, end, "reports");
}

static void take(struct gg_arena *arena, const json_t *root, struct gg_capture *capture)
{
    const json_t *program = json_object_get(root, "program");
    const json_t *repository = json_object_get(root, "repository");
    capture->program = list_of(arena, root, "command");
    capture->argv = list_of(arena, root, "argv");
    capture->test = text_of(arena, root, "test");
    capture->version = text_of(arena, root, "valgrind");
    capture->failure = text_of(arena, root, "failure");
    capture->timeout = (unsigned)number_of(root, "timeout", 0);
    capture->identity.path = text_of(arena, program, "path");
    capture->identity.size = number_of(program, "size", -1);
    capture->identity.mtime = number_of(program, "mtime", -1);
    capture->identity.build_id = text_of(arena, program, "build_id");
    capture->checkout.root = text_of(arena, repository, "root");
    capture->checkout.head = text_of(arena, repository, "head");
    take_end(arena, json_object_get(root, "end"), capture);
}

bool gg_record_read(struct gg_arena *arena, const char *directory, struct gg_capture *capture,
                    struct gg_error *err)
{
    const char *path = gg_fs_join(arena, directory, GG_RECORD);
    struct stat st;
    struct gg_str text;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        gg_error_set(err, "%s: is not a regular file, and so no record of a run: run it again",
                     path);
        return false;
    }
    if (!gg_fs_read(arena, path, RECORD_LIMIT, &text, err))
        return false;
    json_error_t error;
    json_t *root = json_loadb(text.ptr, text.len, JSON_REJECT_DUPLICATES, &error);
    bool ok = is_record(root);
    if (ok)
        take(arena, root, capture);
    else
        gg_error_set(err, "%s: is no record of a run: run it again", path);
    json_decref(root);
    return ok;
}

/* --- the program ------------------------------------------------------------------------ */

void gg_identity_take(struct gg_arena *arena, const char *program, struct gg_identity *identity)
{
    const char *path = strchr(program, '/') ? program : gg_fs_in_path(arena, program);
    struct stat st;
    *identity = (struct gg_identity){.size = -1, .mtime = -1};
    identity->path = path ? gg_fs_real(arena, path) : NULL;
    if (!identity->path || stat(identity->path, &st) != 0)
        return;
    identity->size = st.st_size;
    identity->mtime = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
    identity->build_id = gg_binary_build_id(arena, identity->path);
}
