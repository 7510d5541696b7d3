/*
 * Vocabulary: the element names valgrind writes (protocols 4 to 6, every tool), and which of them
 * may stand where.
 *
 * Names recur with other meanings (<kind> of an error and of a heuristic, <what> of an error and of
 * a lock, <line> of the preamble and of a frame), so what counts is the path: gg_step goes from the
 * state of an open element and a name to the state of the child.
 */
#ifndef GG_READ_VOCABULARY_H
#define GG_READ_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum gg_tag_flags {
    GG_TAG_LEAF = 1, /* holds text only */
    GG_TAG_TOP = 2,  /* stands directly below the root and nowhere else */
    GG_TAG_STRAY = 4 /* belongs elsewhere, but is also met below the root */
};

/* In the order of strcmp. */
#define GG_TAGS(TAG)                                     \
    TAG(acquired_at, 0)                                  \
    TAG(address, GG_TAG_LEAF)                            \
    TAG(all_heap_blocks_freed, GG_TAG_TOP | GG_TAG_LEAF) \
    TAG(allocation_context, 0)                           \
    TAG(allocs, GG_TAG_LEAF)                             \
    TAG(announcethread, GG_TAG_TOP)                      \
    TAG(arg, GG_TAG_LEAF)                                \
    TAG(args, GG_TAG_TOP)                                \
    TAG(argv, 0)                                         \
    TAG(auxwhat, GG_TAG_LEAF)                            \
    TAG(blocks, GG_TAG_LEAF)                             \
    TAG(bytes, GG_TAG_LEAF)                              \
    TAG(bytes_allocated, GG_TAG_LEAF)                    \
    TAG(clientmsg, GG_TAG_TOP)                           \
    TAG(confl_wait_call, 0)                              \
    TAG(count, GG_TAG_LEAF)                              \
    TAG(definitely_lost, 0)                              \
    TAG(dir, GG_TAG_LEAF)                                \
    TAG(error, GG_TAG_TOP)                               \
    TAG(error_contexts, GG_TAG_LEAF)                     \
    TAG(error_summary, GG_TAG_TOP)                       \
    TAG(errorcounts, GG_TAG_TOP)                         \
    TAG(errors, GG_TAG_LEAF)                             \
    TAG(event, GG_TAG_LEAF)                              \
    TAG(exe, GG_TAG_LEAF)                                \
    TAG(fatal_signal, GG_TAG_TOP)                        \
    TAG(fd, GG_TAG_LEAF)                                 \
    TAG(file, GG_TAG_LEAF)                               \
    TAG(first_observed_at, 0)                            \
    TAG(fn, GG_TAG_LEAF)                                 \
    TAG(frame, 0)                                        \
    TAG(frees, GG_TAG_LEAF)                              \
    TAG(fun, GG_TAG_LEAF)                                \
    TAG(heap_summary, GG_TAG_TOP)                        \
    TAG(hthreadid, GG_TAG_LEAF)                          \
    TAG(indirectly_lost, 0)                              \
    TAG(ip, GG_TAG_LEAF)                                 \
    TAG(isrootthread, GG_TAG_LEAF)                       \
    TAG(kind, GG_TAG_LEAF)                               \
    TAG(leak_summary, GG_TAG_TOP)                        \
    TAG(leakedblocks, GG_TAG_LEAF)                       \
    TAG(leakedbytes, GG_TAG_LEAF)                        \
    TAG(line, GG_TAG_LEAF)                               \
    TAG(logfilequalifier, GG_TAG_TOP)                    \
    TAG(memory_in_use_at_exit, 0)                        \
    TAG(name, GG_TAG_LEAF)                               \
    TAG(obj, GG_TAG_LEAF)                                \
    TAG(other_segment_end, 0)                            \
    TAG(other_segment_start, 0)                          \
    TAG(pair, 0)                                         \
    TAG(path, GG_TAG_LEAF)                               \
    TAG(pid, GG_TAG_TOP | GG_TAG_LEAF)                   \
    TAG(possibly_lost, 0)                                \
    TAG(ppid, GG_TAG_TOP | GG_TAG_LEAF)                  \
    TAG(preamble, GG_TAG_TOP)                            \
    TAG(protocoltool, GG_TAG_TOP | GG_TAG_LEAF)          \
    TAG(protocolversion, GG_TAG_TOP | GG_TAG_LEAF)       \
    TAG(rawtext, GG_TAG_LEAF)                            \
    TAG(reachable_heuristic, 0)                          \
    TAG(sframe, 0)                                       \
    TAG(siaddr, GG_TAG_LEAF)                             \
    TAG(sicode, GG_TAG_LEAF)                             \
    TAG(signame, GG_TAG_LEAF)                            \
    TAG(signo, GG_TAG_LEAF)                              \
    TAG(skaux, GG_TAG_LEAF)                              \
    TAG(skind, GG_TAG_LEAF)                              \
    TAG(sname, GG_TAG_LEAF)                              \
    TAG(stack, GG_TAG_STRAY)                             \
    TAG(state, GG_TAG_LEAF)                              \
    TAG(status, GG_TAG_TOP)                              \
    TAG(still_reachable, 0)                              \
    TAG(suppcounts, GG_TAG_TOP)                          \
    TAG(suppressed, 0)                                   \
    TAG(suppressed_contexts, GG_TAG_LEAF)                \
    TAG(suppression, GG_TAG_STRAY)                       \
    TAG(text, GG_TAG_LEAF)                               \
    TAG(threadname, GG_TAG_LEAF)                         \
    TAG(tid, GG_TAG_LEAF)                                \
    TAG(time, GG_TAG_LEAF)                               \
    TAG(tool, GG_TAG_TOP | GG_TAG_LEAF)                  \
    TAG(total_heap_usage, 0)                             \
    TAG(trace, GG_TAG_TOP)                               \
    TAG(unique, GG_TAG_LEAF)                             \
    TAG(usercomment, GG_TAG_TOP)                         \
    TAG(valgrindoutput, 0)                               \
    TAG(value, GG_TAG_LEAF)                              \
    TAG(var, GG_TAG_LEAF)                                \
    TAG(vargv, 0)                                        \
    TAG(what, GG_TAG_LEAF)                               \
    TAG(xauxwhat, 0)                                     \
    TAG(xwhat, 0)

