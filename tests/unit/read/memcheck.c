/* What each element of a report becomes. */
#include <criterion/criterion.h>
#include <string.h>

#include "reading.h"

Test(memcheck, the_head_tells_the_process)
{
    struct reading r;
    read_text(&r, WHOLE(""));
    cr_assert(r.ok);
    cr_assert_eq(r.report.run_count, 1);
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_eq(run->pid, 42);
    cr_expect_eq(run->ppid, 41);
    cr_expect_str_eq(run->tool, "memcheck");
    cr_expect_eq(run->protocol, 4);
    cr_expect_str_eq(run->version, "3.19.0");
    cr_expect_str_eq(run->source, "in.xml");
    cr_expect_str_eq(run->command[0], "./prog");
    cr_expect_str_eq(run->command[1], "a");
    cr_expect_null(run->command[2]);
    cr_expect_str_eq(run->options[0], "--xml=yes");
    cr_expect_null(run->options[1]);
    cr_expect(run->saw_running && run->saw_finished);
    cr_expect_not(run->mangled || run->forked);
    cr_expect_eq(run->end, GG_END_FINISHED);
    cr_expect_null(run->detail);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(memcheck, an_error_has_kind_message_and_stack)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x7f", "InvalidRead",
                                   "  <what>Invalid read of size 4</what>\n  <stack>\n" FRAME(
                                       "std::vector&lt;int&gt;::at", "9")
                                       FRAME("main", "20") "  </stack>\n")));
    cr_expect_eq(r.report.runs[0].errors, 1);
    const struct gg_finding *finding = finding_of(&r, "InvalidRead");
    cr_expect_eq(finding->kind, GG_KIND_InvalidRead);
    cr_expect_str_eq(finding->message, "Invalid read of size 4");
    cr_expect_eq(finding->stack_count, 1);
    cr_expect_eq(finding->stacks[0].len, 2);
    const struct gg_frame *frame = finding->stacks[0].frames[0];
    cr_expect_eq(frame->ip, 0x10921C);
    cr_expect_str_eq(frame->object, "/home/u/prog");
    cr_expect_str_eq(frame->symbol, "std::vector<int>::at");
    cr_expect_str_eq(frame->dir, "/home/u/src");
    cr_expect_str_eq(frame->file, "prog.c");
    cr_expect_eq(frame->line, 9);
    cr_expect_eq(finding->stacks[0].frames[1]->line, 20);
    reading_free(&r);
}

Test(memcheck, a_frame_may_have_no_more_than_an_address)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "InvalidJump",
                                   "  <what>Jump to the invalid address stated on the next "
                                   "line</what>\n  <stack>\n    <frame>\n      <ip>0x0</ip>\n"
                                   "    </frame>\n  </stack>\n")));
    const struct gg_frame *frame = finding_of(&r, "InvalidJump")->stacks[0].frames[0];
    cr_expect_eq(frame->ip, 0);
    cr_expect(!frame->object && !frame->function && !frame->dir && !frame->file && !frame->line);
    reading_free(&r);
}

Test(memcheck, children_of_an_error_come_in_any_order)
{
    struct reading r;
    read_text(&r, WHOLE("<error>\n" STACK(
                      "f", "3") "  <what>Invalid read of size 1</what>\n"
                                "  <kind>InvalidRead</kind>\n  <unique>0x1</unique>\n</error>\n"));
    const struct gg_finding *finding = finding_of(&r, "InvalidRead");
    cr_expect_str_eq(finding->message, "Invalid read of size 1");
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "f");
    reading_free(&r);
}

Test(memcheck, the_sentence_before_a_stack_gives_its_role)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH(
                      "0x0", "InvalidRead",
                      "  <what>Invalid read of size 4</what>\n" STACK(
                          "use",
                          "1") "  <auxwhat>Address 0x4a49040 is 0 bytes inside a block of size 10 "
                               "free'd</auxwhat>\n" STACK(
                                   "drop",
                                   "2") "  <auxwhat>Block was alloc'd at</auxwhat>\n" STACK("make",
                                                                                            "3"))));
    const struct gg_finding *finding = finding_of(&r, "InvalidRead");
    cr_assert_eq(finding->stack_count, 3);
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "use");
    expect_stack(&finding->stacks[1], GG_ROLE_FREED,
                 "Address 0x4a49040 is 0 bytes inside a block of size 10 free'd", "drop");
    expect_stack(&finding->stacks[2], GG_ROLE_ALLOCATED, "Block was alloc'd at", "make");
    cr_expect_eq(finding->note_count, 0);
    reading_free(&r);
}

