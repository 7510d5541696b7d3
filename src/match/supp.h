/*
 * Supp: one block of a suppression file.
 *
 *     {
 *        libfoo's cache
 *        Memcheck:Leak
 *        match-leak-kinds: reachable
 *        fun:malloc
 *        ...
 *        obj:/usr/lib/libfoo.so*
 *     }
 *
 * A file is refused when memcheck would refuse it, with the kinds that valgrind has up to 3.27, or
 * those that the valgrind at hand has.
 * Blocks for other tools are skipped unchecked by memcheck; here they are read as well, but one
 * that its own tool would refuse just never matches.
 */
#ifndef GG_MATCH_SUPP_H
#define GG_MATCH_SUPP_H

#include "base/arena.h"
#include "grindgate/error.h"
#include "match/kinds.h"
#include "match/metadata.h"

/* valgrind's --num-callers: when it is not given, and at most. */
enum { GG_CALLERS_DEFAULT = 12, GG_CALLERS_MAX = 500 };

enum gg_supp_place { GG_PLACE_FUN, GG_PLACE_OBJ, GG_PLACE_SRC, GG_PLACE_ANY };

struct gg_supp_frame {
    enum gg_supp_place place;
    struct gg_str pattern;
    uint32_t line; /* src:FILE:LINE; 0: any */
};

struct gg_supp {
    struct gg_rule rule; /* id, file, line, reason; the rest is gg_rule_describe's */
    struct gg_metadata metadata;
    const struct gg_supp_kind *kind; /* NULL: never matches */
    uint32_t kind_line;
    const char *never; /* why it never matches, though its file is read: a sentence; NULL: it may */
    struct gg_str param;
    struct gg_str function, argument;
    unsigned leaks; /* GG_LEAK_... */
    const struct gg_supp_frame *frames;
    size_t frame_count;
    size_t first_named; /* the first frame that is not "..." */
    /* Behind the frames stands a line that is none. valgrind does not look at lines behind the
     * first --num-callers; with more callers it would refuse the file. */
    bool cut;
};

struct gg_supp_fault {
    uint32_t line;
    const char *reason; /* valgrind's, and what it takes to mend it */
};

struct gg_supp_parser;

/* `file` is the name for messages and rules. `text` must stay: patterns point into it. */
struct gg_supp_parser *gg_supp_parser_new(struct gg_arena *arena, const char *file,
                                          struct gg_str text);

/* Refuse what this valgrind, "3.19.0", refuses; NULL: the newest. */
void gg_supp_parser_under(struct gg_supp_parser *parser, const char *valgrind);

/* What this valgrind says of a kind that it does not know yet; NULL: it knows it, or skips it. */
const char *gg_supp_newer(struct gg_arena *arena, const struct gg_supp_kind *kind,
                          const char *valgrind);

/* The next block; NULL at the end of the file and, with an error, when the file is refused. */
struct gg_supp *gg_supp_parse(struct gg_supp_parser *parser, struct gg_error *err);

/* After a refusal: what was wrong. Goes on to where a block can begin, so that the rest of the file
 * can be parsed: behind the next line that is "}", or at the next that is "{". The faulty line
 * itself may be either. */
struct gg_supp_fault gg_supp_recover(struct gg_supp_parser *parser);

#endif