enum gg_tag {
    GG_TAG_UNKNOWN,
#define GG_TAG_ENUM(name, flags) GG_TAG_##name,
    GG_TAGS(GG_TAG_ENUM)
#undef GG_TAG_ENUM
        GG_TAG_COUNT
};

unsigned gg_tag_of(const char *name);
unsigned gg_tag_of_n(const char *name, size_t len);

/* The tag of the "<name>" or "</name>" at the start of `text` and its length; 0: there is none of
 * valgrind's. */
unsigned gg_tag_at(struct gg_str text, bool *closes, size_t *len);

const char *gg_tag_name(unsigned tag);
unsigned gg_tag_flags(unsigned tag);

/* What an open element is. */
enum gg_state {
    GG_IN_UNKNOWN, /* no such child is known here; so are all below it */
    GG_IN_NOTHING, /* outside the root */
    GG_IN_COMMENT, /* the user's own markup: anything may stand here and below */
    GG_IN_SKIPPED, /* known, and nothing in it is wanted; nor below it */
    GG_IN_ROOT,
    GG_IN_PREAMBLE,
    GG_IN_ARGS,
    GG_IN_VARGV,
    GG_IN_ARGV,
    GG_IN_STATUS,
    GG_IN_ERROR,
    GG_IN_XWHAT,
    GG_IN_XAUXWHAT,
    GG_IN_WRAPPER, /* of a further stack, drd */
    GG_IN_STACK,
    GG_IN_FRAME,
    GG_IN_SUPPRESSION,
    GG_IN_SFRAME,
    GG_IN_ERRORCOUNTS,
    GG_IN_ERRORCOUNTS_PAIR,
    GG_IN_SUPPCOUNTS,
    GG_IN_SUPPCOUNTS_PAIR,
    GG_IN_CLIENTMSG,
    GG_IN_FATAL_SIGNAL,
    GG_IN_ANNOUNCETHREAD,
    GG_IN_TRACE,
    /* From here on the text is wanted. */
    GG_TEXT_PROTOCOL,
    GG_TEXT_TOOL,
    GG_TEXT_PREAMBLE,
    GG_TEXT_PID,
    GG_TEXT_PPID,
    GG_TEXT_OPTION,
    GG_TEXT_COMMAND,
    GG_TEXT_STATUS,
    GG_TEXT_UNIQUE,
    GG_TEXT_THREADNAME,
    GG_TEXT_KIND,
    GG_TEXT_PATH,
    GG_TEXT_WHAT,
    GG_TEXT_XWHAT,
    GG_TEXT_LEAKED_BYTES,
    GG_TEXT_LEAKED_BLOCKS,
    GG_TEXT_THREAD, /* helgrind's number of a thread the error speaks of */
    GG_TEXT_AUX,
    GG_TEXT_SKIND,
    GG_TEXT_SKAUX,
    GG_TEXT_SFUN,
    GG_TEXT_SOBJ,
    GG_TEXT_ERROR_COUNT,
    GG_TEXT_ERROR_UNIQUE,
    GG_TEXT_SUPP_COUNT,
    GG_TEXT_SUPP_NAME,
    GG_TEXT_MESSAGE,
    GG_TEXT_SIGNAME,
    GG_TEXT_EVENT,
    GG_TEXT_SIADDR,
    GG_TEXT_ANNOUNCED,
    GG_TEXT_MARKUP, /* an element inside a text: part of it */
    /* The fields of a frame, in the order of enum gg_frame_tag. */
    GG_TEXT_IP,
    GG_TEXT_OBJ,
    GG_TEXT_FN,
    GG_TEXT_DIR,
    GG_TEXT_FILE,
    GG_TEXT_LINE,
    GG_STATE_COUNT,
    GG_MISPLACED = GG_STATE_COUNT /* an element of the root inside another one, or no report */
};

extern const uint8_t gg_steps[GG_STATE_COUNT][GG_TAG_COUNT];

enum gg_state gg_step_unlisted(enum gg_state parent, unsigned tag);

static inline enum gg_state gg_step(enum gg_state parent, unsigned tag)
{
    enum gg_state state = (enum gg_state)gg_steps[parent][tag];
    return state != GG_IN_UNKNOWN ? state : gg_step_unlisted(parent, tag);
}

#endif
