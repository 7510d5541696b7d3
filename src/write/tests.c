#include "write/tests.h"

void gg_tests_tally(struct gg_out *out, const struct gg_report *report)
{
    static const char *const words[] = {[GG_TEST_PASSED] = "passed",
                                        [GG_TEST_FAILED] = "failed",
                                        [GG_TEST_NOT_RUN] = "not run",
                                        [GG_TEST_SKIPPED] = "skipped",
                                        [GG_TEST_DISABLED] = "disabled"};
    enum { STATES = sizeof words / sizeof *words };
    size_t counts[STATES] = {0};
    for (size_t i = 0; i < report->test_count; i++)
        counts[report->tests[i].state]++;
    const char *between = "";
    for (size_t state = 0; state < STATES; state++) {
        if (!counts[state])
            continue;
        gg_out_printf(out, "%s%zu%s %s", between, counts[state],
                      between[0]           ? ""
                      : counts[state] == 1 ? " test"
                                           : " tests",
                      words[state]);
        between = ", ";
    }
    if (report->test_count)
        gg_out_text(out, "; ");
}

void gg_tests_put(struct gg_json *json, const struct gg_report *report)
{
    if (!report->test_count)
        return;
    gg_json_key(json, "tests");
    gg_json_array(json);
    for (size_t i = 0; i < report->test_count; i++) {
        gg_json_object_inline(json);
        gg_json_put_string(json, "name", report->tests[i].name);
        gg_json_put_string(json, "status", gg_test_state_name(report->tests[i].state));
        gg_json_put_string(json, "detail", report->tests[i].detail);
        gg_json_end_object(json);
    }
    gg_json_end_array(json);
}
