/*
 * The model: what a session knows, from the reports' first byte to the verdict.
 *
 * One writer per group of fields: the stage named beside a group fills it, every later stage only
 * reads it. No stage removes a finding; it sets the finding's fate, so each output can say why.
 *
 * Strings are NUL-terminated, live as long as the session, and are never NULL unless said so.
 * Strings read from a report are UTF-8: bytes that were not are spelled \xNN (see read/repair.h).
 * Those said to be atoms come from one table: equal text is the same pointer.
 */
#ifndef GRINDGATE_MODEL_H
#define GRINDGATE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gg_severity { GG_NOTE, GG_WARNING, GG_ERROR };

enum gg_group {
    GG_GROUP_access,
    GG_GROUP_value,
    GG_GROUP_leak,
    GG_GROUP_free,
    GG_GROUP_call,
    GG_GROUP_fd,
    GG_GROUP_race,
    GG_GROUP_crash,
    GG_GROUP_other
};

enum gg_kind {
#define GG_KIND(name, group, severity, cwe, title, advice) GG_KIND_##name,
#include "grindgate/kinds.def"
#undef GG_KIND
    GG_KINDS
};

struct gg_kind_info {
    const char *name;
    enum gg_group group;
    enum gg_severity severity;
    unsigned cwe; /* 0: none */
    const char *title;
    const char *advice;
};

extern const struct gg_kind_info gg_kind_table[GG_KINDS];

/* Whose code a frame is. own: a tracked file of the repository. third-party: compiled from source
 * elsewhere (or under a vendored directory). system: libc, the loader, the compiler's runtime.
 * tool: valgrind's replacement of malloc, memcpy and the like. unknown: nothing to tell by. */
enum gg_zone { GG_ZONE_UNKNOWN, GG_ZONE_OWN, GG_ZONE_THIRD_PARTY, GG_ZONE_SYSTEM, GG_ZONE_TOOL };

/* One place in a program. Frames are shared: all stacks that pass the same place with the same
 * address point to one frame, so a frame is demangled, located and matched once. */
struct gg_frame {
    /* read */
    uint64_t ip;
    const char *object; /* atom; NULL when the address belongs to no mapped file */
    const char *symbol; /* atom; as in the report: mangled if valgrind did not demangle; or NULL */
    const char *function; /* atom; for people, demangled; NULL when there is no symbol */
    const char *dir;      /* atom or NULL */
    const char *file;     /* atom or NULL; may hold directories */
    uint32_t line;        /* 0: none */
    uint32_t id;          /* dense, in order of first sight; not stable between runs */
    uint32_t place;       /* frames that differ in nothing but the address share a place */
    /* locate */
    enum gg_zone zone;
    const char *path;  /* repository-relative, bytes as git has them; NULL when not tracked */
    bool line_in_file; /* the tracked file has that many lines */
};

enum gg_role {
    GG_ROLE_ERROR,     /* where it happened; for a leak, where the block was allocated */
    GG_ROLE_ALLOCATED, /* where the block concerned was allocated */
    GG_ROLE_FREED,     /* where the block concerned was freed */
    GG_ROLE_ORIGIN,    /* where the uninitialised value was created */
    GG_ROLE_OTHER
};

struct gg_stack {
    enum gg_role role;
    const char *text; /* the report's own sentence about this stack, or NULL; len may be 0 */
    size_t len;
    struct gg_frame *const *frames; /* innermost first */
};

enum gg_end {
    GG_END_FINISHED,  /* the document is whole and valgrind saw the program end */
    GG_END_TRUNCATED, /* the document stops early, or holds what no parser accepts */
    GG_END_KILLED,    /* the process died without valgrind seeing it end */
    GG_END_MISSING,   /* a process was there, its report is not */
    GG_END_REPLACED   /* another program took the process over (exec) before this one ended */
};

/* A counted suppression that valgrind itself applied (<suppcounts>). */
struct gg_suppcount {
    const char *name;
    uint64_t count;
};

