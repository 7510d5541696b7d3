#include "match/rule_match.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "match/rule_value.h"

#include <jansson.h>
#include <string.h>

enum { FRAMES_MAX = 500 };

/* Whole numbers up to here are told apart as floating point numbers, too. */
#define NUMBER_MAX 9000000000000000u

struct reading {
    struct gg_arena *arena;
    struct gg_entry *entry;
    struct gg_error *fault;
};

/* --- values ----------------------------------------------------------------------------- */

bool gg_rule_is_key(const char *key, const char *const *keys, const char **near)
{
    struct gg_suggest suggest;
    bool known = false;
    gg_suggest_begin(&suggest, gg_str(key));
    for (; *keys; keys++) {
        known = known || strcmp(*keys, key) == 0;
        gg_suggest_offer(&suggest, *keys);
    }
    *near = suggest.best;
    return known;
}

const char *gg_rule_check_keys(json_t *object, const char *place, const char *const *keys,
                               struct gg_error *fault)
{
    const char *key, *meant = NULL;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        const char *near;
        if (gg_rule_is_key(key, keys, &near))
            continue;
        if (near)
            gg_error_set(fault, "%sunknown key \"%s\": did you mean \"%s\"?", place, key, near);
        else
            gg_error_set(fault, "%sunknown key \"%s\": take it out", place, key);
        meant = meant ? meant : near;
    }
    return meant;
}

bool gg_rule_read_text(struct gg_arena *arena, const char *key, json_t *value, struct gg_str *text,
                       struct gg_error *fault)
{
    size_t len = json_is_string(value) ? json_string_length(value) : 0;
    if (len)
        *text = gg_str_n(gg_arena_strndup(arena, json_string_value(value), len), len);
    else
        gg_error_set(fault, "\"%s\" must be a text that is not empty", key);
    return len != 0;
}

const struct gg_str *gg_rule_read_globs(struct gg_arena *arena, const char *key, json_t *list,
                                        struct gg_error *fault)
{
    GG_VEC(struct gg_str) globs = {0};
    size_t index;
    json_t *item;
    bool whole = true;
    if (!json_is_array(list) || json_array_size(list) == 0) {
        gg_error_set(fault, "\"%s\" must be a list of globs, at least one", key);
        return NULL;
    }
    json_array_foreach(list, index, item)
    {
        struct gg_str glob;
        if (gg_rule_read_text(arena, key, item, &glob, fault) &&
            gg_rule_check_glob(key, glob, fault))
            *gg_vec_push(arena, &globs) = glob;
        else
            whole = false;
    }
    gg_vec_push(arena, &globs);
    return whole ? globs.at : NULL;
}

/* 7, or 7.0, which is the same in JSON. */
static bool is_whole(json_t *value, uint64_t *number)
{
    double real = json_is_real(value) ? json_real_value(value) : -1;
    bool fits = real >= 0 && real <= NUMBER_MAX;
    *number = fits ? (uint64_t)real : 0;
    if (!json_is_integer(value))
        return fits && (double)*number == real;
    *number = (uint64_t)json_integer_value(value);
    return *number <= NUMBER_MAX; /* a negative one is larger */
}

static bool read_number(struct reading *reading, const char *key, json_t *value, uint64_t least,
                        uint64_t *number)
{
    if (is_whole(value, number) && *number >= least)
        return true;
    gg_error_set(reading->fault, "\"%s\" must be a whole number from %d on", key, (int)least);
    return false;
}

static bool read_count(struct reading *reading, const char *key, json_t *value, uint32_t *count)
{
    uint64_t number;
    if (!read_number(reading, key, value, 1, &number))
        return false;
    *count = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return true;
}

static struct gg_regex *read_regex(struct reading *reading, const char *key, json_t *value)
{
    struct gg_str text;
    if (!gg_rule_read_text(reading->arena, key, value, &text, reading->fault))
        return NULL;
    struct gg_error why = {0};
    struct gg_regex *regex = gg_regex_new(reading->arena, text, &why);
    if (!regex)
        gg_error_set(reading->fault, "\"%s\": \"%.80s\" is no regular expression: %s", key,
                     text.ptr, why.text);
    return regex;
}

/* --- frames ----------------------------------------------------------------------------- */

