#include "written.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

static struct sample sample;
static json_t *root;
static const json_t *run;

static void parse(void)
{
    json_error_t error;
    size_t len;
    char *text = written(&sample, "sarif", NULL, &len);
    root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(root, "line %d: %s", error.line, error.text);
    free(text);
    run = json_array_get(json_object_get(root, "runs"), 0);
}

static void tear_down(void)
{
    json_decref(root);
    sample_free(&sample);
}

TestSuite(sarif, .fini = tear_down);

/* The value at "a.0.b" below a value. */
static const json_t *at(const json_t *value, const char *path)
{
    char copy[200], *save = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *step = strtok_r(copy, "/", &save); step; step = strtok_r(NULL, "/", &save)) {
        char *end;
        size_t index = strtoul(step, &end, 10);
        value = *end ? json_object_get(value, step) : json_array_get(value, index);
    }
    return value;
}

static const char *text_at(const json_t *value, const char *path)
{
    const char *text = json_string_value(at(value, path));
    return text ? text : "(none)";
}

static json_int_t number_at(const json_t *value, const char *path)
{
    return json_is_integer(at(value, path)) ? json_integer_value(at(value, path)) : -1;
}

static size_t size_at(const json_t *value, const char *path)
{
    return json_array_size(at(value, path));
}

Test(sarif, only_open_findings_with_a_line_are_results)
{
    sample_fail(&sample);
    sample.report.findings[3].has_site = false;
    parse();
    cr_expect_eq(size_at(run, "results"), 3);
    cr_expect_str_eq(text_at(run, "results/0/ruleId"), "Leak_DefinitelyLost");
    cr_expect_str_eq(text_at(run, "results/1/ruleId"), "InvalidRead");
    cr_expect_str_eq(text_at(run, "results/2/ruleId"), "SyscallParam");
    cr_expect_eq(number_at(run, "properties/openWithoutLocation"), 1);
    cr_expect_eq(number_at(run, "properties/counts/suppressed"), 2);
    const json_t *notes = at(run, "invocations/0/toolExecutionNotifications");
    cr_assert_eq(json_array_size(notes), 3);
    cr_expect_str_eq(text_at(notes, "1/descriptor/id"), "rule-expired");
    cr_expect_str_eq(text_at(notes, "1/level"), "warning");
    cr_expect_str_eq(text_at(notes, "2/descriptor/id"), "no-location");
    cr_expect_str_eq(text_at(notes, "2/level"), "warning");
    cr_expect_not_null(strstr(text_at(notes, "2/message/text"), "1 open finding has no line"));
}

Test(sarif, a_result)
{
    sample_fail(&sample);
    parse();
    const json_t *result = at(run, "results/1");
    cr_expect_str_eq(text_at(result, "level"), "error");
    cr_expect_str_eq(
        text_at(result, "message/text"),
        "Invalid read of size 8 in list_pop. The block was [freed here](1). The block was "
        "[allocated here](2). Last changed by Ada Lovelace in 3f2a9c1 (2024-03-02): Free the node "
        "before it is read. Seen 3 times in 2 processes in tests cache, list.");
    const json_t *place = at(result, "locations/0/physicalLocation");
    cr_expect_str_eq(text_at(place, "artifactLocation/uri"), "src/list.c");
    cr_expect_str_eq(text_at(place, "artifactLocation/uriBaseId"), "%SRCROOT%");
    cr_expect_not_null(at(run, "originalUriBaseIds/%SRCROOT%"));
    cr_expect_null(at(run, "originalUriBaseIds/%SRCROOT%/uri"));
    cr_expect_eq(number_at(place, "region/startLine"), 11);
    cr_expect_eq(json_object_size(at(place, "region")), 1);
    cr_expect_str_eq(text_at(result, "locations/0/logicalLocations/0/fullyQualifiedName"),
                     "list_pop");
    cr_expect_eq(number_at(result, "occurrenceCount"), 3);
    cr_expect_eq(number_at(result, "relatedLocations/0/id"), 1);
    cr_expect_eq(number_at(result, "relatedLocations/0/physicalLocation/region/startLine"), 10);
    cr_expect_eq(number_at(result, "relatedLocations/1/physicalLocation/region/startLine"), 18);
    cr_expect_eq(size_at(result, "stacks"), 3);
    cr_expect_str_eq(text_at(result, "stacks/1/frames/0/location/message/text"),
                     "free in valgrind.");
    cr_expect_str_eq(text_at(result, "stacks/1/frames/0/module"), "vgpreload.so");
    cr_expect_null(at(result, "suppressions"));
}