/* One process image under valgrind: one document, or the place where one should be. */
struct gg_run {
    /* read */
    int64_t pid, ppid;   /* -1: unknown */
    const char *tool;    /* "memcheck"; "" when unknown */
    uint32_t protocol;   /* 0: unknown */
    const char *version; /* valgrind's, "3.19.0"; "" when unknown */
    const char *source;  /* the file as it was named; "-" for standard input */
    uint32_t document;   /* 0-based position of the document in its file */
    const char *told_by; /* the report of grindgate's own that it is known from; NULL: its
                            own document was read */
    const char *head; /* the commit that this report was made at; NULL: not known, or not told_by */
    const char *const *command; /* program and arguments, NULL-terminated, maybe empty */
    const char *const *options; /* valgrind's own arguments, NULL-terminated, maybe empty */
    bool mangled;               /* symbols are as the linker knows them (--demangle=no) */
    bool forked;                /* the document of a child that forked and did not exec */
    bool saw_running, saw_finished;
    bool cut_between; /* stops early, with nothing begun that is not whole, as exec leaves it */
    enum gg_end end;
    const char *detail; /* why `end` is what it is, one sentence; NULL when finished */
    uint64_t errors;    /* complete <error> elements read */
    uint64_t repaired;  /* bytes that had to be mended before a parser would take them */
    const struct gg_suppcount *suppcounts;
    size_t suppcount_count;
    const char *fatal; /* the signal that valgrind saw it die of, "SIGSEGV"; NULL: none */
    /* capture, when grindgate launched the program (run, wrap) */
    const char *test;   /* NULL: none */
    bool launched;      /* the program, or a process it started */
    bool root;          /* the program itself, in its last image */
    int exit_code;      /* -1: unknown or killed by a signal */
    const char *signal; /* "SIGKILL"; NULL: none */
};

enum gg_test_state {
    GG_TEST_PASSED,
    GG_TEST_FAILED,
    GG_TEST_NOT_RUN, /* CTest could not run it: no such program, a fixture failed */
    GG_TEST_SKIPPED, /* it ran, and said that it does not apply */
    GG_TEST_DISABLED
};

/* A test of a CTest suite, as CTest judged it; memory findings do not come into it. */
struct gg_test {
    const char *name;
    enum gg_test_state state;
    const char *detail; /* CTest's word on it ("Timeout"), or NULL */
};

/* A finding in one run. */
struct gg_witness {
    uint32_t run;                   /* index into gg_report.runs */
    uint64_t count;                 /* how often; a leak counts once a loss record */
    uint64_t bytes, direct, blocks; /* leaks; direct: bytes without those indirectly lost */
    bool final; /* leaks: from the check at exit, not from one the program asked for */
    bool copy;  /* a forked child's copy of what its parent reports too; counts for nothing */
};

enum gg_via { GG_VIA_ERROR, GG_VIA_FREED, GG_VIA_ORIGIN, GG_VIA_ALLOCATED };

/* The line a finding is laid to. */
struct gg_site {
    const char *path; /* repository-relative, bytes as git has them */
    uint32_t line;
    const char *function; /* or NULL */
    enum gg_via via;
    size_t stack, frame; /* where in the finding's stacks */
};

enum gg_blame_state {
    GG_BLAME_NONE,        /* not asked */
    GG_BLAME_COMMIT,      /* this commit wrote the line */
    GG_BLAME_UNCOMMITTED, /* the line is not committed yet */
    GG_BLAME_BOUNDARY,    /* older than what this clone holds: the commit is where history ends */
    GG_BLAME_UNKNOWN      /* cannot be told; see why */
};

struct gg_blame {
    enum gg_blame_state state;
    const char *why; /* UNKNOWN, BOUNDARY: one sentence with what to do; else NULL */
    char commit[65]; /* hex, "" when there is none */
    const char *author_name, *author_email; /* after mailmap; NULL when there is no commit */
    int64_t time;                           /* the author's, seconds since the epoch */
    int offset;                             /* the author's zone, minutes east of UTC */
    const char *summary;   /* first line of the message; NULL when there is no commit */
    const char *orig_path; /* the line's place in that commit */
    uint32_t orig_line;
};

enum gg_fate { GG_OPEN, GG_SUPPRESSED, GG_KNOWN, GG_OUT_OF_SCOPE, GG_EXTERNAL };
enum { GG_FATES = GG_EXTERNAL + 1 };