Test(memcheck, a_sentence_without_a_stack_is_a_note)
{
    struct reading r;
    read_text(
        &r,
        WHOLE(ERROR_WITH(
            "0x0", "UninitValue",
            "  <what>Use of uninitialised value of size 8</what>\n" STACK(
                "use", "1") "  <auxwhat>Address 0x1ffefff is on thread 1's stack</auxwhat>\n"
                            "  <auxwhat>in frame #0, created by use (prog.c:1)</auxwhat>\n"
                            "  <auxwhat>Uninitialised value was created by a stack "
                            "allocation</auxwhat>\n" STACK(
                                "use", "0") "  <xauxwhat><text>declared at prog.c:8, in frame #1 "
                                            "of thread 1</text> "
                                            "<file>prog.c</file> <line>8</line> </xauxwhat>\n")));
    const struct gg_finding *finding = finding_of(&r, "UninitValue");
    cr_assert_eq(finding->stack_count, 2);
    expect_stack(&finding->stacks[1], GG_ROLE_ORIGIN,
                 "Uninitialised value was created by a stack allocation", "use");
    cr_assert_eq(finding->note_count, 3);
    cr_expect_str_eq(finding->notes[0], "Address 0x1ffefff is on thread 1's stack");
    cr_expect_str_eq(finding->notes[1], "in frame #0, created by use (prog.c:1)");
    cr_expect_str_eq(finding->notes[2], "declared at prog.c:8, in frame #1 of thread 1");
    reading_free(&r);
}

/* valgrind 3.24 */
Test(memcheck, the_own_stack_of_a_bad_descriptor_may_come_last)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH(
                      "0x0", "FdBadUse",
                      "  <fd>5</fd>\n  <path>/etc/group</path>\n"
                      "  <what>File descriptor 5 was closed already</what>\n"
                      "  <auxwhat>Previously closed</auxwhat>\n" STACK(
                          "shut", "1") "  <auxwhat>Originally opened</auxwhat>\n" STACK("get", "2")
                          STACK("use", "3"))));
    const struct gg_finding *finding = finding_of(&r, "FdBadUse");
    cr_assert_eq(finding->stack_count, 3);
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "use");
    expect_stack(&finding->stacks[1], GG_ROLE_OTHER, "Previously closed", "shut");
    expect_stack(&finding->stacks[2], GG_ROLE_OTHER, "Originally opened", "get");
    cr_assert_eq(finding->note_count, 1);
    cr_expect_str_eq(finding->notes[0], "The file is /etc/group");
    reading_free(&r);
}

Test(memcheck, an_error_may_have_no_stack)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "FdNotClosed",
                                   "  <fd>10</fd>\n  <path>/dev/null</path>\n"
                                   "  <what>Open file descriptor 10: /dev/null</what>\n")));
    const struct gg_finding *finding = finding_of(&r, "FdNotClosed");
    cr_expect_eq(finding->stack_count, 0);
    cr_expect_eq(finding->note_count, 0); /* the path is in the message */
    reading_free(&r);
}

Test(memcheck, a_leak_has_numbers)
{
    struct reading r;
    read_text(&r, HEAD RUNNING FINISHED ERROR_WITH(
                      "0x1", "Leak_DefinitelyLost",
                      "  <xwhat>\n    <text>5,000,000,233 (24 direct, 5,000,000,209 indirect) "
                      "bytes in 1,003 blocks are definitely lost in loss record 4 of 6</text>\n"
                      "    <leakedbytes>5000000233</leakedbytes>\n"
                      "    <leakedblocks>1003</leakedblocks>\n  </xwhat>\n" STACK("make", "7"))
                      COUNTS END);
    const struct gg_finding *finding = finding_of(&r, "Leak_DefinitelyLost");
    cr_expect(finding->is_leak);
    cr_expect_eq(finding->leak_bytes, 5000000233u);
    cr_expect_eq(finding->leak_direct, 24);
    cr_expect_eq(finding->leak_blocks, 1003);
    cr_expect(finding->witnesses[0].final);
    reading_free(&r);
}

#define LEAK(unique, text)                                                                 \
    ERROR_WITH(unique, "Leak_DefinitelyLost",                                              \
               "  <xwhat>\n    <text>" text "</text>\n    <leakedbytes>33</leakedbytes>\n" \
               "    <leakedblocks>1</leakedblocks>\n  </xwhat>\n" STACK("make", "7"))

