#include "written.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

static struct sample sample;
static json_t *root;

static void parse(void)
{
    json_error_t error;
    size_t len;
    char *text = written(&sample, "json", NULL, &len);
    root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(root, "line %d: %s", error.line, error.text);
    free(text);
}

static void tear_down(void)
{
    json_decref(root);
    sample_free(&sample);
}

TestSuite(json, .fini = tear_down);

/* The keys of an object in their order, "a b c". */
static void check_keys(const json_t *object, const char *expected)
{
    char keys[600] = "";
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        strcat(keys, keys[0] ? " " : "");
        strcat(keys, key);
    }
    cr_expect_eq(strncmp(keys, expected, strlen(expected)), 0, "%s", keys);
}

static const json_t *finding(size_t index)
{
    return json_array_get(json_object_get(root, "findings"), index);
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static json_int_t number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    cr_expect(json_is_integer(value), "%s is a number", key);
    return json_integer_value(value);
}

static bool is_null(const json_t *object, const char *key)
{
    return json_is_null(json_object_get(object, key));
}

/* Taken from the contract, key by key. */
Test(json, promised_keys_come_first_and_in_order)
{
    sample_fail(&sample);
    parse();
    check_keys(root, "$schema version tool repository verdict runs findings rules notes");
    check_keys(json_object_get(root, "tool"), "name version");
    check_keys(json_object_get(root, "repository"), "head base shallow dirty");
    const json_t *verdict = json_object_get(root, "verdict");
    check_keys(verdict, "outcome exit_code reasons counts");
    check_keys(json_object_get(verdict, "counts"), "open suppressed known out-of-scope external");
    check_keys(json_array_get(json_object_get(root, "runs"), 0),
               "pid ppid tool protocol command test source end exit signal");
    check_keys(finding(1),
               "id kind severity fate message leak count runs tests site blame suspects "
               "rule fingerprints stacks");
    check_keys(json_object_get(finding(0), "leak"), "bytes blocks");
    check_keys(json_object_get(finding(1), "site"), "path line function via");
    const json_t *blame = json_object_get(finding(1), "blame");
    check_keys(blame,
               "commit author time summary orig_path orig_line boundary uncommitted in_range");
    check_keys(json_object_get(blame, "author"), "name email");
    check_keys(json_object_get(finding(4), "rule"), "id file line reason");
    const json_t *stack = json_array_get(json_object_get(finding(1), "stacks"), 0);
    check_keys(stack, "role text frames");
    check_keys(json_array_get(json_object_get(stack, "frames"), 0),
               "ip object function path file line zone");
    check_keys(json_array_get(json_object_get(root, "rules"), 0), "id file line hits state");
    check_keys(json_array_get(json_object_get(root, "notes"), 0), "kind text where");
}

/* As the sample says, value by value. */
Test(json, what_rules_did)
{
    sample_fail(&sample);
    parse();
    const json_t *rules = json_object_get(root, "rules");
    cr_assert_eq(json_array_size(rules), 6);
    const json_t *used = json_array_get(rules, 0), *shadowed = json_array_get(rules, 2);
    cr_expect_eq(number_of(used, "matches"), 2);
    cr_expect_eq(number_of(used, "occurrences"), 3);
    cr_expect_eq(json_array_size(json_object_get(used, "runs")), 2);
    cr_expect_eq(json_integer_value(json_array_get(json_object_get(used, "runs"), 1)), 1);
    cr_expect_str_eq(text_of(used, "reason"), "freed by the kernel");
    cr_expect_str_eq(text_of(used, "owner"), "cache-team");
    cr_expect_str_eq(text_of(used, "ticket"), "SHOP-7");
    cr_expect(is_null(used, "shadow"));
    cr_expect(is_null(used, "fault"));
    cr_expect_str_eq(text_of(json_array_get(rules, 1), "expires"), "2024-02-29");
    cr_expect_str_eq(text_of(shadowed, "state"), "shadowed");
    cr_expect_str_eq(text_of(json_object_get(shadowed, "shadow"), "id"), "known-cache");
    cr_expect_eq(number_of(json_object_get(shadowed, "shadow"), "line"), 4);
    cr_expect_str_eq(text_of(json_array_get(rules, 4), "action"), "downgrade");
    cr_expect(strstr(text_of(json_array_get(rules, 4), "fault"), "say why"));
    const json_t *uses = json_object_get(root, "valgrind_suppressions");
    cr_assert_eq(json_array_size(uses), 2);
    cr_expect_str_eq(text_of(json_array_get(uses, 0), "name"), "dl-hack3-cond-1");
    cr_expect_eq(number_of(json_array_get(uses, 0), "count"), 4);
    cr_expect_str_eq(text_of(json_object_get(finding(3), "lapsed"), "id"), "old-list");
    cr_expect_null(json_object_get(finding(2), "lapsed"));
    cr_expect(json_is_true(json_object_get(finding(5), "approximate")));
    cr_expect_null(json_object_get(finding(4), "approximate"));
}

