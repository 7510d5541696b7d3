#include "match/rule_file.h"
#include "base/map.h"
#include "match/rule_lines.h"
#include "match/rule_match.h"
#include "match/rule_value.h"

#include <jansson.h>
#include <string.h>

struct file {
    struct gg_arena *arena;
    const char *name;
    struct gg_str text;
    struct gg_map ids; /* id -> entry */
    gg_entry_list *entries;
};

/* --- one rule --------------------------------------------------------------------------- */

/* NULL, with a fault, when it is there and no text. */
static const char *text_of(struct file *file, json_t *rule, const char *key, struct gg_error *fault)
{
    json_t *value = json_object_get(rule, key);
    struct gg_str text;
    return value && gg_rule_read_text(file->arena, key, value, &text, fault) ? text.ptr : NULL;
}

static const char *required(struct file *file, json_t *rule, const char *key, const char *what,
                            struct gg_error *fault)
{
    if (!json_object_get(rule, key))
        gg_error_set(fault, "\"%s\" is missing: %s", key, what);
    return text_of(file, rule, key, fault);
}

static void claim_id(struct file *file, struct gg_entry *entry, struct gg_error *fault)
{
    const char *id = entry->rule.id;
    void **known = gg_map_put(&file->ids, id, strlen(id));
    const struct gg_entry *first = *known;
    if (first)
        gg_error_set(fault, "the rule of line %u has the same id: give this one another",
                     (unsigned)first->rule.line);
    else
        *known = entry;
}

static const char *const rule_keys[] = {"id",     "reason",   "owner", "ticket", "expires",
                                        "action", "branches", "tests", "match",  NULL};

/* A key that is none, and no misspelled one that only tells about the rule. */
static bool is_stranger(const char *key)
{
    const char *near;
    return !gg_rule_is_key(key, rule_keys, &near) && !gg_rule_is_story(near);
}

/* Where no action is said, but something by a key that is none or at a wrong place, that may have
 * been it. */
static bool may_have_said_action(json_t *rule)
{
    const char *key;
    json_t *value;
    if (json_object_get(json_object_get(rule, "match"), "action"))
        return true;
    json_object_foreach(rule, key, value)
    {
        if (is_stranger(key))
            return true;
    }
    return false;
}

static void check_keys(struct gg_entry *entry, json_t *rule, struct gg_error *fault)
{
    struct gg_error unknown = {0};
    const char *meant = gg_rule_check_keys(rule, "", rule_keys, &unknown);
    if (!unknown.set)
        return;
    gg_error_set(fault, "%s", unknown.text);
    entry->rule.unclear = entry->rule.unclear || !gg_rule_is_story(meant);
}

static void read_action(struct file *file, struct gg_entry *entry, json_t *rule,
                        struct gg_error *fault)
{
    const char *action = text_of(file, rule, "action", fault);
    if (action)
        gg_rule_set_action(entry, gg_str(action), fault);
    else if (json_object_get(rule, "action") || may_have_said_action(rule))
        gg_rule_set_unclear_action(entry);
}

static void read_scope(struct file *file, struct gg_entry *entry, json_t *rule,
                       struct gg_error *fault)
{
    json_t *tests = json_object_get(rule, "tests"), *branches = json_object_get(rule, "branches");
    struct gg_condition *condition = &entry->condition;
    if (tests)
        condition->tests = gg_rule_read_globs(file->arena, "tests", tests, fault);
    if (branches)
        condition->branches = gg_rule_read_globs(file->arena, "branches", branches, fault);
    if ((tests && !condition->tests) || (branches && !condition->branches))
        entry->rule.unclear = true;
}

static void read_rule(struct file *file, struct gg_entry *entry, json_t *json,
                      struct gg_error *fault)
{
    struct gg_rule *rule = &entry->rule;
    const char *id = required(file, json, "id", "give the rule a name of its own", fault);
    if (id) {
        rule->id = id;
        claim_id(file, entry, fault);
    }
    rule->reason = required(file, json, "reason", "say why the rule is right", fault);
    rule->owner = text_of(file, json, "owner", fault);
    rule->ticket = text_of(file, json, "ticket", fault);
    const char *expires = text_of(file, json, "expires", fault);
    if (expires)
        gg_rule_set_expires(file->arena, rule, gg_str(expires), fault);
    check_keys(entry, json, fault);
    read_action(file, entry, json, fault);
    read_scope(file, entry, json, fault);
}

static void add_rule(struct file *file, json_t *json, size_t index, uint32_t line)
{
    struct gg_entry *entry = gg_arena_alloc(file->arena, sizeof *entry);
    struct gg_error fault = {0};
    entry->rule.id = gg_arena_printf(file->arena, "rule %zu", index + 1);
    entry->rule.file = file->name;
    entry->rule.line = line;
    if (json_is_object(json)) {
        read_rule(file, entry, json, &fault);
    } else {
        gg_error_set(&fault, "a rule must be an object");
        gg_rule_set_unclear_action(entry);
    }
    gg_rule_read_match(file->arena, json_object_get(json, "match"), entry, &fault);
    if (fault.set) {
        entry->rule.fault = gg_arena_strdup(file->arena, fault.text);
        entry->rule.state = GG_RULE_MALFORMED;
    }
    *gg_vec_push(file->arena, file->entries) = entry;
}

/* --- the file --------------------------------------------------------------------------- */

static bool check_file(const struct file *file, json_t *root, struct gg_error *err)
{
    static const char *const keys[] = {"$schema", "version", "rules", NULL};
    struct gg_error unknown = {0};
    json_t *schema = json_object_get(root, "$schema"), *version = json_object_get(root, "version");
    if (!json_is_object(root))
        gg_error_at(err, file->name, 1,
                    "a file of rules is an object, {\"version\": 1, \"rules\": "
                    "[...]}");
    else if (!json_is_array(json_object_get(root, "rules")))
        gg_error_at(err, file->name, 0,
                    "has no list \"rules\": write {\"version\": 1, \"rules\": "
                    "[...]}");
    else if (!json_is_number(version) || json_number_value(version) != 1)
        gg_error_at(err, file->name, 0,
                    "\"version\" must be 1, the only one that this grindgate "
                    "reads");
    else if (schema && !json_is_string(schema))
        gg_error_at(err, file->name, 0, "\"$schema\" must be a text");
    gg_rule_check_keys(root, "", keys, &unknown);
    if (unknown.set)
        gg_error_at(err, file->name, 0, "%s", unknown.text);
    return !err->set;
}

static void read_rules(struct file *file, json_t *list)
{
    size_t count = json_array_size(list);
    const uint32_t *lines = gg_rule_lines(file->arena, file->text, count);
    for (size_t i = 0; i < count; i++)
        add_rule(file, json_array_get(list, i), i, lines[i]);
    gg_map_free(&file->ids);
}

bool gg_rule_file_parse(struct gg_arena *arena, const char *name, struct gg_str text,
                        gg_entry_list *entries, struct gg_error *err)
{
    struct file file = {.arena = arena, .name = name, .text = text, .entries = entries};
    json_error_t where;
    json_t *root = json_loadb(text.ptr ? text.ptr : "", text.len,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
    if (!root) {
        gg_error_at(err, name, where.line > 0 ? (unsigned)where.line : 1,
                    "is no JSON: %s; mend it there", where.text);
        return false;
    }
    bool fine = check_file(&file, root, err);
    if (fine)
        read_rules(&file, json_object_get(root, "rules"));
    json_decref(root);
    return fine;
}