/* VALGRIND_DO_ADDED_LEAK_CHECK, and the check at exit again */
Test(memcheck, a_leak_before_the_end_is_not_final)
{
    struct reading r;
    read_text(&r, HEAD RUNNING LEAK("0x1", "33 (+33) bytes in 1 (+1) blocks are definitely lost "
                                           "in new loss record 1 of 1") END);
    cr_expect_not(finding_of(&r, "Leak_DefinitelyLost")->witnesses[0].final);
    reading_free(&r);
    read_text(&r, HEAD RUNNING LEAK("0x1", "33 (+33) bytes in 1 (+1) blocks are definitely lost "
                                           "in new loss record 1 of 1")
                      FINISHED LEAK("0x2", "33 bytes in 1 blocks are definitely lost in loss "
                                           "record 1 of 1") COUNTS END);
    const struct gg_finding *finding = finding_of(&r, "Leak_DefinitelyLost");
    cr_expect_eq(finding->witness_count, 1);
    cr_expect(finding->witnesses[0].final);
    cr_expect_eq(finding->leak_bytes, 33);
    cr_expect_eq(r.report.runs[0].errors, 2);
    reading_free(&r);
}

Test(memcheck, counts_join_their_errors)
{
    struct reading r;
    read_text(&r, HEAD RUNNING ERROR_AT("0x0", "9") ERROR_AT("0x2a", "10") FINISHED
              "<errorcounts>\n  <pair>\n    <count>8</count>\n    <unique>0x2a</unique>\n"
              "  </pair>\n  <pair>\n    <count>1</count>\n    <unique>0x0</unique>\n"
              "  </pair>\n  <pair>\n    <count>5</count>\n    <unique>0x77</unique>\n"
              "  </pair>\n</errorcounts>\n<suppcounts>\n  <pair>\n    <count>12</count>\n"
              "    <name>dl &lt;x&gt;</name>\n  </pair>\n</suppcounts>\n" END);
    cr_assert_eq(r.report.finding_count, 2);
    uint64_t total = r.report.findings[0].count + r.report.findings[1].count;
    cr_expect_eq(total, 9);
    const struct gg_run *run = &r.report.runs[0];
    cr_assert_eq(run->suppcount_count, 1);
    cr_expect_str_eq(run->suppcounts[0].name, "dl <x>");
    cr_expect_eq(run->suppcounts[0].count, 12);
    reading_free(&r);
}

/* gdb's monitor can ask for the counts while the program runs. */
Test(memcheck, the_last_counts_count)
{
#define COUNT(n)                                                                               \
    "<errorcounts>\n  <pair>\n    <count>" n "</count>\n    <unique>0x0</unique>\n  </pair>\n" \
    "</errorcounts>\n"
    struct reading r;
    read_text(&r, HEAD RUNNING ERROR_AT("0x0", "9") COUNT("3") FINISHED COUNT("7") END);
    cr_expect_eq(finding_of(&r, "UninitCondition")->count, 7);
    reading_free(&r);
}

#define SUPPRESSION                                                                              \
    "  <suppression>\n    <sname>insert_a_suppression_name_here</sname>\n"                       \
    "    <skind>Memcheck:Param</skind>\n    <skaux>write(buf)</skaux>\n"                         \
    "    <sframe> <fun>_ZN3fooEv</fun> </sframe>\n    <sframe> <obj>/lib/x.so</obj> </sframe>\n" \
    "    <rawtext>\n<![CDATA[\n{\n   <insert_a_suppression_name_here>\n   "                      \
    "Memcheck:Param\n}\n]]>\n"                                                                   \
    "    </rawtext>\n  </suppression>\n"

Test(memcheck, a_generated_suppression_belongs_to_its_error)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "SyscallParam",
                                   "  <what>Syscall param write(buf) points to uninitialised "
                                   "byte(s)</what>\n" STACK("foo", "1") SUPPRESSION) SUPPRESSION));
    const struct gg_finding *finding = finding_of(&r, "SyscallParam");
    cr_expect_str_eq(finding->supp_kind, "Memcheck:Param");
    cr_expect_str_eq(finding->supp_extra, "write(buf)");
    cr_assert_eq(finding->supp_frame_count, 2);
    cr_expect_str_eq(finding->supp_frames[0], "fun:_ZN3fooEv");
    cr_expect_str_eq(finding->supp_frames[1], "obj:/lib/x.so");
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}