Test(sarif, blame_has_the_shape_of_git_porcelain)
{
    sample_fail(&sample);
    parse();
    const json_t *blame = at(run, "results/1/properties/blame");
    cr_expect_str_eq(text_at(blame, "commit"), "3f2a9c1d5e6b7a8091a2b3c4d5e6f708192a3b4c");
    cr_expect_str_eq(text_at(blame, "author"), "Ada Lovelace");
    cr_expect_str_eq(text_at(blame, "author-mail"), "<ada@example.org>");
    cr_expect_str_eq(text_at(blame, "author-time"), "1709370672");
    cr_expect_str_eq(text_at(blame, "author-tz"), "+0100");
    cr_expect_str_eq(text_at(blame, "summary"), "Free the node before it is read");
    cr_expect_str_eq(text_at(blame, "filename"), "src/list.c");
    cr_expect_str_eq(text_at(run, "results/0/properties/blame/author"), "Not Committed Yet");
    const json_t *boundary = at(run, "results/2/properties/blame");
    cr_expect(json_is_true(at(boundary, "boundary")));
    cr_expect_null(at(boundary, "author"));
    cr_expect_null(at(run, "results/3/properties/blame"));
}

Test(sarif, the_flow_runs_from_allocation_to_access)
{
    static const struct {
        json_int_t line;
        const char *kind;
    } steps[] = {{7, "call"},     {18, "acquire"}, {9, "call"},
                 {10, "release"}, {9, "call"},     {11, "danger"}};
    sample_fail(&sample);
    parse();
    const json_t *flow = at(run, "results/1/codeFlows/0/threadFlows/0/locations");
    cr_assert_eq(json_array_size(flow), 6);
    for (size_t i = 0; i < 6; i++) {
        const json_t *step = json_array_get(flow, i);
        cr_expect_eq(number_at(step, "location/physicalLocation/region/startLine"), steps[i].line);
        cr_expect_str_eq(text_at(step, "kinds/0"), steps[i].kind);
    }
    cr_expect_eq(number_at(flow, "0/nestingLevel"), 0);
    cr_expect_eq(number_at(flow, "1/nestingLevel"), 1);
    cr_expect_null(at(run, "results/2/codeFlows"), "one step is no flow");
}

Test(sarif, one_result_for_a_rule_and_line)
{
    sample_clean(&sample);
    sample_invalid_read(&sample);
    sample_leak(&sample)->severity = GG_WARNING;
    sample_leak(&sample);
    sample_invalid_read(&sample);
    sample_invalid_read(&sample)->kind = GG_KIND_InvalidWrite;
    parse();
    cr_assert_eq(size_at(run, "results"), 3);
    const json_t *read = at(run, "results/0");
    cr_expect_eq(number_at(read, "occurrenceCount"), 6);
    cr_expect_eq(size_at(read, "relatedLocations"), 3);
    cr_expect_eq(number_at(read, "relatedLocations/2/id"), 3);
    cr_expect_str_eq(text_at(read, "relatedLocations/2/properties/id"),
                     sample.report.findings[3].id);
    cr_expect_str_eq(json_string_value(json_object_get(at(read, "relatedLocations/2/properties"),
                                                       "grindgate/v1")),
                     sample.report.findings[3].fingerprint);
    cr_expect_str_eq(text_at(run, "results/1/level"), "error", "the worst of both");
    cr_expect_str_eq(text_at(run, "results/2/ruleId"), "InvalidWrite");
}

Test(sarif, paths_are_percent_encoded_bytes)
{
    sample_clean(&sample);
    struct gg_finding *finding = sample_invalid_read(&sample);
    finding->site.path = "a:b c/100%\xff\n.c";
    parse();
    cr_expect_str_eq(text_at(run, "results/0/locations/0/physicalLocation/artifactLocation/uri"),
                     "a%3Ab%20c/100%25%FF%0A.c");
}

