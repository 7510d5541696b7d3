/* What helgrind and drd write differently. */
#include <criterion/criterion.h>

#include "reading.h"

Test(tools, helgrind_says_where_threads_were_created)
{
    struct reading r;
    read_text(
        &r,
        WHOLE("<announcethread>\n  <hthreadid>1</hthreadid>\n  <isrootthread></isrootthread>\n"
              "</announcethread>\n<announcethread>\n  <hthreadid>2</hthreadid>\n" STACK(
                  "spawn",
                  "4") "</announcethread>\n" ERROR_WITH("0x0", "Race",
                                                        "  <xwhat>\n    <text>Possible data race "
                                                        "during read of size 4 at 0x10C0A0 by "
                                                        "thread #1</text>\n    "
                                                        "<hthreadid>1</hthreadid>\n  "
                                                        "</xwhat>\n" STACK(
                                                            "main",
                                                            "9") "  <xauxwhat>\n    <text>This "
                                                                 "conflicts with a previous write "
                                                                 "of size 4 by "
                                                                 "thread #2</text>\n    "
                                                                 "<hthreadid>2</hthreadid>\n  "
                                                                 "</xauxwhat>\n" STACK("race",
                                                                                       "8"))));
    const struct gg_finding *finding = finding_of(&r, "Race");
    cr_assert_eq(finding->stack_count, 3);
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "main");
    expect_stack(&finding->stacks[1], GG_ROLE_OTHER,
                 "This conflicts with a previous write of size 4 by thread #2", "race");
    expect_stack(&finding->stacks[2], GG_ROLE_OTHER, "Thread #2 was created", "spawn");
    reading_free(&r);
}

Test(tools, helgrind_adds_a_what_to_an_xwhat)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "PthAPIerror",
                                   "  <xwhat>\n    <text>Thread #1's call to "
                                   "pthread_mutex_destroy failed</text>\n"
                                   "    <hthreadid>1</hthreadid>\n  </xwhat>\n"
                                   "  <what>   with error code 16 (EBUSY: Device or resource "
                                   "busy)</what>\n" STACK("f", "1"))));
    cr_expect_str_eq(finding_of(&r, "PthAPIerror")->message,
                     "Thread #1's call to pthread_mutex_destroy failed: with error code 16 (EBUSY: "
                     "Device or resource busy)");
    reading_free(&r);
}

Test(tools, drd_wraps_further_stacks)
{
    struct reading r;
    read_text(
        &r,
        WHOLE(ERROR_WITH(
            "0x0", "ConflictingAccess",
            "  <acquired_at>\n" STACK(
                "lock",
                "1") "  </acquired_at>\n"
                     "  <what>Conflicting load by thread 1 at 0x04a73034 size 4</what>\n" STACK(
                         "main",
                         "2") "  <auxwhat>Address 0x4a73034 is at offset 4 from "
                              "0x4a73030.</auxwhat>\n"
                              "  <allocation_context>\n" STACK(
                                  "make",
                                  "3") "  </allocation_context>\n"
                                       "  <auxwhat>Allocation context: BSS section of "
                                       "/home/u/prog</auxwhat>\n"
                                       "  <other_segment_start>\n" STACK(
                                           "start",
                                           "4") "  </other_segment_start>\n"
                                                "  <first_observed_at>\n    <what>mutex</what>\n   "
                                                " <address>0x10c100</address>\n" STACK(
                                                    "init", "5") "  </first_observed_at>\n")));
    const struct gg_finding *finding = finding_of(&r, "ConflictingAccess");
    cr_assert_eq(finding->stack_count, 5);
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "main");
    expect_stack(&finding->stacks[1], GG_ROLE_OTHER, "Acquired at", "lock");
    expect_stack(&finding->stacks[2], GG_ROLE_ALLOCATED,
                 "Address 0x4a73034 is at offset 4 from 0x4a73030.", "make");
    expect_stack(&finding->stacks[3], GG_ROLE_OTHER, "Start of the other segment", "start");
    expect_stack(&finding->stacks[4], GG_ROLE_OTHER, "mutex was first observed at", "init");
    cr_assert_eq(finding->note_count, 1);
    cr_expect_str_eq(finding->notes[0], "Allocation context: BSS section of /home/u/prog");
    reading_free(&r);
}
