#include "read/vocabulary.h"

#include <string.h>

struct tag {
    const char *name;
    unsigned flags;
};

static const struct tag tags[GG_TAG_COUNT] = {[GG_TAG_UNKNOWN] = {"", 0},
#define TAG(name, flags) [GG_TAG_##name] = {#name, flags},
                                              GG_TAGS(TAG)
#undef TAG
};

/* Children that are not listed are unknown. */
const uint8_t gg_steps[GG_STATE_COUNT][GG_TAG_COUNT] = {
    [GG_IN_NOTHING] = {[GG_TAG_valgrindoutput] = GG_IN_ROOT},
    [GG_IN_ROOT] = {[GG_TAG_protocolversion] = GG_TEXT_PROTOCOL,
                    [GG_TAG_protocoltool] = GG_TEXT_TOOL,
                    [GG_TAG_preamble] = GG_IN_PREAMBLE,
                    [GG_TAG_pid] = GG_TEXT_PID,
                    [GG_TAG_ppid] = GG_TEXT_PPID,
                    [GG_TAG_tool] = GG_TEXT_TOOL,
                    [GG_TAG_logfilequalifier] = GG_IN_SKIPPED,
                    [GG_TAG_usercomment] = GG_IN_COMMENT,
                    [GG_TAG_args] = GG_IN_ARGS,
                    [GG_TAG_status] = GG_IN_STATUS,
                    [GG_TAG_error] = GG_IN_ERROR,
                    [GG_TAG_errorcounts] = GG_IN_ERRORCOUNTS,
                    [GG_TAG_suppcounts] = GG_IN_SUPPCOUNTS,
                    [GG_TAG_clientmsg] = GG_IN_CLIENTMSG,
                    [GG_TAG_fatal_signal] = GG_IN_FATAL_SIGNAL,
                    [GG_TAG_announcethread] = GG_IN_ANNOUNCETHREAD,
                    [GG_TAG_trace] = GG_IN_TRACE,
                    [GG_TAG_stack] = GG_IN_STACK,
                    /* valgrind prints each generated suppression twice: in the error and here. */
                    [GG_TAG_suppression] = GG_IN_SKIPPED,
                    [GG_TAG_heap_summary] = GG_IN_SKIPPED,
                    [GG_TAG_all_heap_blocks_freed] = GG_IN_SKIPPED,
                    [GG_TAG_leak_summary] = GG_IN_SKIPPED,
                    [GG_TAG_error_summary] = GG_IN_SKIPPED},
    [GG_IN_PREAMBLE] = {[GG_TAG_line] = GG_TEXT_PREAMBLE},
    [GG_IN_ARGS] = {[GG_TAG_vargv] = GG_IN_VARGV, [GG_TAG_argv] = GG_IN_ARGV},
    [GG_IN_VARGV] = {[GG_TAG_exe] = GG_IN_SKIPPED, [GG_TAG_arg] = GG_TEXT_OPTION},
    [GG_IN_ARGV] = {[GG_TAG_exe] = GG_TEXT_COMMAND, [GG_TAG_arg] = GG_TEXT_COMMAND},
    [GG_IN_STATUS] = {[GG_TAG_state] = GG_TEXT_STATUS, [GG_TAG_time] = GG_IN_SKIPPED},
    [GG_IN_ERROR] = {[GG_TAG_unique] = GG_TEXT_UNIQUE,
                     [GG_TAG_tid] = GG_IN_SKIPPED,
                     [GG_TAG_threadname] = GG_TEXT_THREADNAME,
                     [GG_TAG_kind] = GG_TEXT_KIND,
                     [GG_TAG_fd] = GG_IN_SKIPPED,
                     [GG_TAG_path] = GG_TEXT_PATH,
                     [GG_TAG_what] = GG_TEXT_WHAT,
                     [GG_TAG_xwhat] = GG_IN_XWHAT,
                     [GG_TAG_leakedbytes] = GG_TEXT_LEAKED_BYTES,
                     [GG_TAG_leakedblocks] = GG_TEXT_LEAKED_BLOCKS,
                     [GG_TAG_stack] = GG_IN_STACK,
                     [GG_TAG_auxwhat] = GG_TEXT_AUX,
                     [GG_TAG_xauxwhat] = GG_IN_XAUXWHAT,
                     [GG_TAG_suppression] = GG_IN_SUPPRESSION,
                     [GG_TAG_first_observed_at] = GG_IN_WRAPPER,
                     [GG_TAG_allocation_context] = GG_IN_WRAPPER,
                     [GG_TAG_other_segment_start] = GG_IN_WRAPPER,
                     [GG_TAG_other_segment_end] = GG_IN_WRAPPER,
                     [GG_TAG_confl_wait_call] = GG_IN_WRAPPER,
                     [GG_TAG_acquired_at] = GG_IN_WRAPPER},
    [GG_IN_XWHAT] = {[GG_TAG_text] = GG_TEXT_XWHAT,
                     [GG_TAG_leakedbytes] = GG_TEXT_LEAKED_BYTES,
                     [GG_TAG_leakedblocks] = GG_TEXT_LEAKED_BLOCKS,
                     [GG_TAG_hthreadid] = GG_TEXT_THREAD},
    /* <text>declared at prog.c:8, in frame #1 of thread 1</text> <file>prog.c</file> ... */
    [GG_IN_XAUXWHAT] = {[GG_TAG_text] = GG_TEXT_AUX,
                        [GG_TAG_hthreadid] = GG_TEXT_THREAD,
                        [GG_TAG_dir] = GG_IN_SKIPPED,
                        [GG_TAG_file] = GG_IN_SKIPPED,
                        [GG_TAG_line] = GG_IN_SKIPPED},
    [GG_IN_WRAPPER] = {[GG_TAG_what] = GG_TEXT_AUX,
                       [GG_TAG_address] = GG_IN_SKIPPED,
                       [GG_TAG_stack] = GG_IN_STACK},
    [GG_IN_STACK] = {[GG_TAG_frame] = GG_IN_FRAME},
    [GG_IN_FRAME] = {[GG_TAG_ip] = GG_TEXT_IP,
                     [GG_TAG_obj] = GG_TEXT_OBJ,
                     [GG_TAG_fn] = GG_TEXT_FN,
                     [GG_TAG_dir] = GG_TEXT_DIR,
                     [GG_TAG_file] = GG_TEXT_FILE,
                     [GG_TAG_line] = GG_TEXT_LINE},
    [GG_IN_SUPPRESSION] = {[GG_TAG_sname] = GG_IN_SKIPPED,
                           [GG_TAG_skind] = GG_TEXT_SKIND,
                           [GG_TAG_skaux] = GG_TEXT_SKAUX,
                           [GG_TAG_sframe] = GG_IN_SFRAME,
                           [GG_TAG_rawtext] = GG_IN_SKIPPED},
    [GG_IN_SFRAME] = {[GG_TAG_fun] = GG_TEXT_SFUN, [GG_TAG_obj] = GG_TEXT_SOBJ},
    [GG_IN_ERRORCOUNTS] = {[GG_TAG_pair] = GG_IN_ERRORCOUNTS_PAIR},
    [GG_IN_ERRORCOUNTS_PAIR] =
        {[GG_TAG_count] = GG_TEXT_ERROR_COUNT, [GG_TAG_unique] = GG_TEXT_ERROR_UNIQUE},
    [GG_IN_SUPPCOUNTS] = {[GG_TAG_pair] = GG_IN_SUPPCOUNTS_PAIR},
    [GG_IN_SUPPCOUNTS_PAIR] =
        {[GG_TAG_count] = GG_TEXT_SUPP_COUNT, [GG_TAG_name] = GG_TEXT_SUPP_NAME},
    [GG_IN_CLIENTMSG] = {[GG_TAG_tid] = GG_IN_SKIPPED,
                         [GG_TAG_threadname] = GG_IN_SKIPPED,
                         [GG_TAG_text] = GG_TEXT_MESSAGE,
                         [GG_TAG_stack] = GG_IN_STACK},
    [GG_IN_FATAL_SIGNAL] = {[GG_TAG_tid] = GG_IN_SKIPPED,
                            [GG_TAG_threadname] = GG_TEXT_THREADNAME,
                            [GG_TAG_signo] = GG_IN_SKIPPED,
                            [GG_TAG_signame] = GG_TEXT_SIGNAME,
                            [GG_TAG_sicode] = GG_IN_SKIPPED,
                            [GG_TAG_event] = GG_TEXT_EVENT,
                            [GG_TAG_siaddr] = GG_TEXT_SIADDR,
                            [GG_TAG_stack] = GG_IN_STACK},
    [GG_IN_ANNOUNCETHREAD] = {[GG_TAG_hthreadid] = GG_TEXT_ANNOUNCED,
                              [GG_TAG_isrootthread] = GG_IN_SKIPPED,
                              [GG_TAG_stack] = GG_IN_STACK},
    [GG_IN_TRACE] = {[GG_TAG_text] = GG_IN_SKIPPED, [GG_TAG_stack] = GG_IN_SKIPPED},
};

