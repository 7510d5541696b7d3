#include "cli/opt.h"
#include "base/str.h"
#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

const struct gg_opt_info gg_opt_table[GG_OPTS] = {
#define GG_OPTION(id, name, letter, type, key, argument, commands, help) \
    [GG_OPT_##id] = {name, letter, GG_OPT_##type, key, argument, GG_OPT_##commands, help},
#include "cli/options.def"
#undef GG_OPTION
};

/* --- values ----------------------------------------------------------------------------- */

/* "1500", "64k", "2M", "1G" */
static bool parse_size(const char *text, uint64_t *value)
{
    struct gg_str number = gg_str(text);
    uint64_t unit = 1;
    if (number.len) {
        char last = number.ptr[number.len - 1];
        unit = last == 'k' || last == 'K' ? 1u << 10
               : last == 'M'              ? 1u << 20
               : last == 'G'              ? 1u << 30
                                          : 1;
        number.len -= unit > 1;
    }
    if (!gg_str_u64(number, false, value) || *value > UINT64_MAX / unit)
        return false;
    *value *= unit;
    return true;
}

/* The position of `text` among "error|warning|note"; -1: none of them. */
static int choice_of(const char *words, const char *text)
{
    struct gg_str rest = gg_str(words), word;
    bool more = true;
    for (int i = 0; more; i++) {
        more = gg_str_cut(rest, '|', &word, &rest);
        if (gg_str_is(word, text))
            return i;
    }
    return -1;
}

static bool check(const struct gg_opt_info *info, const char *where, const char *text,
                  struct gg_error *err)
{
    uint64_t number = 0;
    switch (info->type) {
    case GG_OPT_CHOICE:
        if (choice_of(info->argument, text) >= 0)
            return true;
        gg_error_set(err, "%s: \"%s\" is none of %s", where, text, info->argument);
        return false;
    case GG_OPT_NUMBER:
    case GG_OPT_COUNT:
        if (gg_str_u64(gg_str(text), false, &number) && number <= INT32_MAX &&
            (number || info->type == GG_OPT_NUMBER))
            return true;
        gg_error_set(err, "%s: \"%s\" is no whole number from %d to %d", where, text,
                     info->type == GG_OPT_COUNT, INT32_MAX);
        return false;
    case GG_OPT_SIZE:
        if (parse_size(text, &number))
            return true;
        gg_error_set(err, "%s: \"%s\" is no size: write 1500, 64k, 2M or 1G", where, text);
        return false;
    case GG_OPT_FLAG:
        if (choice_of("true|false|1|0", text) >= 0)
            return true;
        gg_error_set(err, "%s: \"%s\" is neither true nor false", where, text);
        return false;
    default:
        if (text[0])
            return true;
        gg_error_set(err, "%s: is empty: name a %s", where, info->argument);
        return false;
    }
}

bool gg_opt_set(struct gg_opts *opts, enum gg_opt_id id, enum gg_opt_source source,
                const char *where, const char *text, struct gg_error *err)
{
    if (!check(&gg_opt_table[id], where, text, err))
        return false;
    struct gg_opt_value *value = &opts->values[id];
    if (value->source > source)
        return true;
    if (value->source < source || gg_opt_table[id].type != GG_OPT_LIST)
        value->texts.len = 0;
    value->source = source;
    *gg_vec_push(opts->arena, &value->texts) = text;
    return true;
}

const char *gg_opt_text(const struct gg_opts *opts, enum gg_opt_id id)
{
    const struct gg_opt_value *value = &opts->values[id];
    return value->texts.len ? value->texts.at[value->texts.len - 1] : NULL;
}

bool gg_opt_flag(const struct gg_opts *opts, enum gg_opt_id id)
{
    const char *text = gg_opt_text(opts, id);
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

unsigned gg_opt_choice(const struct gg_opts *opts, enum gg_opt_id id, unsigned otherwise)
{
    const char *text = gg_opt_text(opts, id);
    return text ? (unsigned)choice_of(gg_opt_table[id].argument, text) : otherwise;
}

uint64_t gg_opt_number(const struct gg_opts *opts, enum gg_opt_id id, uint64_t otherwise)
{
    const char *text = gg_opt_text(opts, id);
    uint64_t number = otherwise;
    if (text)
        parse_size(text, &number);
    return number;
}

const char *const *gg_opt_list(const struct gg_opts *opts, enum gg_opt_id id)
{
    const struct gg_opt_value *value = &opts->values[id];
    if (!value->texts.len)
        return NULL;
    const char **list = gg_arena_alloc(opts->arena, (value->texts.len + 1) * sizeof *list);
    memcpy(list, value->texts.at, value->texts.len * sizeof *list);
    return list;
}

/* --- the command line ------------------------------------------------------------------- */

static int by_name(const struct gg_opts *opts, struct gg_str name)
{
    for (int id = 0; id < GG_OPTS; id++) {
        if ((gg_opt_table[id].commands & opts->command) && gg_str_is(name, gg_opt_table[id].name))
            return id;
    }
    return -1;
}

static int by_letter(const struct gg_opts *opts, char letter)
{
    for (int id = 0; id < GG_OPTS; id++) {
        if ((gg_opt_table[id].commands & opts->command) && gg_opt_table[id].letter == letter)
            return id;
    }
    return -1;
}

static void unknown_name(const struct gg_opts *opts, struct gg_str name, struct gg_error *err)
{
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_str_is(name, gg_opt_table[id].name)) {
            gg_error_set(err, "--%s: is an option of %s", gg_opt_table[id].name,
                         gg_opt_table[id].commands & GG_OPT_RUN     ? "run"
                         : gg_opt_table[id].commands & GG_OPT_CHECK ? "check"
                         : gg_opt_table[id].commands & GG_OPT_WRAP  ? "wrap"
                                                                    : "rules");
            return;
        }
    }
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, name);
    for (int id = 0; id < GG_OPTS; id++) {
        if (gg_opt_table[id].commands & opts->command)
            gg_suggest_offer(&suggest, gg_opt_table[id].name);
    }
    if (suggest.best)
        gg_error_set(err, "--%.*s: is no option; did you mean --%s?", (int)name.len, name.ptr,
                     suggest.best);
    else
        gg_error_set(err, "--%.*s: is no option; --help lists them", (int)name.len, name.ptr);
}