/* used: it decided a finding. unused: no finding fits it. shadowed: findings fit it, and an earlier
 * rule decided each of them. expired: its last day is over. malformed: something it says cannot be
 * understood. Rules of the last two states decide nothing. */
enum gg_rule_state {
    GG_RULE_UNUSED,
    GG_RULE_USED,
    GG_RULE_EXPIRED,
    GG_RULE_SHADOWED,
    GG_RULE_MALFORMED
};

enum gg_action {
    GG_ACTION_SUPPRESS,  /* the finding does not count */
    GG_ACTION_DOWNGRADE, /* one severity less: error, warning, note */
    GG_ACTION_UPGRADE,   /* one severity more */
    GG_ACTION_FAIL       /* an error that counts, also where it would be external */
};

/* One rule: a block of a suppression file, or a member of a JSON rule file. What it asks of a
 * finding is the match stage's own. */
struct gg_rule {
    /* match: what its file says of it */
    const char *id;                      /* a block's name, unless its comment gives an id */
    const char *file;                    /* "pack:NAME" for one that grindgate brings along */
    uint32_t line;                       /* of the name or of the rule's first line */
    const char *reason, *owner, *ticket; /* each or NULL */
    const char *expires;                 /* the last day it holds, "2030-01-31"; NULL: none */
    enum gg_action action;
    const char *fault; /* MALFORMED: what cannot be understood, a sentence; else NULL */
    bool unclear;      /* MALFORMED: a part of what it asks of findings is not understood */
    /* lint: kinds of the concerns about it, by name, each once, ended by NULL; NULL: none */
    const char *const *concerns;
    /* match: what it did */
    enum gg_rule_state state;
    uint64_t hits;        /* findings that it decided */
    uint64_t matches;     /* findings that fit it, whichever rule decided them */
    uint64_t occurrences; /* of the findings that it decided */
    const uint32_t *runs; /* in which those were seen, indexes, ascending */
    size_t run_count;
    bool gave_up; /* one of its expressions reached its limits: it may have missed findings */
    const struct gg_rule *shadow; /* SHADOWED: the rule that decided the first of them; else NULL */
};

/* A suppression that valgrind itself applied (<suppcounts>), in all runs together. */
struct gg_supp_use {
    const char *name;
    uint64_t count;
    const uint32_t *runs; /* indexes, ascending */
    size_t run_count;
};

/* Something about a rule that its owner should look at. */
struct gg_concern {
    const char *kind; /* "unused", "expired", "malformed", "shadowed", "duplicate", "broad",
                         "no-anchor", "placeholder", ...: a word for programs */
    const char *file;
    uint32_t line;
    const char *id;             /* the rule's; NULL: of the file as a whole */
    const struct gg_rule *rule; /* NULL: of the file as a whole, or of what is no rule */
    const char *text;
    bool fault; /* the rule does not do what it says; else it is only advice */
};

struct gg_finding;

/* A suppression that fits some findings, proved to fit no other of their report. */
struct gg_suggestion {
    const struct gg_finding *const *wanted;
    size_t wanted_count;
    const char *text; /* a comment for people and a block; NULL: there is none that would do */
    const char *why;  /* then: why not, a sentence */
};

/* What a report of grindgate's own says came of a finding. It is for people: nothing is judged by
 * it. */
struct gg_told {
    const char *by; /* the report */
    const char *fate;
    const char *why; /* or NULL */
    struct gg_told *next;
};