Test(sarif, a_path_that_leaves_the_repository_is_no_location)
{
    static const char *const paths[] = {"../x.c", "/etc/passwd", "a/../../x.c", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        sample_clean(&sample);
        sample_invalid_read(&sample)->site.path = paths[i];
        sample.report.findings[0].stacks[1].frames[1]->path = paths[i];
        parse();
        cr_expect_eq(size_at(run, "results"), 0, "%s", paths[i]);
        cr_expect_eq(number_at(run, "properties/openWithoutLocation"), 1);
        json_decref(root);
        sample_free(&sample);
    }
    sample_clean(&sample);
    sample_invalid_read(&sample)->stacks[1].frames[1]->path = "../x.c";
    parse();
    cr_expect_null(at(run, "results/0/stacks/1/frames/1/location/physicalLocation"));
    cr_expect_str_eq(
        text_at(run, "results/0/relatedLocations/0/physicalLocation/artifactLocation/uri"),
        "tests/main.c", "the next line that is one");
}

Test(sarif, names_make_no_links)
{
    sample_clean(&sample);
    struct gg_finding *finding = sample_invalid_read(&sample);
    finding->site.function = "operator delete[](void*)";
    finding->stacks[0].frames[0]->function = "operator[](int)";
    finding->blame.summary = "[x](http://evil) {0}";
    parse();
    const char *text = text_at(run, "results/0/message/text");
    cr_expect_not_null(strstr(text, "in operator delete[] (void*). "));
    cr_expect_not_null(strstr(text, "[x] (http://evil) {0}. "));
    cr_expect_str_eq(text_at(run, "results/0/stacks/0/frames/0/location/message/text"),
                     "operator[] (int).");
    cr_expect_str_eq(text_at(run, "results/0/locations/0/logicalLocations/0/fullyQualifiedName"),
                     "operator delete[](void*)", "a name is not text");
}

Test(sarif, rules_and_weaknesses)
{
    sample_fail(&sample);
    parse();
    const json_t *rules = at(run, "tool/driver/rules"), *results = at(run, "results");
    cr_expect_eq(json_array_size(rules), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *result = json_array_get(results, i);
        const json_t *rule = json_array_get(rules, (size_t)number_at(result, "ruleIndex"));
        cr_expect_str_eq(text_at(rule, "id"), text_at(result, "ruleId"));
        cr_expect_str_neq(text_at(rule, "id"), text_at(rule, "name"));
    }
    const json_t *read = at(run, "tool/driver/rules/0");
    cr_expect_str_eq(text_at(read, "id"), "InvalidRead");
    cr_expect_str_eq(text_at(read, "properties/tags/1"), "security");
    cr_expect_str_eq(text_at(read, "properties/tags/2"), "external/cwe/cwe-125");
    cr_expect_str_eq(text_at(read, "properties/problem.severity"), "error");
    cr_expect_str_eq(text_at(read, "properties/security-severity"), "8.8");
    cr_expect_str_eq(text_at(read, "relationships/0/target/id"), "CWE-125");
    const json_t *leak = at(run, "tool/driver/rules/2");
    cr_expect_str_eq(text_at(leak, "id"), "Leak_DefinitelyLost");
    cr_expect_str_eq(text_at(leak, "properties/tags/0"), "leak");
    cr_expect_null(at(leak, "properties/security-severity"));
    const json_t *taxon = at(run, "results/1/taxa/0");
    cr_expect_str_eq(text_at(taxon, "id"), "CWE-416", "the block is freed");
    cr_expect_str_eq(
        text_at(json_array_get(at(run, "taxonomies/0/taxa"), (size_t)number_at(taxon, "index")),
                "id"),
        "CWE-416");
}

Test(sarif, execution_is_unsuccessful_only_when_undecided)
{
    sample_fail(&sample);
    sample_note(&sample, "error-limit", NULL, "stopped")->incomplete = true;
    parse();
    cr_expect(json_is_true(at(run, "invocations/0/executionSuccessful")));
    cr_expect_eq(number_at(run, "invocations/0/exitCode"), 1);
    cr_expect_str_eq(text_at(run, "invocations/0/toolExecutionNotifications/2/level"), "warning");
    json_decref(root);
    sample_free(&sample);
    sample_incomplete(&sample);
    parse();
    cr_expect(json_is_false(at(run, "invocations/0/executionSuccessful")));
    cr_expect_eq(number_at(run, "invocations/0/exitCode"), 3);
    const json_t *notes = at(run, "invocations/0/toolExecutionNotifications");
    cr_assert_eq(json_array_size(notes), 3);
    cr_expect_str_eq(text_at(notes, "0/level"), "error");
    cr_expect_str_eq(text_at(notes, "0/message/text"), "vg.2.xml: the report stops in line 812.");
    cr_expect_eq(size_at(run, "results"), 0);
    cr_expect(json_is_array(at(run, "results")));
}