Test(json, a_finding)
{
    sample_fail(&sample);
    parse();
    const json_t *read = finding(1);
    cr_expect_str_eq(text_of(read, "kind"), "InvalidRead");
    cr_expect_str_eq(text_of(read, "severity"), "error");
    cr_expect_str_eq(text_of(read, "fate"), "open");
    cr_expect_str_eq(text_of(read, "message"), "Invalid read of size 8");
    cr_expect(is_null(read, "leak"));
    cr_expect_eq(number_of(read, "count"), 3);
    char *runs = json_dumps(json_object_get(read, "runs"), JSON_COMPACT);
    char *tests = json_dumps(json_object_get(read, "tests"), JSON_COMPACT);
    cr_expect_str_eq(runs, "[0,1]");
    cr_expect_str_eq(tests, "[\"cache\",\"list\"]");
    free(runs);
    free(tests);
    cr_expect_str_eq(text_of(json_object_get(read, "site"), "path"), "src/list.c");
    cr_expect_eq(number_of(json_object_get(read, "site"), "line"), 11);
    cr_expect_str_eq(text_of(json_object_get(read, "site"), "via"), "error");
    cr_expect(is_null(read, "rule"));
    cr_expect_eq(json_array_size(json_object_get(read, "stacks")), 3);
    const json_t *freed = json_array_get(json_object_get(read, "stacks"), 1);
    cr_expect_str_eq(text_of(freed, "role"), "freed");
    const json_t *frames = json_object_get(freed, "frames");
    cr_expect(is_null(json_array_get(frames, 0), "line"));
    cr_expect(is_null(json_array_get(frames, 0), "path"));
    cr_expect_str_eq(text_of(json_array_get(frames, 0), "zone"), "tool");
    cr_expect_str_eq(text_of(json_array_get(frames, 1), "ip"), "0x10A00A");
    cr_expect_eq(number_of(json_object_get(finding(0), "leak"), "bytes"), 72);
    cr_expect_eq(number_of(json_object_get(finding(0), "leak"), "direct"), 32);
}

Test(json, blame_in_each_state)
{
    sample_fail(&sample);
    parse();
    const json_t *known = json_object_get(finding(1), "blame");
    cr_expect_str_eq(text_of(known, "commit"), "3f2a9c1d5e6b7a8091a2b3c4d5e6f708192a3b4c");
    cr_expect_str_eq(text_of(json_object_get(known, "author"), "email"), "ada@example.org");
    cr_expect_str_eq(text_of(known, "time"), "2024-03-02T10:11:12+01:00");
    cr_expect(json_is_false(json_object_get(known, "boundary")));
    cr_expect(json_is_true(json_object_get(known, "in_range")));
    const json_t *uncommitted = json_object_get(finding(0), "blame");
    cr_expect_str_eq(text_of(uncommitted, "commit"), "0000000000000000000000000000000000000000");
    cr_expect(json_is_true(json_object_get(uncommitted, "uncommitted")));
    cr_expect(is_null(uncommitted, "author"));
    const json_t *boundary = json_object_get(finding(2), "blame");
    cr_expect(json_is_true(json_object_get(boundary, "boundary")));
    cr_expect(is_null(boundary, "author"));
    cr_expect(is_null(boundary, "summary"));
    cr_expect_not_null(strstr(text_of(boundary, "why"), "Older than this clone"));
    cr_expect(is_null(finding(3), "blame"));
    cr_expect_str_eq(text_of(finding(3), "blame_unknown"),
                     "The file has no such line in this commit");
}

Test(json, verdict_runs_and_notes)
{
    sample_incomplete(&sample);
    parse();
    const json_t *verdict = json_object_get(root, "verdict");
    cr_expect_str_eq(text_of(verdict, "outcome"), "incomplete");
    cr_expect_eq(number_of(verdict, "exit_code"), 3);
    const json_t *missing = json_array_get(json_object_get(root, "runs"), 2);
    cr_expect_str_eq(text_of(missing, "end"), "missing");
    cr_expect(is_null(missing, "exit"));
    cr_expect(is_null(missing, "test"));
    cr_expect_str_eq(text_of(missing, "signal"), "SIGKILL");
    cr_expect_str_eq(text_of(missing, "detail"), "the process ran, but its report is not there");
    cr_expect_eq(number_of(missing, "ppid"), -1);
    cr_expect_eq(json_array_size(json_object_get(root, "findings")), 0);
    const json_t *note = json_array_get(json_object_get(root, "notes"), 0);
    cr_expect(json_is_true(json_object_get(note, "incomplete")));
    cr_expect_str_eq(text_of(note, "where"), "vg.1.xml");
}

