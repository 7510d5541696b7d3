/*
 * Pattern: what a rule asks of the names of one frame, whichever kind of rule it is.
 *
 * A suppression's line and an item of a JSON rule's frames both are steps: tests on names that one
 * frame must pass together. A rule's steps are met by frames one after the other, from the
 * innermost on; where a step may skip, any number of frames may lie before it. What is behind the
 * last step does not matter.
 */
#ifndef GG_MATCH_PATTERN_H
#define GG_MATCH_PATTERN_H

#include "base/str.h"

struct gg_regex;

/* The names of a frame. Suppressions know the first three, JSON rules the second and the last. */
enum gg_place {
    GG_PLACE_SYMBOL,   /* fun: as the linker knows it, "???" when unknown */
    GG_PLACE_OBJECT,   /* obj: the whole path, "???" when unknown */
    GG_PLACE_SOURCE,   /* src: the file's name, by address, see trace.h; with a line number */
    GG_PLACE_FUNCTION, /* for people, demangled; "" when unknown */
    GG_PLACE_FILE,     /* the source file, with its directory where the report has it; "" */
    GG_PLACE_PATH,     /* the file in this repository; "" when it is none of ours */
    GG_PLACES
};

enum gg_pattern_form {
    GG_PATTERN_WILDCARD, /* see wildcard.h */
    GG_PATTERN_REGEX,    /* see regex.h */
    GG_PATTERN_GLOB      /* see glob.h */
};

struct gg_pattern {
    enum gg_place place;
    enum gg_pattern_form form;
    struct gg_str text;     /* WILDCARD, GLOB */
    uint32_t line;          /* SOURCE: the line; 0: any */
    struct gg_regex *regex; /* REGEX */
};

struct gg_step {
    bool skips;      /* frames may lie between the step before (or the innermost frame) and this */
    uint32_t within; /* it must be one of that many innermost frames; 0: of all */
    const struct gg_pattern *patterns; /* all must fit; none: any frame does */
    size_t count;
};

#endif