Test(memcheck, a_fatal_signal_is_a_finding_but_no_error)
{
    struct reading r;
    read_text(&r, WHOLE("<fatal_signal>\n  <tid>1</tid>\n  <threadname>worker</threadname>\n"
                        "  <signo>11</signo>\n  <signame>SIGSEGV</signame>\n"
                        "  <sicode>1</sicode>\n"
                        "  <event>Access not within mapped region</event>\n"
                        "  <siaddr>0x10</siaddr>\n" STACK("crash", "5") "</fatal_signal>\n"));
    cr_expect_eq(r.report.runs[0].errors, 0);
    cr_expect_str_eq(r.report.runs[0].fatal, "SIGSEGV");
    const struct gg_finding *finding = finding_of(&r, "FatalSignal");
    cr_expect_eq(finding->kind, GG_KIND_FatalSignal);
    cr_expect(strncmp(finding->message, "Killed by SIGSEGV: Access not within mapped region at ",
                      54) == 0);
    cr_expect_str_eq(finding->thread, "worker");
    expect_stack(&finding->stacks[0], GG_ROLE_ERROR, NULL, "crash");
    reading_free(&r);
}

Test(memcheck, a_client_message_is_a_note)
{
    struct reading r;
    read_text(&r, WHOLE("<clientmsg>\n  <tid>1</tid>\n  <text>hello &lt;a&gt; 5\n  </text>\n" STACK(
                      "say", "5") "</clientmsg>\n"));
    const struct gg_note *note = note_of(&r, "client-message");
    cr_assert_not_null(note);
    cr_expect_str_eq(note->text, "hello <a> 5 (at prog.c:5)");
    cr_expect_str_eq(note->where, "in.xml");
    cr_expect_not(note->incomplete);
    reading_free(&r);
}

Test(memcheck, a_stack_outside_any_error_is_one_note)
{
    struct reading r;
    read_text(&r, WHOLE(STACK("f", "1") STACK("g", "2")));
    cr_expect_not_null(note_of(&r, "stray-stack"));
    cr_expect_eq(r.report.finding_count, 0);
    reading_free(&r);
}

/* Protocol 6 repeats <kind> in its summaries. */
Test(memcheck, numbers_of_the_summaries_are_not_taken_for_errors)
{
    struct reading r;
    read_text(&r, HEAD RUNNING FINISHED
              "<heap_summary>\n  <memory_in_use_at_exit>\n    <bytes>1,234,567</bytes>\n"
              "    <blocks>3</blocks>\n  </memory_in_use_at_exit>\n  <total_heap_usage>\n"
              "    <allocs>5</allocs>\n    <frees>2</frees>\n"
              "    <bytes_allocated>9</bytes_allocated>\n  </total_heap_usage>\n</heap_summary>\n"
              "<all_heap_blocks_freed>false</all_heap_blocks_freed>\n<leak_summary>\n"
              "  <still_reachable>\n    <bytes>5 (+44)</bytes>\n    <reachable_heuristic>\n"
              "      <kind>stdstring</kind>\n      <bytes>5</bytes>\n"
              "    </reachable_heuristic>\n  </still_reachable>\n</leak_summary>\n" COUNTS
              "<error_summary>\n  <errors>2</errors>\n  <error_contexts>2</error_contexts>\n"
              "  <suppressed>0</suppressed>\n  <suppressed_contexts>0</suppressed_contexts>\n"
              "</error_summary>\n" END);
    cr_expect_eq(r.report.finding_count, 0);
    cr_expect_eq(r.report.note_count, 0);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    reading_free(&r);
}

Test(memcheck, what_is_unknown_is_told_once_and_the_rest_is_kept)
{
    struct reading r;
    read_text(&r, DECLARATION ROOT
              "<protocolversion>7</protocolversion>\n<protocoltool>zap</protocoltool>\n"
              "<pid>1</pid>\n<ppid>0</ppid>\n<tool>zap</tool>\n" ARGS RUNNING
              "<novelty>\n  <what>no error</what>\n</novelty>\n<novelty/>\n" ERROR_WITH(
                  "0x0", "BrandNew", "  <what>News</what>\n  <mood>bad</mood>\n" STACK("f", "1"))
                  ERROR_WITH("0x1", "BrandNew",
                             "  <what>News</what>\n  <mood>bad</mood>\n" STACK("f", "2"))
                      FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.runs[0].errors, 2);
    cr_expect_eq(r.report.finding_count, 2);
    cr_expect_eq(r.report.findings[0].kind, GG_KIND_Unknown);
    cr_expect_str_eq(r.report.findings[0].kind_name, "BrandNew");
    cr_expect_str_eq(r.report.findings[0].message, "News");
    cr_expect_eq(r.report.note_count, 5);
    cr_expect_not_null(note_of(&r, "unknown-protocol"));
    cr_expect_not_null(note_of(&r, "unknown-tool"));
    cr_expect_not_null(note_of(&r, "unknown-kind"));
    for (size_t i = 0; i < r.report.note_count; i++)
        cr_expect_eq(r.report.notes[i].count, 1, "%s", r.report.notes[i].text);
    reading_free(&r);
}