Test(json, a_replaced_run_is_told_from_a_cut_one)
{
    sample_fail(&sample);
    parse();
    const json_t *replaced = json_array_get(json_object_get(root, "runs"), 2);
    cr_expect_str_eq(text_of(replaced, "end"), "truncated");
    cr_expect(json_is_true(json_object_get(replaced, "replaced")));
}

Test(json, numbers_keep_all_their_digits)
{
    sample_clean(&sample);
    sample_leak(&sample)->leak_bytes = INT64_MAX;
    sample.report.findings[0].count = UINT64_MAX;
    size_t len;
    char *text = written(&sample, "json", NULL, &len);
    cr_expect_not_null(strstr(text, "\"bytes\": 9223372036854775807"));
    cr_expect_not_null(strstr(text, "\"count\": 18446744073709551615"));
    free(text);
}

Test(json, what_a_suppression_matches_on_survives)
{
    sample_clean(&sample);
    struct gg_finding *leak = sample_leak(&sample);
    static const char *const frames[] = {"fun:_Znwm", "obj:/lib/x.so"};
    leak->supp_kind = "Memcheck:Leak";
    leak->supp_frames = frames;
    leak->supp_frame_count = 2;
    leak->stacks[0].frames[0]->symbol = "_Znwm";
    parse();
    const json_t *suppression = json_object_get(finding(0), "suppression");
    cr_expect_str_eq(text_of(suppression, "kind"), "Memcheck:Leak");
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(suppression, "frames"), 1)),
                     "obj:/lib/x.so");
    const json_t *stack = json_array_get(json_object_get(finding(0), "stacks"), 0);
    const json_t *list = json_object_get(stack, "frames");
    cr_expect_str_eq(text_of(json_array_get(list, 0), "symbol"), "_Znwm");
    cr_expect_null(json_object_get(json_array_get(list, 1), "symbol"));
}

typedef const char *(*name_of)(unsigned value);

static const char *severity_name(unsigned value)
{
    return gg_severity_name((enum gg_severity)value);
}

static const char *fate_name(unsigned value)
{
    return gg_fate_name((enum gg_fate)value);
}

static const char *via_name(unsigned value)
{
    return gg_via_name((enum gg_via)value);
}

static const char *role_name(unsigned value)
{
    return gg_role_name((enum gg_role)value);
}

static const char *zone_name(unsigned value)
{
    return gg_zone_name((enum gg_zone)value);
}

static const char *end_name(unsigned value)
{
    return gg_end_name((enum gg_end)value);
}

static const char *outcome_name(unsigned value)
{
    return gg_outcome_name((enum gg_outcome)value);
}

static const char *state_name(unsigned value)
{
    return gg_rule_state_name((enum gg_rule_state)value);
}

static const char *action_name(unsigned value)
{
    return gg_action_name((enum gg_action)value);
}

static void check_enum(const json_t *object, const char *key, name_of name, unsigned count)
{
    const json_t *list =
        json_object_get(json_object_get(json_object_get(object, "properties"), key), "enum");
    cr_expect_eq(json_array_size(list), count, "%s", key);
    for (unsigned value = 0; value < count; value++) {
        bool found = false;
        for (size_t i = 0; i < json_array_size(list); i++)
            found |= strcmp(json_string_value(json_array_get(list, i)), name(value)) == 0;
        cr_expect(found, "%s: %s", key, name(value));
    }
}

/* A new value of an enum has to be written into the schema too. */
Test(json, the_schema_knows_every_name)
{
    sample_clean(&sample);
    root = json_load_file(GG_TESTS "/../schemas/report-1.schema.json", 0, NULL);
    cr_assert_not_null(root);
    const json_t *definitions = json_object_get(root, "definitions");
    const json_t *one = json_object_get(definitions, "finding");
    check_enum(one, "severity", severity_name, GG_ERROR + 1);
    check_enum(one, "fate", fate_name, GG_FATES);
    check_enum(json_object_get(definitions, "site"), "via", via_name, GG_VIA_ALLOCATED + 1);
    check_enum(json_object_get(definitions, "stack"), "role", role_name, GG_ROLE_OTHER + 1);
    check_enum(json_object_get(definitions, "frame"), "zone", zone_name, GG_ZONE_TOOL + 1);
    check_enum(json_object_get(definitions, "run"), "end", end_name, GG_END_MISSING + 1);
    const json_t *rule = json_object_get(definitions, "loaded_rule");
    check_enum(rule, "state", state_name, GG_RULE_MALFORMED + 1);
    check_enum(rule, "action", action_name, GG_ACTION_FAIL + 1);
    check_enum(json_object_get(json_object_get(root, "properties"), "verdict"), "outcome",
               outcome_name, GG_PROGRAM_FAILED + 1);
}