/* git's paths begin with a name: what begins or ends with "/" would fit none. */
static bool check_path(struct reading *reading, struct gg_str glob)
{
    if (!gg_rule_check_glob("path", glob, reading->fault))
        return false;
    if (gg_str_ends(glob, "/"))
        gg_error_set(reading->fault,
                     "\"path\": \"%s\" fits no file: write \"%s**\" for all that "
                     "is below",
                     glob.ptr, glob.ptr);
    else if (gg_str_starts(glob, "/") || gg_str_starts(glob, "./"))
        gg_error_set(reading->fault,
                     "\"path\": \"%s\" fits no file: paths begin at the root of "
                     "the repository, without / or ./",
                     glob.ptr);
    else
        return true;
    return false;
}

static bool read_pattern(struct reading *reading, const char *key, json_t *value,
                         struct gg_pattern *pattern)
{
    static const struct {
        const char *key;
        enum gg_place place;
    } places[] = {{"function", GG_PLACE_FUNCTION},
                  {"object", GG_PLACE_OBJECT},
                  {"file", GG_PLACE_FILE},
                  {"path", GG_PLACE_PATH}};
    *pattern = (struct gg_pattern){.place = GG_PLACES, .form = GG_PATTERN_REGEX};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].key, key) == 0)
            pattern->place = places[i].place;
    }
    if (pattern->place == GG_PLACES)
        return false;
    if (pattern->place != GG_PLACE_PATH) {
        pattern->regex = read_regex(reading, key, value);
        return pattern->regex != NULL;
    }
    pattern->form = GG_PATTERN_GLOB;
    return gg_rule_read_text(reading->arena, key, value, &pattern->text, reading->fault) &&
           check_path(reading, pattern->text);
}

static void read_frame(struct reading *reading, json_t *frame, struct gg_step *step)
{
    static const char *const keys[] = {"function", "object", "file", "path", "within", NULL};
    GG_VEC(struct gg_pattern) patterns = {0};
    step->skips = true;
    if (!json_is_object(frame)) {
        gg_error_set(reading->fault, "each of \"frames\" must be an object");
        return;
    }
    gg_rule_check_keys(frame, "frames: ", keys, reading->fault);
    const char *key;
    json_t *value;
    json_object_foreach(frame, key, value)
    {
        struct gg_pattern pattern;
        if (strcmp(key, "within") == 0)
            read_count(reading, key, value, &step->within);
        else if (read_pattern(reading, key, value, &pattern))
            *gg_vec_push(reading->arena, &patterns) = pattern;
    }
    if (patterns.len == 0)
        gg_error_set(reading->fault, "each of \"frames\" must ask for a \"function\", \"object\", "
                                     "\"file\" or \"path\"");
    step->patterns = patterns.at;
    step->count = patterns.len;
}

static void read_frames(struct reading *reading, json_t *frames)
{
    size_t count = json_array_size(frames);
    if (!json_is_array(frames) || count == 0 || count > FRAMES_MAX) {
        gg_error_set(reading->fault, "\"frames\" must be a list of 1 to %d objects", FRAMES_MAX);
        return;
    }
    struct gg_step *steps = gg_arena_alloc(reading->arena, count * sizeof *steps);
    for (size_t i = 0; i < count; i++)
        read_frame(reading, json_array_get(frames, i), &steps[i]);
    reading->entry->steps = steps;
    reading->entry->step_count = count;
}