unsigned gg_tag_of_n(const char *name, size_t len)
{
    unsigned low = GG_TAG_UNKNOWN + 1, high = GG_TAG_COUNT;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = strncmp(tags[middle].name, name, len);
        if (order == 0 && tags[middle].name[len] == '\0')
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return GG_TAG_UNKNOWN;
}

unsigned gg_tag_of(const char *name)
{
    return gg_tag_of_n(name, strlen(name));
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

unsigned gg_tag_at(struct gg_str text, bool *closes, size_t *len)
{
    size_t at = 1;
    if (text.len < 3 || text.ptr[0] != '<')
        return GG_TAG_UNKNOWN;
    *closes = text.ptr[1] == '/';
    if (*closes)
        at++;
    size_t name = at;
    while (at < text.len && is_name_char(text.ptr[at]))
        at++;
    if (at == text.len || text.ptr[at] != '>')
        return GG_TAG_UNKNOWN;
    *len = at + 1;
    return gg_tag_of_n(text.ptr + name, at - name);
}

const char *gg_tag_name(unsigned tag)
{
    return tags[tag].name;
}

unsigned gg_tag_flags(unsigned tag)
{
    return tags[tag].flags;
}

enum gg_state gg_step_unlisted(enum gg_state parent, unsigned tag)
{
    if (parent == GG_IN_COMMENT)
        return parent;
    /* What is not known may be left out, but never an error with it. */
    if (parent == GG_IN_UNKNOWN)
        return tag == GG_TAG_error || tag == GG_TAG_fatal_signal ? GG_MISPLACED : GG_IN_UNKNOWN;
    if (parent == GG_IN_NOTHING || tag == GG_TAG_valgrindoutput ||
        ((tags[tag].flags & GG_TAG_TOP) && parent != GG_IN_ROOT))
        return GG_MISPLACED;
    if (parent >= GG_TEXT_PROTOCOL)
        return GG_TEXT_MARKUP;
    return parent == GG_IN_SKIPPED ? GG_IN_SKIPPED : GG_IN_UNKNOWN;
}
