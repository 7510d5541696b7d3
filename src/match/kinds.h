/*
 * Kinds: what the second line of a suppression names, and which errors those are.
 */
#ifndef GG_MATCH_KINDS_H
#define GG_MATCH_KINDS_H

#include "base/str.h"
#include "grindgate/model.h"

enum gg_supp_tool { GG_SUPP_MEMCHECK, GG_SUPP_HELGRIND, GG_SUPP_DRD, GG_SUPP_CORE };

/* The line between the kind and the frames. */
enum gg_supp_extra {
    GG_EXTRA_NONE,
    GG_EXTRA_PARAM, /* required: write(buf) */
    GG_EXTRA_LEAK,  /* optional: match-leak-kinds: definite,possible */
    GG_EXTRA_FISHY  /* malloc(size); valgrind reads a block without it and dies of it later */
};

struct gg_supp_kind {
    const char *name;
    enum gg_supp_tool tool;
    enum gg_supp_extra extra;
    enum gg_kind kinds[2]; /* GG_KINDS: no error */
    unsigned size;         /* of the access or value; 0: any */
    /* The first valgrind that has it, "3.21"; NULL: all have. Older tools refuse a file that names
     * one of their kinds that is newer; blocks for CoreError were skipped before there was one. */
    const char *since;
};

enum { GG_LEAK_DEFINITE = 1, GG_LEAK_INDIRECT = 2, GG_LEAK_POSSIBLE = 4, GG_LEAK_REACHABLE = 8 };
enum { GG_LEAK_ALL = 15 };

/* NULL when no valgrind up to 3.27 has it. */
const struct gg_supp_kind *gg_supp_kind_find(struct gg_str name);

/* Is this valgrind, "3.19.0", older than one, "3.22"? false when either is NULL. */
bool gg_supp_older(const char *valgrind, const char *than);

/* Is the tool named in a list like "Memcheck,Helgrind"? As valgrind looks: at the first place where
 * the name stands, which must be a whole item. */
bool gg_supp_tool_named(enum gg_supp_tool tool, struct gg_str list);

/* As suppressions spell it: "Memcheck", "drd". */
const char *gg_supp_tool_name(enum gg_supp_tool tool);

/* What a finding is compared by before its frames are. */
struct gg_supp_subject {
    enum gg_kind kind;
    uint64_t size;                    /* 0: none */
    struct gg_str param;              /* write(buf) */
    struct gg_str function, argument; /* FishyValue */
    unsigned leak;                    /* GG_LEAK_... */
};

struct gg_supp_subject gg_supp_subject(const struct gg_finding *finding);

/* The kind that a suppression for it names, the oldest if there are several; NULL: valgrind has
 * none (a fatal signal, an error of another tool). */
const struct gg_supp_kind *gg_supp_kind_for(const struct gg_supp_subject *subject);

/* "malloc(size)" -> malloc, size. false without both parentheses. */
bool gg_supp_call(struct gg_str text, struct gg_str *function, struct gg_str *argument);

#endif