/* The value behind an option: what follows "=" or the letter, else the next word. NULL: none. */
static const char *take_value(const char *attached, char *const **next)
{
    if (attached)
        return attached;
    return **next ? *(*next)++ : NULL;
}

static bool apply(struct gg_opts *opts, enum gg_opt_id id, const char *where, const char *attached,
                  char *const **next, struct gg_error *err)
{
    const struct gg_opt_info *info = &gg_opt_table[id];
    if (info->type == GG_OPT_FLAG) {
        if (attached) {
            gg_error_set(err, "%s: takes no value", where);
            return false;
        }
        return gg_opt_set(opts, id, GG_OPT_FROM_FLAG, where, "true", err);
    }
    const char *value = take_value(attached, next);
    if (!value) {
        gg_error_set(err, "%s: needs a value: %s", where, info->argument);
        return false;
    }
    return gg_opt_set(opts, id, GG_OPT_FROM_FLAG, where, value, err);
}

/* "--fail-on=warning" or "--fail-on" */
static bool parse_long(struct gg_opts *opts, const char *word, char *const **next,
                       struct gg_error *err)
{
    struct gg_str name, value;
    bool attached = gg_str_cut(gg_str(word + 2), '=', &name, &value);
    int id = by_name(opts, name);
    if (id < 0) {
        unknown_name(opts, name, err);
        return false;
    }
    const char *where = gg_arena_printf(opts->arena, "--%s", gg_opt_table[id].name);
    return apply(opts, (enum gg_opt_id)id, where, attached ? value.ptr : NULL, next, err);
}

/* "-qv", "-ojson", "-o" */
static bool parse_short(struct gg_opts *opts, const char *word, char *const **next,
                        struct gg_error *err)
{
    for (const char *at = word + 1; *at; at++) {
        int id = by_letter(opts, *at);
        if (id < 0) {
            gg_error_set(err, "-%c: is no option; --help lists them", *at);
            return false;
        }
        const char *where = gg_arena_printf(opts->arena, "-%c", *at);
        bool flag = gg_opt_table[id].type == GG_OPT_FLAG;
        const char *attached = !flag && at[1] ? at + 1 : NULL;
        if (!apply(opts, (enum gg_opt_id)id, where, attached, next, err))
            return false;
        if (!flag)
            return true;
    }
    return true;
}

bool gg_opt_parse(struct gg_opts *opts, char *const *words, struct gg_error *err)
{
    GG_VEC(const char *) operands = {0};
    char *const *next = words;
    bool options = true;
    while (*next) {
        const char *word = *next++;
        if (options && strcmp(word, "--") == 0) {
            options = false;
            opts->dashed = opts->dashed || !operands.len;
        } else if (options && word[0] == '-' && word[1]) {
            bool ok = word[1] == '-' ? parse_long(opts, word, &next, err)
                                     : parse_short(opts, word, &next, err);
            if (!ok)
                return false;
        } else {
            *gg_vec_push(opts->arena, &operands) = word;
            options = options && !(opts->command & GG_OPT_LAUNCH);
        }
    }
    *gg_vec_push(opts->arena, &operands) = NULL;
    opts->operands = operands.at;
    return true;
}

/* --- the environment -------------------------------------------------------------------- */

/* "fail-on" -> "GRINDGATE_FAIL_ON" */
static char *variable(struct gg_arena *arena, const char *name)
{
    char *text = gg_arena_printf(arena, "GRINDGATE_%s", name);
    for (char *c = text; *c; c++)
        *c = *c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    return text;
}

static bool set_lines(struct gg_opts *opts, enum gg_opt_id id, const char *where, const char *text,
                      struct gg_error *err)
{
    struct gg_str rest = gg_str(text), line;
    while (gg_str_line(&rest, &line)) {
        line = gg_str_trim(line);
        if (line.len && !gg_opt_set(opts, id, GG_OPT_FROM_ENVIRONMENT, where,
                                    gg_arena_strndup(opts->arena, line.ptr, line.len), err))
            return false;
    }
    return true;
}

bool gg_opt_environment(struct gg_opts *opts, struct gg_error *err)
{
    for (int i = 0; i < GG_OPTS; i++) {
        enum gg_opt_id id = (enum gg_opt_id)i;
        if (id == GG_OPT_HELP || !(gg_opt_table[id].commands & opts->command))
            continue;
        const char *where = variable(opts->arena, gg_opt_table[id].name);
        const char *text = getenv(where);
        if (!text || !text[0])
            continue;
        bool ok = gg_opt_table[id].type == GG_OPT_LIST
                      ? set_lines(opts, id, where, text, err)
                      : gg_opt_set(opts, id, GG_OPT_FROM_ENVIRONMENT, where, text, err);
        if (!ok)
            return false;
    }
    return true;
}