struct gg_finding {
    /* read, collate */
    enum gg_kind kind;
    const char *kind_name; /* as in the report, also when the kind is Unknown */
    const char *message;   /* one line, without what varies from run to run */
    bool is_leak;
    uint64_t leak_bytes, leak_blocks; /* in the run where it is worst */
    uint64_t leak_direct;
    const struct gg_stack *stacks; /* the error's own first, unless it has none */
    size_t stack_count;
    const char *const *notes; /* further sentences of the report without a stack, in order */
    size_t note_count;
    const char *thread;    /* name of the thread, or NULL */
    const char *supp_kind; /* "Memcheck:Addr4" from a generated suppression, or NULL */
    const char *supp_extra;
    const char *const *supp_frames; /* "fun:..." / "obj:..." of a generated suppression, one for
                                       each frame of the error's own stack; NULL when none */
    size_t supp_frame_count;
    const struct gg_witness *witnesses; /* by run, ascending */
    size_t witness_count;
    uint64_t count;             /* occurrences in all runs, copies left out */
    const struct gg_told *told; /* by report; NULL: none of our own was read */
    /* locate */
    bool has_site;
    struct gg_site site;
    /* fingerprint */
    const char *fingerprint; /* grindgate/v1, SHA-256 in hex */
    /* order */
    const char *id; /* the first digits of the fingerprint, made unique within the report */
    /* match */
    const struct gg_rule *rule;   /* that decides it, by its action; or NULL */
    const struct gg_rule *lapsed; /* expired or malformed, and would have decided it, or, when it is
                                     unclear, may have; or NULL */
    bool approximate; /* the rule's frames fit only when demangled names are taken for the linker's
                       */
    bool hidden_by_change; /* the rules of the base commit would not have set it aside */
    /* attribute */
    struct gg_blame blame;
    /* decide */
    enum gg_severity severity;
    enum gg_fate fate;
    const char *why; /* one sentence: why this fate */
    bool unreliable; /* a leak that only processes report which died of a signal */
};

/* Something worth telling that is not a finding. `kind` is a word for programs. */
struct gg_note {
    const char *kind;
    const char *text;
    const char *where; /* "file", "file:line", a rule's id; NULL: nowhere in particular */
    uint64_t count;    /* how often the same thing was noted */
    bool incomplete;   /* because of it the verdict cannot be a pass */
    uint64_t recalled; /* of them: by a report of grindgate's own; what is noted again here is one
                          of these */
};

struct gg_repository {
    const char *root; /* the work tree, absolute; NULL: none was found */
    char head[65];    /* "" while nothing is committed */
    char base[65];    /* "" when none was asked for */
    bool shallow, dirty;
};

struct gg_report {
    struct gg_run *runs;
    size_t run_count;
    struct gg_finding *findings; /* in the order of gg_order */
    size_t finding_count;
    struct gg_rule **rules;
    size_t rule_count;
    const struct gg_supp_use *supp_uses; /* match; by name */
    size_t supp_use_count;
    struct gg_note *notes;
    size_t note_count;
    struct gg_test *tests; /* of a CTest suite, by name */
    size_t test_count;
    const char *const *failures; /* what reports of grindgate's own say of programs that failed
                                    themselves: sentences, sorted, each once */
    size_t failure_count;
    struct gg_repository repository;
};

enum gg_outcome { GG_PASS, GG_FAIL, GG_INCOMPLETE, GG_PROGRAM_FAILED };

struct gg_verdict {
    enum gg_outcome outcome;
    int exit_code;
    const char *const *reasons; /* sentences, the one that decided first */
    size_t reason_count;
    uint64_t counts[GG_FATES];
    uint64_t failing;    /* open findings at or above the bar */
    const char *failure; /* of the reasons: that the program itself failed; NULL: it did not */
};

/* Names as they stand in every output. */
const char *gg_severity_name(enum gg_severity severity);
const char *gg_zone_name(enum gg_zone zone);
const char *gg_role_name(enum gg_role role);
const char *gg_end_name(enum gg_end end);
const char *gg_test_state_name(enum gg_test_state state);
const char *gg_via_name(enum gg_via via);
const char *gg_fate_name(enum gg_fate fate);
const char *gg_outcome_name(enum gg_outcome outcome);
const char *gg_rule_state_name(enum gg_rule_state state);
const char *gg_action_name(enum gg_action action);

/* The document is whole, up to the program's end or to the exec that replaced it. */
bool gg_run_is_complete(const struct gg_run *run);

/* Because of this note the reports may lack something; one on a malformed rule does not say that.
 */
bool gg_note_is_gap(const struct gg_note *note);

/* There is a run, each is complete, and no note is a gap. */
bool gg_report_is_whole(const struct gg_report *report);

/* Is it one that grindgate brings along ("pack:NAME")? */
bool gg_rule_is_of_pack(const struct gg_rule *rule);

/* GG_KIND_Unknown when valgrind had no such kind when this was written. */
enum gg_kind gg_kind_of(const char *name, size_t len);

#endif
