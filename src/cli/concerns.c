#include "cli/concerns.h"
#include "base/esc.h"
#include "base/jsonio.h"
#include "base/vec.h"
#include "cli/command.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_UNDECIDED = 3 };

bool gg_concerns_refuse(const struct gg_concern *concern)
{
    return strcmp(concern->kind, "refused") == 0;
}

size_t gg_concerns_faults(const struct gg_concern_list *list)
{
    size_t faults = 0;
    for (size_t i = 0; i < list->count; i++)
        faults += list->at[i].fault;
    return faults;
}

/* --- text ------------------------------------------------------------------------------- */

static void put(struct gg_out *out, const char *text)
{
    gg_esc_terminal(out, gg_str(text));
}

/* A CI runner takes "::error::..." for a command where it begins a line. */
static void put_first(struct gg_out *out, const char *text)
{
    if (gg_str_starts(gg_str_trim(gg_str(text)), "::"))
        gg_out_char(out, '\\');
    put(out, text);
}

void gg_concerns_put(struct gg_out *out, const struct gg_concern *concern)
{
    put_first(out, concern->file);
    if (concern->line)
        gg_out_printf(out, ":%" PRIu32, concern->line);
    gg_out_printf(out, ": %s: ", concern->kind);
    if (concern->id) {
        gg_out_char(out, '[');
        put(out, concern->id);
        gg_out_text(out, "] ");
    }
    put(out, concern->text);
    gg_out_char(out, '\n');
}

static void write_text(const struct gg_concern_list *list, struct gg_out *out)
{
    size_t faults = gg_concerns_faults(list), advice = list->count - faults;
    if (list->begin)
        list->begin(list->self, out);
    for (size_t i = 0; i < list->count; i++)
        gg_concerns_put(out, &list->at[i]);
    gg_out_printf(out, "%zu rule%s: ", list->rule_count, list->rule_count == 1 ? "" : "s");
    if (list->count == 0)
        gg_out_text(out, "nothing is wrong\n");
    else
        gg_out_printf(out, "%zu fault%s, %zu piece%s of advice\n", faults, faults == 1 ? "" : "s",
                      advice, advice == 1 ? "" : "s");
}

/* --- JSON ------------------------------------------------------------------------------- */

/* With the first refusal of a file: what of it can still be used. */
static void put_usable(struct gg_json *json, const struct gg_concern_list *list, const char *file)
{
    gg_json_key(json, "usable");
    gg_json_array(json);
    for (size_t i = 0; i < list->usable_count; i++) {
        if (strcmp(list->usable[i].file, file) != 0)
            continue;
        gg_json_object_inline(json);
        gg_json_put_uint(json, "line", list->usable[i].line);
        gg_json_put_string(json, "id", list->usable[i].id);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}

static bool is_first_refusal(const struct gg_concern_list *list, size_t index)
{
    const struct gg_concern *concern = &list->at[index];
    if (!gg_concerns_refuse(concern))
        return false;
    while (index-- > 0 && strcmp(list->at[index].file, concern->file) == 0) {
        if (gg_concerns_refuse(&list->at[index]))
            return false;
    }
    return true;
}

static void write_json(const struct gg_concern_list *list, struct gg_out *out)
{
    struct gg_json json;
    gg_json_init(&json, out);
    gg_json_array(&json);
    for (size_t i = 0; i < list->count; i++) {
        const struct gg_concern *concern = &list->at[i];
        gg_json_object_inline(&json);
        gg_json_put_string(&json, "kind", concern->kind);
        gg_json_put_string(&json, "file", concern->file);
        gg_json_put_uint(&json, "line", concern->line);
        gg_json_put_string(&json, "id", concern->id);
        gg_json_put_string(&json, "text", concern->text);
        gg_json_put_bool(&json, "fault", concern->fault);
        if (is_first_refusal(list, i))
            put_usable(&json, list, concern->file);
        gg_json_end_object(&json);
    }
    gg_json_end_array(&json);
}

/* --- outputs ---------------------------------------------------------------------------- */

struct output {
    void (*write)(const struct gg_concern_list *list, struct gg_out *out);
    const char *path; /* NULL: standard output */
};

typedef GG_VEC(struct output) output_list;

static bool add_output(const struct gg_opts *opts, output_list *outputs, const char *text,
                       struct gg_error *err)
{
    struct gg_str format, path;
    gg_str_cut(gg_str(text), ':', &format, &path);
    bool known = gg_str_is(format, "text") || gg_str_is(format, "json");
    if (!known) {
        gg_error_set(err, "-o %s: rules are written as text or json", text);
        return false;
    }
    bool standard = path.len == 0 || gg_str_is(path, "-");
    *gg_vec_push(opts->arena, outputs) = (struct output){
        gg_str_is(format, "json") ? write_json : write_text, standard ? NULL : path.ptr};
    return true;
}

/* GRINDGATE_OUTPUT is about reports of findings. */
static bool list_outputs(const struct gg_opts *opts, output_list *outputs, struct gg_error *err)
{
    bool standard = false;
    bool given = opts->values[GG_OPT_CONCERNS].source == GG_OPT_FROM_FLAG;
    const char *const *texts = given ? gg_opt_list(opts, GG_OPT_CONCERNS) : NULL;
    for (; texts && *texts; texts++) {
        if (!add_output(opts, outputs, *texts, err))
            return false;
        if (standard && !outputs->at[outputs->len - 1].path) {
            gg_error_set(err, "-o %s: another list goes to standard output already", *texts);
            return false;
        }
        standard = standard || !outputs->at[outputs->len - 1].path;
    }
    if (!standard)
        *gg_vec_push(opts->arena, outputs) = (struct output){write_text, NULL};
    return true;
}

bool gg_concerns_write(const struct gg_opts *opts, const struct gg_concern_list *list, int *status)
{
    output_list outputs = {0};
    struct gg_error err = {0};
    *status = EXIT_USAGE;
    bool ok = list_outputs(opts, &outputs, &err);
    for (size_t i = 0; ok && i < outputs.len; i++) {
        const char *path = outputs.at[i].path;
        struct gg_out *out =
            path ? gg_out_file(path, &err) : gg_out_fd(STDOUT_FILENO, "standard output");
        *status = EXIT_UNDECIDED;
        if (out)
            outputs.at[i].write(list, out);
        ok = out && gg_out_close(out, &err);
    }
    if (!ok)
        gg_command_complain(err.text);
    return ok;
}