/* --- kinds and sizes -------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum gg_group group;
} groups[] = {{"access", GG_GROUP_access}, {"value", GG_GROUP_value}, {"leak", GG_GROUP_leak},
              {"free", GG_GROUP_free},     {"call", GG_GROUP_call},   {"fd", GG_GROUP_fd},
              {"race", GG_GROUP_race},     {"crash", GG_GROUP_crash}, {"other", GG_GROUP_other}};

enum { GROUPS = sizeof groups / sizeof *groups };

static bool add_group(struct gg_str name, bool *kinds)
{
    for (size_t g = 0; g < GROUPS; g++) {
        if (!gg_str_is(name, groups[g].name))
            continue;
        for (size_t i = 0; i < GG_KINDS; i++)
            kinds[i] = kinds[i] || gg_kind_table[i].group == groups[g].group;
        return true;
    }
    return false;
}

static bool add_kind(struct gg_str name, bool *kinds)
{
    for (size_t i = 0; i < GG_KINDS; i++) {
        if (gg_str_is(name, gg_kind_table[i].name))
            return kinds[i] = true;
    }
    return false;
}

static void refuse_kind(struct reading *reading, struct gg_str name)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, name);
    for (size_t i = 0; i < GG_KINDS; i++)
        gg_suggest_offer(&suggest, gg_kind_table[i].name);
    for (size_t i = 0; i < GROUPS; i++)
        gg_suggest_offer(&suggest, groups[i].name);
    if (suggest.best)
        gg_error_set(reading->fault, "unknown kind \"%s\": did you mean \"%s\"?", name.ptr,
                     suggest.best);
    else
        gg_error_set(reading->fault,
                     "unknown kind \"%s\": write one of valgrind's, as it stands "
                     "in reports, or access, value, leak, free, call, fd, race, "
                     "crash, other",
                     name.ptr);
}

static void read_kinds(struct reading *reading, json_t *list)
{
    bool *kinds = gg_arena_alloc(reading->arena, GG_KINDS * sizeof *kinds), whole = true;
    if (!json_is_array(list) || json_array_size(list) == 0) {
        gg_error_set(reading->fault, "\"kinds\" must be a list of kinds, at least one");
        return;
    }
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
    {
        struct gg_str name;
        bool is_text = gg_rule_read_text(reading->arena, "kinds", item, &name, reading->fault);
        bool known = is_text && (add_group(name, kinds) || add_kind(name, kinds));
        if (is_text && !known)
            refuse_kind(reading, name);
        whole = whole && known;
    }
    if (whole)
        reading->entry->condition.kinds = kinds;
}

static void read_range(struct reading *reading, const char *key, json_t *value,
                       struct gg_range *range)
{
    static const char *const keys[] = {"min", "max", NULL};
    if (!json_is_object(value) || json_object_size(value) == 0) {
        gg_error_set(reading->fault, "\"%s\" must be an object with \"min\", \"max\" or both", key);
        return;
    }
    gg_rule_check_keys(value, "", keys, reading->fault);
    json_t *min = json_object_get(value, "min"), *max = json_object_get(value, "max");
    bool least = min && read_number(reading, "min", min, 0, &range->min);
    bool most = max && read_number(reading, "max", max, 0, &range->max);
    if (range->min > range->max)
        gg_error_set(reading->fault, "\"%s\" has a \"min\" above its \"max\"", key);
    if ((min && !least) || (max && !most) || range->min > range->max)
        *range = (struct gg_range){0, UINT64_MAX};
    reading->entry->condition.sized = true;
}

/* --- all of it -------------------------------------------------------------------------- */

/* Is it a key of "match"? */
static bool read_member(struct reading *reading, const char *key, json_t *value)
{
    struct gg_condition *condition = &reading->entry->condition;
    if (strcmp(key, "kinds") == 0)
        read_kinds(reading, value);
    else if (strcmp(key, "message") == 0)
        condition->message = read_regex(reading, key, value);
    else if (strcmp(key, "test") == 0)
        condition->test = read_regex(reading, key, value);
    else if (strcmp(key, "command") == 0)
        condition->command = read_regex(reading, key, value);
    else if (strcmp(key, "frames") == 0)
        read_frames(reading, value);
    else if (strcmp(key, "bytes") == 0)
        read_range(reading, key, value, &condition->bytes);
    else if (strcmp(key, "blocks") == 0)
        read_range(reading, key, value, &condition->blocks);
    else if (strcmp(key, "own_within") == 0)
        read_count(reading, key, value, &condition->own_within);
    else
        return false;
    return true;
}

void gg_rule_read_match(struct gg_arena *arena, json_t *match, struct gg_entry *entry,
                        struct gg_error *fault)
{
    static const char *const keys[] = {"kinds",      "message", "test",   "command", "frames",
                                       "own_within", "bytes",   "blocks", NULL};
    static const bool none[GG_KINDS];
    struct gg_error first = {0};
    struct reading reading = {arena, entry, &first};
    bool asks = false;
    entry->condition.bytes.max = entry->condition.blocks.max = UINT64_MAX;
    if (!json_is_object(match)) {
        gg_error_set(&first, match ? "\"match\" must be an object"
                                   : "\"match\" is missing: say "
                                     "which findings it is for");
    } else {
        const char *key;
        json_t *value;
        gg_rule_check_keys(match, "match: ", keys, &first);
        json_object_foreach(match, key, value) asks = read_member(&reading, key, value) || asks;
    }
    if (json_is_object(match) && json_object_size(match) == 0)
        gg_error_set(&first, "\"match\" asks for nothing, so it would match everything");
    if (!asks)
        entry->condition.kinds = none;
    if (first.set) {
        entry->rule.unclear = true;
        gg_error_set(fault, "%s", first.text);
    }
}