Test(memcheck, an_error_inside_what_is_unknown_is_not_left_out)
{
    struct reading r;
    read_text(&r, HEAD RUNNING
              "<novelty>\n" ERROR_WITH("0x0", "InvalidRead",
                                       "  <what>Invalid read of size 4</what>\n" STACK(
                                           "f", "1")) "</novelty>\n" FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].errors, 1);
    cr_expect_eq(r.report.finding_count, 1);
    cr_expect_eq(r.report.runs[0].end, GG_END_TRUNCATED);
    reading_free(&r);
}

Test(memcheck, a_run_without_a_tool_is_no_evidence)
{
    struct reading r;
    read_text(&r, DECLARATION ROOT
              "<protocolversion>5</protocolversion>\n<protocoltool>none</protocoltool>\n"
              "<pid>1</pid>\n<ppid>0</ppid>\n<tool>none</tool>\n" ARGS RUNNING FINISHED COUNTS END);
    cr_assert_not_null(note_of(&r, "no-tool"));
    cr_expect(note_of(&r, "no-tool")->incomplete);
    reading_free(&r);
}

Test(memcheck, options_that_matter_are_seen)
{
    struct reading r;
    read_text(&r, DECLARATION ROOT PROCESS("1", "0") ARGS_WITH("    <arg>--demangle=no</arg>\n")
                      RUNNING FINISHED COUNTS END);
    cr_expect(r.report.runs[0].mangled);
    cr_expect_null(r.report.runs[0].fatal);
    reading_free(&r);
    read_text(&r, DECLARATION ROOT PROCESS("1", "0")
                      ARGS_WITH("    <arg>--demangle=no</arg>\n    <arg>--demangle=yes</arg>\n")
                          RUNNING FINISHED COUNTS END);
    cr_expect_not(r.report.runs[0].mangled);
    reading_free(&r);
}

Test(memcheck, arguments_keep_what_is_in_them)
{
    struct reading r;
    read_text(
        &r,
        DECLARATION ROOT PROCESS(
            "1",
            "0") "<args>\n  <vargv>\n  </vargv>\n  <argv>\n"
                 "    <exe>./prog</exe>\n    <arg></arg>\n    <arg>a\n b &amp; &lt;c&gt;</arg>\n"
                 "  </argv>\n</args>\n" RUNNING FINISHED COUNTS END);
    const struct gg_run *run = &r.report.runs[0];
    cr_expect_str_eq(run->command[1], "");
    cr_expect_str_eq(run->command[2], "a\n b & <c>");
    cr_expect_null(run->command[3]);
    reading_free(&r);
}

/* <what>Source and destination overlap in strcpy(0x1, 0x2) LF </what> */
Test(memcheck, white_space_around_a_message_goes)
{
    struct reading r;
    read_text(&r, WHOLE(ERROR_WITH("0x0", "FishyValue",
                                   "  <what>Argument 'size' of function malloc has a fishy "
                                   "(possibly negative) value: -3\n</what>  <stack>\n" FRAME(
                                       "f", "1") "  </stack>\n")));
    const char *message = finding_of(&r, "FishyValue")->message;
    cr_expect(strncmp(message, "Argument 'size' of function malloc has a fishy", 46) == 0);
    cr_expect_null(strchr(message, '\n'));
    cr_expect_neq(message[strlen(message) - 1], ' ');
    reading_free(&r);
}

Test(memcheck, text_between_elements_is_told)
{
    struct reading r;
    read_text(&r, HEAD RUNNING
              "Test 1 passed\n" ERROR_AT("0x0", "9") "Test 2 passed\n" FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].errors, 1);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_not_null(note_of(&r, "stray-text"));
    reading_free(&r);
}

Test(memcheck, a_comment_of_the_user_may_hold_anything)
{
    struct reading r;
    read_text(
        &r,
        DECLARATION ROOT PROCESS(
            "1",
            "0") "<usercomment><ci><error>\n</error><job id=\"5\">a</job></ci></usercomment>\n" ARGS
            RUNNING FINISHED COUNTS END);
    cr_expect_eq(r.report.runs[0].end, GG_END_FINISHED);
    cr_expect_eq(r.report.runs[0].errors, 0);
    cr_expect_eq(r.report.note_count, 0);
    reading_free(&r);
}
